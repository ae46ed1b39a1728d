/// \file
/// Requests on their way to the upstream: the options they set for their own response (`X-Citestream-Style`,
/// `-Markers`, `-Offsets`, `-Bypass`), and what is rewritten in their bodies.
#pragma once

#include <citestream/session/options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/fields.hpp"
#include "http/message_head.hpp"
#include "provenance/request_work.hpp"
#include "proxy_options.hpp"

namespace citestream {

/// Options that a request sets for itself. Those that are not set come from the route.
struct per_request_options {
  bool bypass{};  ///< request and response pass unchanged
  const citestream::style* style{};
  std::vector<const grammar*> markers;
  std::optional<offset_unit> offsets;

  /// Replaces the options that are set in \p options.
  void apply_to(session_options& options) const;
};

/// Reads the `X-Citestream-*` fields. Rejects unknown names, invalid values and repeated fields with 400.
[[nodiscard]] http::own_error read_request_options(const http::fields& all, per_request_options& out);

/// Rewrites JSON that is posted to \p path, the path at the upstream, with the query:
/// - at the path of a chat request of any protocol: does what \p how requires, removes citations of ours from
///   its history, and reads its documents and whether its answer is to be JSON;
/// - at `/graphs/question`: requests inline citations;
/// - at paths of request_kind::history, such as `/messages/count_tokens`: only removes citations.
/// A body that cannot be read or is compressed does not change. Neither does that of a signed request, whose
/// documents are read.
[[nodiscard]] rewritten_request rewrite_request(const http::request_head& head, std::string_view path,
                                                const request_rewrite_options& how, std::string& body);

}  // namespace citestream
