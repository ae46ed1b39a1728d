/// \file
/// Adds events of our own between those of the upstream.
#pragma once

#include <citestream/chunk/document.hpp>
#include <citestream/session/options.hpp>

#include <string>
#include <string_view>

#include "choice_list.hpp"
#include "event_numbers.hpp"
#include "event_reader.hpp"
#include "event_template.hpp"
#include "rewrite/event_output.hpp"
#include "template_store.hpp"

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
  event_adder(const session_options& options, copy_memory& copies, event_reader& reader,
              template_store& templates) noexcept
      : options_(&options), copies_(&copies), reader_(&reader), templates_(&templates) {}

  /// Adds an event that looks like the last one of the choice.
  void add(choice_state& choice, event_content content, event_output& out);
  /// Adds an event made from a template.
  void add(event_template& shape, const event_content& content, event_output& out);
  /// Adds an event that the dialect has written.
  void add(const own_event& event, event_output& out);
  /// Reads an event that is to be replaced.
  [[nodiscard]] replaced_event replaced(const event_reading& one);
  /// Sends `event` instead of `item`, with the line ends of `item`. Writes its type only if `item` has one.
  void replace(const frame& item, const own_event& event, event_output& out);
  /// Call when an event of the answer was read, before events are added in front of it.
  void note_received(const event_reading& one) noexcept;
  /// Writes the number of an event of the answer, if events have been added before it.
  void write_number(const event_reading& one, splicer& edits);
  /// Passes on an event that is not part of the answer but may have a number.
  void pass(const frame& item, event_output& out);
  /// Reads the number of the last event with text of a choice, which may have been sent without a parse. Its
  /// template is made.
  void note_number(choice_state& choice);
  /// Adds an event that reports a failure, in the form of the dialect.
  void add_error(std::string_view message, std::string_view code, const choice_list& choices,
                 event_output& out);

  /// Call if the bytes passed last end with a blank line.
  void note_whole() noexcept { open_.clear(); }
  /// Call if the bytes passed last may lack their line ends, so that an added event does not become part of
  /// them.
  void note_open(std::string_view raw);
  /// Writes the blank line that the bytes passed last lack.
  void end_block(std::string& out);
  [[nodiscard]] event_numbers& numbers() noexcept { return numbers_; }
  void reset() noexcept {
    open_.clear();
    numbers_ = {};
    line_end_ = {};
  }

 private:
  /// Begins an added event. Returns where it is written; null if it would become part of the bytes passed
  /// last.
  [[nodiscard]] std::string* begin(event_output& out);
  /// Parses an event. Missing if that fails. Valid until the next call of the adder.
  [[nodiscard]] json_value read(std::string_view payload);
  /// Where the next event is written.
  [[nodiscard]] frame_place place() const noexcept {
    return {reader_->framing(), line_end_.empty() ? "\n" : line_end_, reader_->gap(), false};
  }
  const session_options* options_;
  copy_memory* copies_;
  event_reader* reader_;
  template_store* templates_;
  event_numbers numbers_;
  std::string open_;           ///< the last bytes, at most four, of an event without its line ends
  std::string_view line_end_;  ///< of the first event of the answer; empty: not received yet
};

}  // namespace citestream
