/// \file
/// Rewrites one stream: composes the stages.
///
/// Each event is handled in the same way. Its references are stored. Each text goes through the answer of its
/// choice (choice_rewriter.hpp), and the text that can be sent replaces the received text in the event.
/// Records of choices that are complete are added (additions.hpp). Events of our own are inserted between
/// events (event_adder.hpp). At the end, stream_closer.hpp sends what remains.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/session/session.hpp>

#include <memory>
#include <string>
#include <string_view>

#include "additions.hpp"
#include "choice_list.hpp"
#include "choice_rewriter.hpp"
#include "event_adder.hpp"
#include "event_queue.hpp"
#include "event_reader.hpp"
#include "other_text.hpp"
#include "rewrite/event_output.hpp"
#include "session_memory.hpp"
#include "stream_closer.hpp"
#include "unit_rewriter.hpp"

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
  bool next(session_event& out) { return parts_.events.next(out); }
  void reset() noexcept;

  [[nodiscard]] session_statistics statistics() const noexcept;
  /// Returns true if the last event of the answer was an error.
  [[nodiscard]] bool upstream_error() const noexcept { return errored_; }
  [[nodiscard]] const dialect* recognised() const noexcept { return parts_.reader.dialect_of().current(); }
  [[nodiscard]] std::span<const std::unique_ptr<choice_state>> choices() const noexcept {
    return parts_.choices.all();
  }

 private:
  /// The stages. Each may refer to earlier ones.
  struct stages {
    stages(session_options& options, session_memory& space, session_statistics& counts, bool small);

    event_queue events;
    event_reader reader;
    event_adder adder;  ///< must outlive the templates
    choice_list choices;
    other_texts others;
    addition_writer additions;
    choice_rewriter texts;
    unit_rewriter units;
    stream_closer closer;
  };

  status take(const event_reading& one, event_output& out);
  status pass(const event_reading& one, event_output& out);
  void close(event_output& out);
  void pass_numbered(const event_reading& one, event_output& out);
  void take_answer(const event_reading& one, event_output& out);
  void begin(const event_reading& one, event_output& out);
  void complete(const event_reading& one, bool settled, event_output& out);
  void open(const dialect_event& content);
  void take_whole_texts() noexcept;
  void take_natives(const dialect_event& content);
  void add_late_natives();
  void take_other_texts(const dialect_event& content, std::string_view payload, const frame* item,
                        event_output& out);
  void write_text(const event_reading& one, const choice_event& found, std::size_t place,
                  choice_state& choice, std::string_view released, event_output& out);
  void begin_unit(const choice_event& found, choice_state& choice, event_output& out);
  void send_record(event_output& out);
  void take_units(const dialect_event& content, std::string_view payload, event_output& out);
  void end_texts(event_output& out);
  void end_annotated(const dialect_event& content, event_output& out);
  void number(const event_reading& one);
  bool take_choice(const event_reading& one, const choice_event& found, std::size_t place, event_output& out);
  bool settle_others(event_output& out);
  void adopt_dialect();

  session_options options_;
  session_statistics counts_;
  std::unique_ptr<session_memory> own_;  ///< used if no memory is shared
  session_memory& space_;
  stages parts_;
  std::string released_;  ///< reused within each function
  bool errored_{};
  bool left_out_{};  ///< the event is not sent: it must not be without text, or another one replaces it
  bool finished_{};
};

}  // namespace citestream
