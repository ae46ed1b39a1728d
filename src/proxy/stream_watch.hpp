/// \file
/// What is measured of one rewritten answer while it runs.
#pragma once

#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "metrics.hpp"
#include "request_facts.hpp"

namespace citestream {

/// Lives beside the session that rewrites the answer; notes its last numbers when it ends.
class stream_watch {
 public:
  using clock = request_facts::clock;

  stream_watch(const session& rewriter, request_facts& seen, proxy_metrics& counters);
  ~stream_watch();
  stream_watch(const stream_watch&) = delete;
  stream_watch& operator=(const stream_watch&) = delete;

  /// \p bytes have come at \p when and were given to the session, which said \p result.
  void rewritten(std::string_view bytes, const status& result, clock::time_point when);
  /// What they released was given to the client's socket at \p when, and was taken; or the client is gone.
  void sent(clock::time_point when, bool taken);

 private:
  void end_hold(clock::time_point when);
  void count_events(bool taken);

  const session& rewriter_;
  request_facts& seen_;
  proxy_metrics& counters_;
  clock::time_point came_{};        ///< the bytes under way; unset: none
  clock::time_point held_since_{};  ///< unset: nothing is held
  int looked_for_model_{};
  std::uint64_t counted_events_{};  ///< sent or dropped
};

/// Memory of the citation records whose text the client has not acknowledged. A marker of three bytes makes a
/// record of some hundred, so a client that reads nothing must not let them grow: records count like unsent
/// bytes.
class unread_records {
 public:
  /// Bytes from which upstream is not read until the client has read more.
  static constexpr std::uint64_t max_bytes = 96 * 1024;

  explicit unread_records(const session& rewriter) noexcept : rewriter_(rewriter) {}

  /// Counts the records that the session has made since the last call.
  void count_new();
  /// \p written bytes were given to the client's socket so far; it has not acknowledged the last
  /// \p unacknowledged of them.
  void note_written(std::uint64_t written, std::uint64_t unacknowledged) noexcept;
  [[nodiscard]] std::uint64_t bytes() const noexcept { return made_ - read_; }

 private:
  const session& rewriter_;
  std::vector<std::size_t> counted_;  ///< records, by choice
  std::uint64_t made_{};              ///< bytes of all records
  std::uint64_t read_{};              ///< of them, those that are known to be read
  std::uint64_t mark_written_{};      ///< once so many bytes are acknowledged, ...
  std::uint64_t mark_made_{};         ///< ... so many bytes of records are read
};

/// Takes complete lines from the front of \p bytes, about a kilobyte: few enough that the records they can
/// make are soon counted.
[[nodiscard]] std::string_view take_part(std::string_view& bytes) noexcept;

}  // namespace citestream
