/// \file
/// Metrics. Each worker counts in a struct of its own, without atomics; collecting copies and adds them.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/base/status.hpp>
#include <citestream/cite/citation.hpp>
#include <citestream/session/session.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "process_usage.hpp"
#include "request_facts.hpp"

namespace citestream {

/// Counts durations by size. \p Bounds: a type with `static constexpr std::array<double, N> seconds`, rising.
template <class Bounds>
struct duration_histogram {
  /// Not cumulative; the last one is above all bounds.
  std::array<std::uint64_t, Bounds::seconds.size() + 1> counts{};
  std::chrono::nanoseconds sum{};

  void observe(std::chrono::nanoseconds took) noexcept {
    const double seconds = std::chrono::duration<double>(took).count();
    ++counts[static_cast<std::size_t>(std::ranges::lower_bound(Bounds::seconds, seconds) -
                                      Bounds::seconds.begin())];
    sum += took;
  }
};

/// Latency that the proxy adds: microseconds, or milliseconds under load.
struct added_bounds {
  static constexpr std::array<double, 14> seconds{0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001,
                                                  0.0025,  0.005,    0.01,    0.025,  0.05,    0.1,    0.5};
};
/// How long text is held: until the next tokens of the model.
struct hold_bounds {
  static constexpr std::array<double, 12> seconds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                  0.1,   0.25,   0.5,   1,    2.5,   10};
};
/// How long requests take.
struct request_bounds {
  static constexpr std::array<double, 13> seconds{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                                  1,     2.5,  5,     10,   30,  120};
};

/// Model names that have their own row in the metrics. Responses contain the names and are not trusted, so
/// the table is bounded: further models share a row, and so do responses without a name. Thread-safe.
class model_names {
 public:
  static constexpr std::size_t max_names = 64;
  static constexpr std::string_view other = "other";
  static constexpr std::string_view unknown = "unknown";
  /// Returns \p model, or the name of the row that it shares.
  [[nodiscard]] std::string row_of(const std::string& model);

 private:
  std::mutex mutex_;
  std::set<std::string> names_;
};

/// The route of requests that match none, and the upstream of requests that failed before they had one.
inline constexpr std::string_view no_name = "none";

/// Client connections.
struct connection_counts {
  std::uint64_t accepted{};
  std::uint64_t broken{};  ///< ended by an error inside the proxy
};

/// Connections and requests refused, by the limit that was reached.
struct refusal_counts {
  std::uint64_t connections{};    ///< `max_connections`
  std::uint64_t streams{};        ///< `max_streams`
  std::uint64_t request_bytes{};  ///< `max_request_memory`
  std::uint64_t descriptors{};    ///< not accepted or not forwarded: no file descriptor left
};

/// Requests whose head and body were accepted.
struct request_counts {
  std::uint64_t changed{};       ///< forwarded with a rewritten body
  std::uint64_t unread{};        ///< the body was to be read or rewritten but could not be
  std::uint64_t clients_left{};  ///< given up because the client disconnected or did not read
};

/// Rewritten event streams and their events.
struct event_counts {
  std::uint64_t streams{};
  std::uint64_t received{};  ///< each is sent or dropped
  std::uint64_t sent{};
  std::uint64_t dropped{};  ///< the client had disconnected
};

/// Connections to upstreams.
struct upstream_counts {
  std::uint64_t connects{};  ///< established, not those that failed
  std::uint64_t reused{};    ///< taken from the pool
};

/// What is going on now. Only copies of the metrics have it: worker::current_metrics().
struct current_counts {
  std::uint64_t open_streams{};
  std::uint64_t held_bytes{};        ///< of text
  std::uint64_t idle_connections{};  ///< to upstreams, in the pools
};

/// Counters of log, traces and recordings, which all workers share.
struct telemetry_counts {
  std::uint64_t log_lines_lost{};
  std::uint64_t spans_exported{};
  std::uint64_t spans_dropped{};
  std::uint64_t recordings{};
  std::uint64_t recordings_lost{};
};

/// A reason why events and bodies pass unchanged because they cannot be read.
struct passed_reason {
  errc error;
  std::string_view name;
};
inline constexpr auto passed_reasons = std::to_array<passed_reason>({
    {errc::ok, "unknown_form"},  // and all other errors
    {errc::event_too_large, "event_too_large"},
    {errc::invalid_json, "invalid_json"},
    {errc::json_too_deep, "json_too_deep"},
    {errc::duplicate_key, "duplicate_key"},
    {errc::body_too_large, "body_too_large"},
    {errc::damaged_message, "damaged_message"},
});

/// What all workers share: the process and its configuration.
struct proxy_state {
  telemetry_counts telemetry;
  process_usage process;
  std::uint64_t open_connections{};  ///< of clients
  bool draining{};
  bool reload_failed{};  ///< the last reload
  double config_time{};  ///< of the last start or successful reload, in seconds since the Unix epoch
};

/// Requests that have ended.
struct ended_requests {
  std::map<std::pair<std::string, unsigned>, std::uint64_t, std::less<>> counts;  ///< by route and status
  std::map<std::string, duration_histogram<request_bounds>, std::less<>> times;   ///< by route
  std::map<std::string, std::array<std::uint64_t, failure_count>, std::less<>> failed;  ///< by upstream
};

/// Responses, and the citations and claims in them.
struct answer_counts {
  static constexpr std::size_t origins = static_cast<std::size_t>(citation_origin::both) + 1;
  static constexpr std::size_t statuses = static_cast<std::size_t>(citation_status::unresolved) + 1;
  /// \ref source_type, then none.
  static constexpr std::size_t source_types = static_cast<std::size_t>(source_type::place) + 2;
  using by_status = std::array<std::uint64_t, statuses>;

  std::array<std::uint64_t, passed_reasons.size()> passed{};  ///< see \ref passed_reasons
  std::array<std::uint64_t, bypass_reason_count> bypassed{};
  std::map<std::string, by_status, std::less<>> models;                    ///< citations by model
  std::map<std::pair<std::string, std::string>, verdict_counts> verdicts;  ///< by route and model
  std::array<std::array<std::array<std::uint64_t, source_types>, statuses>, origins> citations{};
};

/// How long streams wait for the proxy.
struct stream_delays {
  duration_histogram<added_bounds> added;
  duration_histogram<hold_bounds> held;
};

/// What a worker counts. add() combines the metrics of several workers.
struct proxy_metrics {
  connection_counts connections;
  refusal_counts refused;
  request_counts requests;
  transferred_bytes bytes;
  event_counts events;
  upstream_counts upstreams;
  current_counts now;
  std::uint64_t unsent_max{};  ///< most bytes held for one client: output and unread citation records
  ended_requests ended;
  answer_counts answers;
  stream_delays delays;

  /// Adds what the configuration names, with zeros, so that every series exists before its first event: a
  /// query of an increase does not see the first value of a series.
  void add_route(std::string_view route);
  void add_upstream(std::string_view upstream);
  /// Adds the rows that every configuration has.
  void add_common_rows();
  /// Counts a request that has ended.
  void count(const request_facts& of, request_facts::clock::duration duration, model_names& names);
  /// Counts events that pass unchanged; \p why: the error of the session.
  void count_passed(errc why, std::uint64_t count) noexcept;
  /// Counts the citations of a response that has ended.
  void count_citations(const session& of);
  /// Counts what a running request has caused so far. Only for copies: count() counts it again at the end.
  void count_running(const request_facts& of);
  void note_unsent(std::uint64_t size) noexcept { unsent_max = std::max(unsent_max, size); }
  /// Adds the metrics of another worker.
  void add(const proxy_metrics& other);
};

/// Returns the text exposition format 0.0.4 of Prometheus. Every metric is listed, also those that are 0.
[[nodiscard]] std::string metrics_text(const proxy_metrics& all, const proxy_state& state);

}  // namespace citestream
