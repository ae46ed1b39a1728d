/// \file
/// What a worker counts: plain numbers that only its thread touches. Collecting copies and adds them.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/session/session.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "histogram.hpp"
#include "request_facts.hpp"
#include "trouble.hpp"

namespace citestream {

/// Names of models that have a row of their own. Answers name them, and answers are not trusted: those that
/// come when the table is full, and those without a name, share a row. From any thread.
class model_names {
 public:
  static constexpr std::size_t max_names = 64;
  static constexpr std::string_view other = "other";
  static constexpr std::string_view unknown = "unknown";
  /// \p model, or the row that it shares.
  [[nodiscard]] std::string row_of(const std::string& model);

 private:
  std::mutex mutex_;
  std::set<std::string> names_;
};

struct proxy_metrics {
  static constexpr std::size_t statuses = 3;      ///< \ref citation_status
  static constexpr std::size_t source_types = 5;  ///< \ref source_type, then none
  static constexpr std::size_t troubles = trouble_count;
  static constexpr std::size_t errors = 9;  ///< \ref errc; 0: of no known form
  using by_status = std::array<std::uint64_t, statuses>;

  std::map<std::pair<std::string, unsigned>, std::uint64_t, std::less<>> requests;  ///< by route and status
  std::map<std::string, std::uint64_t, std::less<>> bypassed;                       ///< answers, by reason
  std::map<std::string, by_status, std::less<>> models;                             ///< citations
  std::array<std::array<std::uint64_t, source_types>, statuses> citations{};
  std::array<std::uint64_t, troubles> failed{};
  std::array<std::uint64_t, errors> passed{};  ///< events of rewritten answers that passed unread
  /// What was turned away.
  std::uint64_t refused_connections{};  ///< over `max_connections`
  std::uint64_t refused_streams{};      ///< over `max_streams`
  std::uint64_t
      refused_descriptors{};  ///< not accepted, or not connected to upstream: no file descriptor left
  std::uint64_t broken{};     ///< connections that an error inside the proxy ended
  std::uint64_t streams{};    ///< rewritten, begun
  std::uint64_t events{};     ///< that came; each leaves, or is dropped
  std::uint64_t events_sent{};
  std::uint64_t events_dropped{};  ///< the client was gone
  std::uint64_t request_bytes{};
  std::uint64_t upstream_bytes{};
  std::uint64_t client_bytes{};
  std::uint64_t connects{};
  std::uint64_t reused{};
  duration_histogram<added_bounds> added;
  duration_histogram<hold_bounds> hold;
  duration_histogram<request_bounds> took;

  // Of the moment.
  std::uint64_t connections{};
  std::uint64_t open_streams{};
  std::uint64_t held_bytes{};
  std::uint64_t idle_upstream{};

  /// Counts a request that has ended.
  void count(const request_facts& of, request_facts::clock::duration duration, model_names& names);
  /// Counts the citations of an answer that has ended.
  void count_citations(const session& of);
  /// Counts what a request that goes on has brought so far, in a copy that is thrown away.
  void count_running(const request_facts& of);
  /// Adds what another worker counted.
  void add(const proxy_metrics& other);
};

/// Of \ref proxy_metrics::passed.
[[nodiscard]] std::string_view passed_reason(std::size_t error) noexcept;

}  // namespace citestream
