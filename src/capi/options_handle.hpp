// The handle of options.
#pragma once

#include <citestream/citestream.h>
#include <citestream/session/options.hpp>

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "boundary.hpp"

namespace citestream::capi {

struct option_values {
  session_options session;
  std::vector<std::string> json_paths{"/"};  ///< below these, JSON answers are rewritten
};

/// Whether what a caller passes as options is some.
[[nodiscard]] bool is_options(const citestream_options* options) noexcept;

}  // namespace citestream::capi

struct citestream_options {
  citestream::capi::tag what{citestream::capi::tag::options};
  citestream::capi::counted one;
  citestream::capi::option_values values;
  std::string problem;
  mutable std::atomic<bool> in_use{};  ///< a session was made from them: other threads may read them now
};
