/// \file
/// Sends what remains when a text ends, and when a stream pauses, breaks off or ends.
///
/// - release(): sends held text before an event that cannot be read or exceeds the size limit, and when an
///   event ends all texts.
/// - close(): the answer is complete (`[DONE]`, or the end of the stream after every choice has finished).
///   Citations are resolved. Remaining text, lists of sources, annotations and records are sent in added
///   events.
/// - break_off(): the stream broke off, or reports an error. Held text, the lists of sources and held
///   annotations are sent. Citations are not resolved and no records are sent, because the rest of the answer
///   is unknown.
#pragma once

#include <citestream/session/session.hpp>

#include <string>
#include <string_view>

#include "additions.hpp"
#include "choice_list.hpp"
#include "choice_rewriter.hpp"
#include "event_adder.hpp"
#include "other_text.hpp"
#include "rewrite/event_output.hpp"

namespace citestream {

/// Sends what remains of one stream.
class stream_closer {
 public:
  stream_closer(choice_list& choices, choice_rewriter& texts, other_texts& others, addition_writer& additions,
                event_adder& adder) noexcept
      : choices_(&choices), texts_(&texts), others_(&others), additions_(&additions), adder_(&adder) {}

  /// Another text of the choice begins or continues. The text before it is suspended with its held text,
  /// until it continues. If it cannot continue, its held text is sent.
  void begin_unit(const unit_mark& next, choice_state& choice, event_output& out);
  /// Ends the texts of a choice that other texts have interrupted: sends their held text.
  void end_interrupted(choice_state& choice, event_output& out);
  /// Sends the held text that annotations quote: stream_rules::quotes_sent_words.
  void release_quoted(const dialect_event& content, event_output& out);
  /// Sends the held text of texts that an event repeats because they have ended.
  void release_repeated(const dialect_event& content, event_output& out);
  /// Ends the texts that a payload breaks off: payload_signals::breaks_text.
  void end_consecutive(event_output& out);
  /// Ends every open text, because the last event was received. No references follow it.
  void end_texts(event_output& out);
  /// Settles the choices that have finished and whose references are known. Returns true if there are any.
  bool settle(event_output& out);
  /// Sends the records in events of their own, if the dialect has such events.
  void send_record(const dialect& spec, event_output& out);

  void release(event_output& out);
  void close(event_output& out);
  void break_off(event_output& out);

  /// Returns true if the dialect reports the end of choices and one of them has not ended.
  [[nodiscard]] bool lacks_finish() const noexcept;

 private:
  void send(choice_state& choice, std::string_view text, event_output& out);
  using end_function = void (choice_rewriter::*)(choice_state& choice, std::string& released);
  void send_end(end_function end, choice_state& choice, event_output& out);
  void end_text(text_unit id, choice_state& choice, event_output& out);
  void complete(choice_state& choice);
  struct rest;
  [[nodiscard]] rest rest_of(choice_state& choice);
  void send_rest(const rest& one, std::string_view records, event_output& out);
  void send_rests(event_output& out);

  choice_list* choices_;
  choice_rewriter* texts_;
  other_texts* others_;
  addition_writer* additions_;
  event_adder* adder_;
  std::string released_;  ///< of send_end(); reused
};

}  // namespace citestream
