/// \file
/// The handle of options.
#pragma once

#include <citestream/citestream.h>
#include <citestream/session/options.hpp>

#include <atomic>
#include <string>
#include <vector>

#include "boundary.hpp"

namespace citestream::capi {

/// The values that a handle of options contains.
struct option_values {
  session_options session;
  std::vector<std::string> json_paths{"/"};  ///< JSON answers below these paths are rewritten
};

/// What compares claims in this library; null in the static one, which is linked without a vocabulary.
[[nodiscard]] const claim_check* linked_checker() noexcept;

/// Returns true if a pointer from the caller is a handle of options.
[[nodiscard]] bool is_options(const citestream_options* options) noexcept;

}  // namespace citestream::capi

/// The handle of options.
struct citestream_options {
  citestream::capi::tag type_tag{citestream::capi::tag::options};
  citestream::capi::counted handle_count;
  citestream::capi::option_values values;
  std::string problem;
  mutable std::atomic<bool> in_use{};  ///< a session was created from them; other threads may read them
};
