/// \file
/// Rewrites one stream: composes the stages.
///
/// Each event of the answer is handled in the same way (event_rewriter.hpp). Its references are stored. Each
/// text goes through the answer of its choice (choice_rewriter.hpp), and the text that can be sent replaces
/// the received text in the event. Records of choices that are complete are added (additions.hpp). Events of
/// our own are inserted between events (event_adder.hpp). At the end, stream_closer.hpp sends what remains.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "event_rewriter.hpp"
#include "rewrite/event_output.hpp"
#include "rewrite_stages.hpp"

namespace citestream {

/// Rewrites one stream or body. See session for the contract of its functions.
class stream_rewriter {
 public:
  /// \param shared  may be null; used only during calls
  stream_rewriter(session_options given, session_memory* shared);
  stream_rewriter(const stream_rewriter&) = delete;
  stream_rewriter& operator=(const stream_rewriter&) = delete;

  status write(std::string_view bytes, std::string& sent);
  status finish(std::string& sent, stream_end how, std::string_view message, std::string_view code);
  status rewrite_body(std::string_view body, std::string& sent);
  bool next(session_event& out) { return stages_.events.next(out); }
  void reset() noexcept;

  [[nodiscard]] session_statistics statistics() const noexcept { return stages_.statistics(); }
  /// Returns true if the last event of the answer was an error.
  [[nodiscard]] bool upstream_error() const noexcept { return last_ == last_event::error; }
  [[nodiscard]] bool writes_sse() const noexcept {
    const stream_framing how = stages_.reader.framing();
    return how == stream_framing::sse || how == stream_framing::unknown;
  }
  [[nodiscard]] const dialect* recognised() const noexcept { return stages_.reader.dialect_of().current(); }
  [[nodiscard]] std::span<const std::unique_ptr<choice_state>> choices() const noexcept {
    return stages_.choices.all();
  }
  /// \pre \p place is less than the number of choices()
  [[nodiscard]] const choice_state& choice_at(std::size_t place) const noexcept { return *choices()[place]; }

 private:
  /// The last event, if it may have been part of the answer.
  enum class last_event : std::uint8_t {
    read,
    unread,  ///< not JSON, or too large: it may have been the end of the answer
    error,
  };
  /// What was left when the stream ended.
  struct stream_rest {
    bool unfinished{};  ///< the last event lacks its end
    status error{};
  };

  status take(const event_reading& reading, event_output& out);
  void hold_templates();
  stream_rest take_rest(std::string& sent, event_output& out);
  [[nodiscard]] bool is_complete(stream_end how, bool unfinished) const noexcept;
  [[nodiscard]] bool ends_with_event() const noexcept {
    return recognised() != nullptr && recognised()->stream.ends_with_event;
  }
  status pass(const event_reading& reading, event_output& out);
  void close(event_output& out);
  status rewrite_array(std::string_view body, std::string& sent);

  const session_options options_;
  std::unique_ptr<session_memory> own_memory_;  ///< used if no memory is shared
  rewrite_stages stages_;
  event_rewriter answer_events_;
  last_event last_{};
  bool finished_{};
};

}  // namespace citestream
