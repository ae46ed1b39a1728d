/// \file
/// Runs concurrent streams for a given time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "answer_reader.hpp"
#include "request.hpp"
#include "tally.hpp"

namespace citestream::load {

/// Times of a run, and the longest waits.
struct run_times {
  std::chrono::nanoseconds duration{std::chrono::seconds(10)};  ///< after the warm-up
  std::chrono::nanoseconds warm_up{};                           ///< not measured
  std::chrono::nanoseconds ramp{};  ///< the streams are started evenly over this time
  /// Time for running answers to complete after the last request; then they are aborted.
  std::chrono::nanoseconds drain{std::chrono::seconds(10)};
  std::chrono::nanoseconds connect_timeout{std::chrono::seconds(10)};
  std::chrono::nanoseconds idle_timeout{std::chrono::seconds(30)};  ///< silence inside an exchange
};

/// Options of a run.
struct run_options {
  target to;
  std::size_t streams{10};
  run_times times;
  std::uint64_t max_requests{~std::uint64_t{0}};
  std::vector<request> requests;    ///< used round robin; at least one
  std::vector<std::string> fields;  ///< additional field lines of each request: `Authorization: Bearer …`
  std::string ca_file;              ///< PEM: the only certificates trusted; empty: the system's trust store
  check_options checking;
  /// Called twice per second with the time since the start.
  std::function<void(std::chrono::nanoseconds elapsed, const tally& so_far)> progress;
};

/// Runs in this thread until the end of the run, or until SIGINT or SIGTERM, which abort running answers.
/// Writes the results to \p counts. \return an empty string, or one line about why the run could not start
[[nodiscard]] std::string run(const run_options& options, tally& counts);

}  // namespace citestream::load
