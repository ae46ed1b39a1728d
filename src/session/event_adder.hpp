/// \file
/// Adds events of our own between those of the upstream, and keeps the templates for them.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include "choice_list.hpp"
#include "event_reader.hpp"
#include "event_template.hpp"
#include "rewrite/event_output.hpp"

namespace citestream {

/// An event of the upstream that one of ours replaces. Valid until the next call of the adder.
struct replaced_event {
  frame item;
  json_value root;  ///< missing if it cannot be read
};

/// Adds events to one stream.
class event_adder {
 public:
  /// \param copies  used only during calls
  event_adder(const session_options& options, copy_memory& copies, event_reader& reader) noexcept
      : options_(&options), copies_(&copies), reader_(&reader), kept_(options.bounds.max_event_bytes) {}

  /// Call this at the start of each call of the session: `copies` may have been used for something else.
  void begin() noexcept { kept_.forget_reading(); }

  /// Adds an event that looks like the last one of the choice.
  void add(choice_state& choice, event_content content, event_output& out);
  /// The same with the template of another text.
  void add(event_template& shape, const event_content& content, event_output& out);
  /// Adds an event that the dialect has written.
  void add(const own_event& event, event_output& out);
  /// Parses an event. Missing if that fails. Valid until the next call of the adder.
  [[nodiscard]] json_value read(const frame& item);
  /// Reads an event that is to be replaced.
  [[nodiscard]] replaced_event replaced(const event_reading& one);
  /// Sends `event` instead of `item`, with the line ends of `item`. Writes its type only if `item` has one.
  void replace(const frame& item, const own_event& event, event_output& out);
  /// An event of the answer was read. Call this before events are added in front of it.
  void note_received(const event_reading& one) noexcept;
  /// Writes the number of an event of the answer, if events have been added before it.
  void write_number(const event_reading& one, splicer& edits);
  /// Passes on an event that is not part of the answer but may have a number. \p edits: reused
  void pass(const frame& item, splicer& edits, event_output& out);
  /// Reads the numbers of the last events with text, which may have been sent without a parse.
  void note_numbers(const choice_list& choices);
  /// Reads the number of the last event with text of one choice. Its template is made.
  void note_number(choice_state& choice);
  /// Adds an event that reports a failure, in the form of the dialect.
  void add_error(std::string_view message, std::string_view code, event_output& out);

  /// Makes this event the template of the choice. `place`: index of its text in the event. Returns false if
  /// it cannot be stored and there is no older template: no text may be held then (event_template.hpp).
  [[nodiscard]] bool expect(const event_reading& one, const choice_event& found, std::size_t place,
                            choice_state& choice) noexcept {
    if (one.shape != nullptr) {
      choice.own_event.follow(*one.shape, place, one.item->raw);
      return true;
    }
    if (!kept_.has_room(one.item->data.size())) return choice.own_event.usable();
    choice.own_event.expect(*one.item, found);
    return true;
  }
  /// Call this after an event that was parsed, if it has choices of the answer: stores it if it is expected
  /// to be a template. `only_texts`: the event changed nothing but texts, so the cache may learn it.
  void note_parsed(const event_reading& one, bool only_texts, choice_list& choices);
  /// Makes the template of the choice if that is pending.
  void make_template(choice_state& choice) { choice.own_event.make(reader_->cache(), kept_); }
  [[nodiscard]] kept_events& kept() noexcept { return kept_; }

  /// The bytes passed last end with a blank line.
  void note_whole() noexcept { open_.clear(); }
  /// The bytes passed last may lack their line ends. An added event must not become part of them.
  void note_open(std::string_view raw);
  /// Returns false if an added event would become part of the bytes passed last.
  [[nodiscard]] bool may_add() const noexcept {
    const bool closable = reader_->framing() != stream_framing::eventstream && !reader_->inside_element();
    return open_.empty() || closable;
  }
  /// Writes the blank line that the bytes passed last lack.
  void end_block(std::string& out);
  [[nodiscard]] event_numbers& numbers() noexcept { return numbers_; }
  void reset() noexcept {
    open_.clear();
    numbers_ = {};
    line_end_ = {};
  }

 private:
  /// Where the next event is written.
  [[nodiscard]] frame_place place() const noexcept {
    return {reader_->framing(), line_end_.empty() ? "\n" : line_end_, reader_->gap(), false};
  }
  [[nodiscard]] const learned_event* learn(const event_reading& one, choice_list& choices);

  const session_options* options_;
  copy_memory* copies_;
  event_reader* reader_;
  kept_events kept_;
  event_numbers numbers_;
  std::string open_;           ///< the last bytes, at most four, of an event without its line ends
  std::string_view line_end_;  ///< of the first event of the answer; empty: not received yet
};

}  // namespace citestream
