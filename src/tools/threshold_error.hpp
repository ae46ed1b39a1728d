/// \file
/// The error message for thresholds of verdicts that contradict each other.
#pragma once

#include <citestream/session/options.hpp>

#include <string>

#include "base/decimal.hpp"
#include "session/option_table.hpp"

namespace citestream::tools {

/// The names of two options, as the user writes them.
struct threshold_names {
  std::string not_found;
  std::string supported;
};

/// Returns an error if `not_found` is greater than `supported`, otherwise an empty string.
[[nodiscard]] inline std::string threshold_error(const session_options& options,
                                                 const threshold_names& names) {
  if (option_conflict(options).empty()) return {};
  std::string out = names.not_found + " (";
  append_decimal(options.thresholds.not_found, out);
  out += ") must not exceed " + names.supported + " (";
  append_decimal(options.thresholds.supported, out);
  return out + ")";
}

}  // namespace citestream::tools
