/// \file
/// Turns the bytes of a stream into readings: one for each event, with its content.
///
/// \code
///   reader.feed(bytes);
///   for (event_reading one; reader.next(one);) use(one);
/// \endcode
///
/// The bytes of all readings together are the stream, unchanged and in order. Most events are known
/// (known_events.hpp). The others are decoded, parsed and read by the dialect. Code that uses a reading does
/// not depend on how it was made.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "framing/frame_decoder.hpp"
#include "known_events.hpp"
#include "recognition.hpp"

namespace citestream {

/// What a reading is.
enum class reading_kind : std::uint8_t {
  answer,      ///< content of the answer: see event_reading::content
  error,       ///< an error reported by the upstream
  done,        ///< `[DONE]`, or the closing bracket of an array
  unread,      ///< an event that could not be read or has too many choices
  unknown,     ///< an event in JSON that the dialect does not know
  oversize,    ///< a piece of an event over the size limit, or of bytes that are not events
  other,       ///< comments, heartbeats, events without data, everything after the end
  unfinished,  ///< an event that the end of the stream cut off; it is not sent
};

/// One event, or bytes between events, and its content. Valid until the next call of the reader. If `lasting`
/// is set, `item->raw` is valid until the next feed().
struct event_reading {
  reading_kind kind{};
  const frame* item{};
  const dialect_event* content{};  ///< if `kind` is `answer`
  json_value root;                 ///< of the payload of an answer, if it was parsed; else missing
  /// The cached shape of this event; null if it was parsed. An event with a shape contains only texts of
  /// open choices.
  const learned_event* shape{};
  status why;  ///< error of this event; for `oversize` set in the first piece only
  bool lasting{};
  bool dialect_is_new{};  ///< this event changed the dialect of the stream

  /// Returns true if the accumulating mirror of this choice is equal to the text received, provided that both
  /// have the same size.
  [[nodiscard]] bool mirror_is_all(std::size_t choice) const noexcept {
    const grown_text* const grown = shape == nullptr ? nullptr : shape->texts[choice].grown;
    return grown != nullptr && grown->is_all;
  }
};

/// A body and its content.
struct body_reading {
  const dialect_event* content{};  ///< null: the body must pass through unchanged
  status why;                      ///< error of the body
};

/// The reader of one stream or body.
class event_reader {
 public:
  /// \param parsed,content  used only during calls; like the other arguments they must outlive the reader
  /// \param small  see event_cache
  event_reader(const session_options& options, document& parsed, dialect_event& content,
               session_statistics& counts, bool small);

  /// Gives the next bytes of the stream. They must stay valid until next() returns false.
  void feed(std::string_view bytes) { known_.feed(bytes); }
  /// Returns the next reading, or false if more bytes are needed.
  [[nodiscard]] bool next(event_reading& out);
  /// Ends the stream. next() returns what remains.
  /// \return true if the stream ended inside an event over the size limit; its bytes have already been
  /// returned
  bool finish();

  /// Reads a complete body instead of a stream. Valid until the next call of the reader.
  [[nodiscard]] body_reading read_body(std::string_view body);

  /// Some servers send the text of a choice only as its repeat, mostly in the event that ends the choice.
  /// If `lacks_text(choice)` is true, such a repeat in the last parsed event becomes the text of that
  /// choice. It stays a repeat as well, so that added events contain the whole text.
  template <typename Predicate>
  void read_repeats_as_texts(const Predicate& lacks_text) noexcept {
    for (choice_event& found : content_->choices) {
      const bool repeats = found.text.empty() && found.mirror.accumulates;
      if (repeats && lacks_text(found.choice)) read_repeat_as_text(found);
    }
  }

  /// Turns repeat \p index of the last parsed event into the text of its unit, because no event has sent that
  /// text before.
  [[nodiscard]] choice_event take_repeat(std::size_t index);

  /// Learns the last event, which changed nothing but texts. For `all` and `open` see event_cache::learn().
  /// \return what was learned, or null
  const learned_event* learn(const event_reading& last, event_cache::text_bits all, std::size_t open);

  [[nodiscard]] const recognition& dialect_of() const noexcept { return recognition_; }
  [[nodiscard]] event_cache& cache() noexcept { return known_.cache(); }
  [[nodiscard]] stream_framing framing() const noexcept { return decoder_.framing(); }
  [[nodiscard]] frame_gap gap() const noexcept { return decoder_.gap(); }
  [[nodiscard]] bool inside_element() const noexcept { return decoder_.inside_element(); }
  /// The type of the frame for an event of our own of this type: messages that contain encoded events all
  /// have one type.
  [[nodiscard]] std::string_view sent_type(std::string_view type) const noexcept {
    return item_.message != nullptr && !item_.message->encoded.empty() ? eventstream_chunk : type;
  }
  /// Returns true if `[DONE]` or the event that ends the stream was received, and no text after it.
  [[nodiscard]] bool done() const noexcept { return done_; }
  void reset() noexcept;

 private:
  void take(const known_event& known, event_reading& out);
  [[nodiscard]] bool decode_next(event_reading& out);
  void note_text(const dialect_event& content) noexcept;
  void interpret(event_reading& out);
  void interpret_event(event_reading& out);
  void read_payload(event_reading& out);
  void read_oversize(event_reading& out);
  static void read_repeat_as_text(choice_event& found) noexcept;
  [[nodiscard]] bool too_many_choices() const noexcept;
  [[nodiscard]] bool is_cut(const frame& item);

  const limits* bounds_;
  document* parsed_;
  dialect_event* content_;
  session_statistics* counts_;
  recognition recognition_;
  frame_decoder decoder_;
  known_events known_;
  frame item_;
  status oversize_;  ///< the last event over the size limit
  bool done_{};      ///< see done()
};

// The functions below are inline because they run for each event that is known.

inline void event_reader::take(const known_event& known, event_reading& out) {
  ++counts_->events;
  ++counts_->known_shape;
  out = {};
  out.kind = reading_kind::answer;
  out.item = &known.event->item;
  out.content = &known.event->content;
  out.shape = known.event;
  out.lasting = known.lasting;
  if (!recognition_.texts_begun()) note_text(*out.content);
}

inline bool event_reader::next(event_reading& out) {
  const known_event known = done_ ? known_event{} : known_.next();
  if (known.event == nullptr) return decode_next(out);
  take(known, out);
  return true;
}

}  // namespace citestream
