/// \file
/// A cache in front of the JSON parser: an event that has the shape of an earlier one is not parsed again.
///
/// The events of one stream usually differ only in their text and in a few fields such as counters. After an
/// event has been parsed, the cache keeps its envelope (chunk/envelope.hpp): the bytes around its texts. If a
/// later event matches an envelope, its content is that of the learned event with the new texts filled in.
/// Only events that contain nothing but texts are learned, apart from references that were already known.
///
/// Binary messages are not learned: their lengths and CRCs differ with every text.
///
/// The cache holds a few envelopes, the one that matched last first. If events never match, it pauses.
///
/// In each choice_event that find() returns, only `text`, `token` and `mirror` belong to the
/// event found. All other positions are still those of the learned event; restore() converts them.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chunk/envelope.hpp"
#include "chunk/json_scan.hpp"
#include "framing/frame.hpp"

namespace citestream {

/// The whole text of a choice so far, taken from events that repeat it.
struct grown_text {
  std::uint32_t choice{};
  std::string text;
  std::string body;  ///< `text`, JSON-escaped
  bool is_all{};     ///< when this was learned, it was equal to all text received for the choice

  /// Adds a delta. Returns the whole text.
  std::string_view add(std::string_view delta, std::string_view escaped) {
    body.append(escaped);
    return text.append(delta);
  }
};

/// An event that contained nothing but texts.
struct learned_event {
  explicit learned_event(std::size_t max_depth) noexcept : shape(max_depth) {}

  struct text {
    byte_range token;                  ///< in the payload of the learned event
    std::optional<byte_range> mirror;  ///< in the payload of the learned event
    std::string unescaped;             ///< reused
    grown_text* grown{};  ///< the text that the mirror repeats; null if it repeats at most this delta
  };

  envelope shape;
  byte_range data;         ///< the `data` value, in the learned event
  byte_range type;         ///< the event type, in the learned event
  std::uint64_t number{};  ///< changes each time an event is learned
  std::vector<text> texts;
  frame item;             ///< the event found last; only the views `raw` and `data` are set
  dialect_event content;  ///< the content of the event found last
};

/// The result of a look-up.
struct cache_result {
  learned_event* known{};  ///< the event at their start; null: none
  learned_event* cut{};    ///< if `known` is null: an event that the bytes may be the start of; null: none
};

/// The cache of one stream.
class event_cache {
 public:
  /// \param small  for one of many sessions that are mostly idle: frees the buffers for learning after use
  event_cache(const limits& bounds, bool small) noexcept : bounds_(&bounds), small_(small) {}

  /// Events with more texts are not learned.
  static constexpr std::size_t max_texts = 64;
  using text_bits = std::bitset<max_texts>;

  /// Looks up the event at the start of `bytes`. The result is valid until the next call.
  [[nodiscard]] cache_result find(std::string_view bytes);
  /// Repeats a search whose result was `cut`. `bytes` are the same bytes followed by more.
  [[nodiscard]] cache_result find_more(std::string_view bytes, learned_event& cut);

  /// Learns an event that was parsed.
  /// \param all  for each choice of `read`: its accumulating mirror was equal to all text received so far
  /// \param open  number of choices in the stream; each may have an envelope of its own
  /// \return what was learned; null if the event is not suitable, or while the cache pauses
  learned_event* learn(const frame& item, const dialect_event& read, const document& payload, text_bits all,
                       std::size_t open);

  /// Rebuilds the event at `raw`, which matched: `item` as the decoder would return it, and `own` as the
  /// dialect would for text number `text`.
  void restore(const learned_event& known, std::string_view raw, std::size_t text, frame& item,
               choice_event& own);

  /// Forgets all envelopes. Keeps capacity.
  void forget() noexcept { used_ = misses_ = pause_left_ = 0; }
  /// Finds and learns nothing until forget().
  void turn_off() noexcept {
    forget();
    pause_left_ = ~std::size_t{0};
  }

 private:
  /// Result of a comparison with one or all events.
  struct match_result {
    std::size_t size{};    ///< of the event that matches; 0: none
    learned_event* cut{};  ///< if `size` is 0: see cache_result
  };

  [[nodiscard]] bool list_text(const frame& item, const dialect_event& read, std::uint32_t index);
  [[nodiscard]] bool list_holes(const frame& item, const dialect_event& read, const document& payload);
  [[nodiscard]] learned_event& place_for(const frame& item, std::size_t texts, std::size_t most);
  [[nodiscard]] grown_text& grown_of(std::uint32_t choice);
  void free_buffers();
  [[nodiscard]] bool pauses(std::size_t most) noexcept;
  [[nodiscard]] match_result match(learned_event& known, std::string_view bytes) const;
  [[nodiscard]] match_result search(std::string_view bytes, learned_event* cut);
  void move_to_front(std::size_t at);
  learned_event* found(std::string_view raw);
  static void fill(learned_event& known, std::string_view raw);

  const limits* bounds_;
  bool small_;
  std::vector<std::unique_ptr<learned_event>> known_;  ///< `used_` of them, the last match first
  std::size_t used_{};
  std::vector<std::unique_ptr<grown_text>> grown_;  ///< for choices whose events repeat their text
  std::uint64_t learned_{};
  std::size_t misses_{};      ///< events tried since the last match
  std::size_t pause_left_{};  ///< while the cache pauses: parsed events still to be ignored
  std::vector<envelope_hole> holes_;
  std::vector<unread_value> unread_;
  std::vector<byte_range> located_;
};

// The functions below run for each event. They are inline because a call costs as much as they do.

/// Fills in the texts of the event at `raw`, which the envelope of `known` has matched.
inline void event_cache::fill(learned_event& known, std::string_view raw) {
  const std::size_t begin = known.data.begin;
  const std::size_t after = known.shape.event().size() - known.data.end;
  known.item.raw = raw;
  known.item.data = {raw.data() + begin, raw.size() - begin - after};
  const envelope_text* found = known.shape.texts().data();
  learned_event::text* kept = known.texts.data();
  for (choice_event& read : known.content.choices) {
    // Equal to `found->body`. The members of that were written one by one just before, so a copy of both at
    // once stalls the processor (1 % of the time).
    std::string_view text{raw.data() + found->token.begin + 1, found->token.size() - 2};
    if (found->escaped) {
      kept->unescaped.clear();
      json_scan::append_unescaped(text, kept->unescaped);
      text = kept->unescaped;
    }
    read.text = text;
    read.token = {found->token.begin - begin, found->token.end - begin};
    if (read.mirror.token) {
      read.mirror.token = byte_range{found->other.begin - begin, found->other.end - begin};
      read.mirror.text = kept->grown == nullptr ? text : kept->grown->add(text, found->body);
    }
    ++found;
    ++kept;
  }
}

/// Fills the first event, which has matched.
inline learned_event* event_cache::found(std::string_view raw) {
  learned_event& known = *known_.front();
  misses_ = 0;
  fill(known, raw);
  return &known;
}

/// Compares the event at the start of `bytes` with the shape of `known`.
inline event_cache::match_result event_cache::match(learned_event& known, std::string_view bytes) const {
  const envelope_match found = known.shape.match(bytes);
  if (found.size > 0) return {found.size <= bounds_->max_event_bytes ? found.size : 0, nullptr};
  return {0, found.cut ? &known : nullptr};
}

[[gnu::always_inline]] inline cache_result event_cache::find(std::string_view bytes) {
  if (pause_left_ > 0 || used_ == 0) return {};
  match_result one = match(*known_.front(), bytes);
  if (one.size == 0) one = search(bytes, one.cut);
  if (one.size == 0) return {nullptr, one.cut};
  return {found(bytes.substr(0, one.size)), nullptr};
}

}  // namespace citestream
