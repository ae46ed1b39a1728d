/// \file
/// Turns the bytes of a stream into readings: one for each event, with its content.
///
/// \code
///   reader.feed(bytes);
///   for (event_reading one; reader.next(one);) use(one);
/// \endcode
///
/// The bytes of all readings together are the stream, unchanged and in order. Most events are found in the
/// cache (event_cache.hpp). The others are decoded, parsed and read by the dialect. Code that uses a reading
/// does not depend on how it was made.
#pragma once

#include <citestream/base/status.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/session/session.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "event_cache.hpp"
#include "framing/frame_decoder.hpp"
#include "recognition.hpp"

namespace citestream {

/// What a reading is.
enum class reading_kind : std::uint8_t {
  answer,      ///< content of the answer: see event_reading::content
  error,       ///< an error reported by the upstream
  done,        ///< `[DONE]`, or the closing bracket of an array
  unread,      ///< an event that could not be read or has too many choices
  oversize,    ///< a piece of an event over the size limit
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
  /// Events of one shape differ only in texts. Null: it is not known.
  const learned_event* shape{};
  status why;  ///< error of this event; for `oversize` set in the first piece only
  bool lasting{};
  bool dialect_is_new{};  ///< this event changed the dialect of the stream

  /// Returns true if the shape of the event is known. The event then contains nothing but texts of choices
  /// that are open.
  [[nodiscard]] bool has_known_shape() const noexcept { return shape != nullptr; }
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
  void feed(std::string_view bytes);
  /// Returns the next reading, or false if more bytes are needed.
  [[nodiscard]] bool next(event_reading& out) { return find_next(out) || decode_next(out); }
  /// Ends the stream. next() returns what remains.
  /// \return true if the stream ended inside an event over the size limit; its bytes have already been
  /// returned
  bool finish();

  /// Reads a complete body instead of a stream. Valid until the next call of the reader.
  [[nodiscard]] body_reading read_body(std::string_view body);

  /// Some servers send the text of a choice only as its repeat, mostly in the event that ends the choice.
  /// Reads such a repeat in the last event, which was parsed, as the text of its choice, if `lacks_text`
  /// returns true for the number of the choice. It is still a repeat too, so that added events contain all of
  /// the text.
  template <typename Predicate>
  void read_repeats_as_texts(const Predicate& lacks_text) noexcept {
    for (choice_event& found : content_->choices) {
      const bool repeats = found.text.empty() && found.mirror.accumulates;
      if (repeats && lacks_text(found.choice)) read_repeat_as_text(found);
    }
  }

  /// Learns the last event, which changed nothing but texts. For `all` and `open` see event_cache::learn().
  /// \return what was learned, or null
  const learned_event* learn(const event_reading& last, const std::vector<bool>& all, std::size_t open);

  [[nodiscard]] const recognition& dialect_of() const noexcept { return recognition_; }
  [[nodiscard]] event_cache& cache() noexcept { return cache_; }
  [[nodiscard]] stream_framing framing() const noexcept { return decoder_.framing(); }
  [[nodiscard]] frame_gap gap() const noexcept { return decoder_.gap(); }
  [[nodiscard]] bool inside_element() const noexcept { return decoder_.inside_element(); }
  /// The type of the frame for an event of our own of this type: messages that contain encoded events all
  /// have one type.
  [[nodiscard]] std::string_view sent_type(std::string_view type) const noexcept {
    return item_.message != nullptr && !item_.message->encoded.empty() ? eventstream_chunk : type;
  }
  /// Returns true if `[DONE]` or the event that ends the stream has come.
  [[nodiscard]] bool done() const noexcept { return done_; }
  void reset() noexcept;

 private:
  /// The start of an event that a read cut off, while it may be a known event.
  struct cut_event {
    enum class state : std::uint8_t {
      none,
      waiting,  ///< for more bytes
      fed,      ///< more bytes have come: `rest`
      refused,  ///< the event is unknown: the decoder has `bytes` up to `rest`
      given,    ///< the event was complete and has been returned
    };
    state now{state::none};
    learned_event* known{};  ///< the event whose start `bytes` may be
    std::string bytes;
    std::string_view rest;
  };

  [[nodiscard]] bool begin_run() noexcept;
  void end_run() noexcept;
  void take_known(learned_event& known, bool lasting, event_reading& out);
  [[nodiscard]] bool find_next(event_reading& out);
  [[nodiscard]] bool decode_next(event_reading& out);
  [[nodiscard]] bool continue_cut(event_reading& out);
  void keep_cut(std::string_view in, learned_event& known);
  void note_text(const dialect_event& content) noexcept;
  void interpret(event_reading& out);
  void interpret_event(event_reading& out);
  void read_payload(event_reading& out);
  void read_oversize(event_reading& out);
  static void read_repeat_as_text(choice_event& found) noexcept;
  [[nodiscard]] bool too_many_choices() const noexcept;
  [[nodiscard]] bool is_cut(const frame& item);
  [[nodiscard]] bool ends_inside_block() const noexcept;

  const limits* bounds_;
  document* parsed_;
  dialect_event* content_;
  session_statistics* counts_;
  recognition recognition_;
  event_cache cache_;
  frame_decoder decoder_;
  frame item_;
  cut_event cut_;
  /// While known events follow one another, the bytes after them: the decoder skips all of them at once.
  /// Otherwise empty, at the last event that the cache was searched for and does not know.
  std::string_view rest_;
  status oversize_;  ///< the last event over the size limit
  bool done_{};      ///< see done()
  bool ended_{};     ///< the end of the stream has come
};

// The functions below run for each event that the cache knows.

inline void event_reader::take_known(learned_event& known, bool lasting, event_reading& out) {
  ++counts_->events;
  ++counts_->enveloped;
  out = {};
  out.kind = reading_kind::answer;
  out.item = &known.item;
  out.content = &known.content;
  out.shape = &known;
  out.lasting = lasting;
  if (!recognition_.texts_begun()) note_text(known.content);
}

/// Makes `rest_` the next bytes, if a known event may begin there.
inline bool event_reader::begin_run() noexcept {
  if (cut_.now != cut_event::state::none || done_ || ended_) return false;
  rest_ = decoder_.unread();
  return !rest_.empty();
}

/// Makes the decoder skip the events before `rest_`.
inline void event_reader::end_run() noexcept {
  const auto size = static_cast<std::size_t>(rest_.data() - decoder_.unread().data());
  if (size > 0) decoder_.skip(size);
  rest_ = rest_.substr(0, 0);
}

/// Looks for the next event in the cache. Keeps bytes that may be the start of a known event for the next
/// read.
inline bool event_reader::find_next(event_reading& out) {
  if (rest_.empty() && !begin_run()) return false;
  const cache_result found = cache_.find(rest_);
  if (found.known == nullptr) {
    const std::string_view in = rest_;
    end_run();
    if (found.cut != nullptr) keep_cut(in, *found.cut);
    return false;
  }
  const std::string_view raw = found.known->item.raw;
  rest_.remove_prefix(raw.size());
  // If bytes may be between two events (commas, the LF after a CR), the decoder continues.
  if (rest_.empty() || framing() == stream_framing::array || raw.back() == '\r') end_run();
  take_known(*found.known, true, out);
  return true;
}

}  // namespace citestream
