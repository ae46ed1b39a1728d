/// \file
/// What is measured of one rewritten answer while it runs.
#pragma once

#include <citestream/session/session.hpp>

#include <string_view>

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

}  // namespace citestream
