/// \file
/// What a run has shown, for people and for programs.
#pragma once

#include <string>

#include "run.hpp"
#include "tally.hpp"

namespace citestream::load {

/// A table: what was asked, rates, times with p50, p90, p99 and the maximum, faults by kind.
[[nodiscard]] std::string to_table(const run_options& options, const tally& counts);

/// The same as one JSON object, with a line feed. Times are microseconds; what was not seen has `"count":0`
/// and no percentiles.
[[nodiscard]] std::string to_json(const run_options& options, const tally& counts);

/// One line about a run in progress.
[[nodiscard]] std::string progress_line(std::chrono::nanoseconds elapsed, const tally& counts);

}  // namespace citestream::load
