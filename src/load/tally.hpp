/// \file
/// Counters and times of a run.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "fault.hpp"
#include "latency_histogram.hpp"

namespace citestream::load {

using clock = std::chrono::steady_clock;

/// Counters that exist for the whole run and for the measured time.
struct counts {
  std::uint64_t answers{};  ///< completed answers, with or without a fault
  std::uint64_t wrong{};    ///< completed answers with a fault
  std::uint64_t events{};   ///< events, lines of NDJSON, or messages
  std::uint64_t bytes{};    ///< of bodies, without chunk framing
};

/// Times of answers.
struct latencies {
  latency_histogram connecting;      ///< from connecting to the end of the TLS handshake, without DNS
  latency_histogram first_byte;      ///< from the first byte of the request to the first byte of the answer
  latency_histogram first_event;     ///< from the first byte of the request to the first complete event
  latency_histogram between_events;  ///< between arrivals; events of one read arrive together
  latency_histogram whole_answer;    ///< from the first byte of the request to the end of the answer
  latency_histogram on_the_way;      ///< from the send time in the stream to the arrival of the event
};

/// All counters and times of a run.
struct tally {
  struct faults_of_kind {
    std::uint64_t answers{};  ///< an answer counts once for each kind of fault that it has
    std::string first;        ///< description of the first one
  };

  counts all;                                      ///< from the first request to the end
  counts measured;                                 ///< from the end of the warm-up to the end of the duration
  std::array<faults_of_kind, fault_kinds> faults;  ///< all, by `fault`
  std::map<unsigned, std::uint64_t> statuses;      ///< all answers with a head, by status
  std::uint64_t requests{};                        ///< sent
  std::uint64_t connections{};                     ///< made
  std::uint64_t resent{};      ///< requests sent again because the server had closed the idle connection
  std::uint64_t unfinished{};  ///< answers that were still running at the end
  std::uint64_t begun{};       ///< answers with a head
  std::size_t open{};          ///< requests in progress
  std::size_t open_max{};      ///< largest value of `open`

  latencies times;  ///< in the measured time

  clock::time_point measuring_since;
  clock::duration measured_for{};
  bool measuring{};

  void note(latency_histogram latencies::*what, clock::duration value) noexcept {
    if (measuring) (times.*what).add(std::chrono::duration_cast<std::chrono::nanoseconds>(value));
  }
  void note(std::uint64_t counts::*what, std::uint64_t more) noexcept {
    all.*what += more;
    if (measuring) measured.*what += more;
  }
  void begin_measuring(clock::time_point now) noexcept {
    measuring = true;
    measuring_since = now;
  }
  void end_measuring(clock::time_point now) noexcept {
    if (measuring) measured_for = now - measuring_since;
    measuring = false;
  }
};

}  // namespace citestream::load
