/// \file
/// What a request says about its own answer: the fields `X-Citestream-Style`, `-Markers`, `-Offsets` and
/// `-Bypass`. They are for the proxy, and never passed on.
#pragma once

#include <citestream/session/options.hpp>

#include <optional>
#include <string_view>
#include <vector>

#include "http/fields.hpp"
#include "http/message_head.hpp"

namespace citestream::http {

/// What is not set is as the route says.
struct request_options {
  bool bypass{};  ///< request and answer pass as they come
  const citestream::style* style{};
  std::vector<const grammar*> markers;
  std::optional<offset_unit> offsets;

  /// Puts what was asked for in the place of what \p options say.
  void apply_to(session_options& options) const;
};

/// Reads them all. Refuses, 400: a name or a value that is none, and a field that is there twice.
[[nodiscard]] refusal read_request_options(const fields& all, request_options& out);

}  // namespace citestream::http
