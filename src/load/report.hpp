/// \file
/// Reports the results of a run as a table or as JSON.
#pragma once

#include <string>

#include "run.hpp"
#include "tally.hpp"

namespace citestream::load {

/// Returns a table: counts, rates, times (p50, p90, p99 and maximum) and the first fault of each kind.
[[nodiscard]] std::string to_table(const run_options& options, const tally& counts);

/// Returns the same as one JSON object, with a line feed. Times are in microseconds. A time that was not
/// measured has `"count":0` and no percentiles.
[[nodiscard]] std::string to_json(const run_options& options, const tally& counts);

/// Returns one line about a run in progress.
[[nodiscard]] std::string progress_line(std::chrono::nanoseconds elapsed, const tally& counts);

}  // namespace citestream::load
