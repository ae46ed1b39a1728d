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

struct counts {
  std::uint64_t answers{};  ///< that have ended, with or without a fault
  std::uint64_t wrong{};    ///< of them, those with a fault
  std::uint64_t events{};   ///< SSE events
  std::uint64_t bytes{};    ///< of bodies, chunk framing not counted
};

struct tally {
  struct faults_of_kind {
    std::uint64_t answers{};  ///< an answer counts once for each kind of fault that it has
    std::string first;        ///< the first one seen, in words
  };

  counts all;       ///< from the first request to the end
  counts measured;  ///< between warm-up and the end of the duration; histograms hold the same time only
  std::array<faults_of_kind, fault_kinds> faults;  ///< all, by `fault`
  std::map<unsigned, std::uint64_t> statuses;      ///< all answers with a head, by status
  std::uint64_t requests{};                        ///< sent
  std::uint64_t connections{};                     ///< made
  std::uint64_t resent{};    ///< requests sent again because the server had closed the idle connection
  std::uint64_t left{};      ///< answers that were still running at the end
  std::uint64_t begun{};     ///< answers with a head
  std::size_t open{};        ///< answers under way
  std::size_t open_max{};    ///< at the same time
  std::uint64_t bytes_in{};  ///< bytes of connections

  latency_histogram connecting;      ///< name known to TLS done
  latency_histogram first_byte;      ///< from the request's first byte sent to the answer's first byte
  latency_histogram first_event;     ///< from there to the first whole event
  latency_histogram between_events;  ///< between arrivals; events of one read arrive together
  latency_histogram whole_answer;    ///< from the request's first byte sent to the answer's end
  latency_histogram on_the_way;      ///< from the send time in the stream to the arrival of the event

  clock::time_point measuring_since;
  clock::duration measured_for{};
  bool measuring{};

  void note(latency_histogram& what, clock::duration value) noexcept {
    if (measuring) what.add(std::chrono::duration_cast<std::chrono::nanoseconds>(value));
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
