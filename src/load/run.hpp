/// \file
/// A run: a number of concurrent streams, for some time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "answer_reader.hpp"
#include "request.hpp"
#include "tally.hpp"

namespace citestream::load {

struct run_options {
  target to;
  std::size_t streams{1};
  std::chrono::nanoseconds duration{std::chrono::seconds(10)};  ///< after the warm-up
  std::chrono::nanoseconds warm_up{};                           ///< not measured
  std::chrono::nanoseconds ramp{};  ///< the streams are started evenly over this time
  /// How long running answers may take after the last request; then they are abandoned.
  std::chrono::nanoseconds drain{std::chrono::seconds(10)};
  std::chrono::nanoseconds connect_timeout{std::chrono::seconds(10)};
  std::chrono::nanoseconds idle_timeout{std::chrono::seconds(30)};  ///< silence inside an exchange
  std::uint64_t max_requests{~std::uint64_t{0}};
  std::vector<request> requests;    ///< used round robin; at least one
  std::vector<std::string> fields;  ///< further field lines of each request: `Authorization: Bearer …`
  std::string ca_file;              ///< PEM: the only certificates trusted; empty: the system's trust store
  check_options checking;
  /// Called twice a second, with how long the run has lasted.
  std::function<void(std::chrono::nanoseconds elapsed, const tally& so_far)> progress;
};

/// Runs in this thread until the end of the run, or until SIGINT or SIGTERM, which abandon running answers.
/// Results are written to \p counts. Returns an empty string, or one line about why the run could not start.
[[nodiscard]] std::string run(const run_options& options, tally& counts);

}  // namespace citestream::load
