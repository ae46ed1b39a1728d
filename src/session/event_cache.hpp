// A cache in front of the reading of events: events like one that was parsed and read are not parsed again.
//
// What is remembered of an event is its envelope (chunk/envelope.hpp): the bytes around its texts. An event
// that an envelope matches has the reading of the event learned, with texts of its own, so that is what
// find() gives. Only events whose reading held nothing but texts are learned, and references that were known
// by then. The cache holds a few envelopes, the last one that matched in front, and rests where events are
// never alike.
//
// Of a reading from the cache `text`, `token`, `mirror` and `mirror_text` are those of the event found. Its
// other places are those of the event learned: restore() moves them.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/dialect/dialect.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chunk/envelope.hpp"
#include "sse/decoder.hpp"

namespace citestream {

// All text of a choice, as the events of one that repeat it had it last.
struct grown_text {
  std::uint32_t choice{};
  std::string text;
  std::string body;  // the same between the quotes of a JSON string
  bool is_all{};     // it was all that had come of the choice when it was learned
};

// An event whose reading was nothing but texts.
struct learned_event {
  explicit learned_event(std::size_t max_depth) noexcept : shape(max_depth) {}

  struct text {
    byte_range token;                  // in the payload learned
    std::optional<byte_range> mirror;  // the same
    std::string unescaped;             // reused
    grown_text* grown{};               // what its mirror repeats; null: nothing, or this text alone
  };

  envelope shape;
  byte_range data;         // in the event learned
  byte_range type;         // the same
  std::uint64_t number{};  // another one each time that it is learned
  std::vector<text> texts;
  sse_item item;          // the event found last; of its views only `raw` and `data` are set
  dialect_event content;  // its reading
};

class event_cache {
 public:
  // `small`: one of many that are at rest for most of the time; what learning needs is not kept.
  event_cache(const limits& bounds, bool small) noexcept : bounds_(&bounds), small_(small) {}

  [[nodiscard]] bool empty() const noexcept { return used_ == 0; }

  // The event at the start of `bytes`, read; null: none is known like it. Valid until the next call.
  [[nodiscard]] learned_event* find(std::string_view bytes);
  // Whether the bytes that find() or find_more() had last may be the start of an event that is known: no
  // event ends in them.
  [[nodiscard]] bool cut() const noexcept { return cut_ != nullptr; }
  // The same as find() of the bytes where that was cut, and more bytes after them.
  [[nodiscard]] learned_event* find_more(std::string_view bytes);
  // The size that the event which was cut probably has.
  [[nodiscard]] std::size_t expected() const noexcept { return cut_->shape.event().size(); }

  // Remembers an event that was parsed and read. `all`: for each choice of `read`, whether a mirror that
  // accumulates held all of its text; `open`: how many choices the stream has, each of which may have a shape
  // of its own. \return what was learned, or null: the event has not the form, or none was like another for
  // long.
  learned_event* learn(const sse_item& item, const dialect_event& read, const document& payload,
                       const std::vector<bool>& all, std::size_t open);

  // The event at `raw`, which matched, as the decoder would give it, and `own` as the dialect would.
  void restore(const learned_event& known, std::string_view raw, std::size_t text, sse_item& item,
               choice_event& own);

  // Nothing is known any more. Keeps capacity.
  void forget() noexcept {
    used_ = misses_ = resting_ = 0;
    cut_ = nullptr;
  }

 private:
  [[nodiscard]] bool list_holes(const sse_item& item, const dialect_event& read, const document& payload);
  [[nodiscard]] learned_event& place_for(const sse_item& item, std::size_t texts, std::size_t most);
  [[nodiscard]] grown_text& grown_of(std::uint32_t choice);
  void let_go();
  [[nodiscard]] bool rests(std::size_t most) noexcept;
  learned_event* found(std::size_t at, std::string_view raw);
  static void fill(learned_event& known, std::string_view raw);

  const limits* bounds_;
  bool small_;
  std::vector<std::unique_ptr<learned_event>> known_;  // the first `used_` are, the last one found in front
  std::size_t used_{};
  std::vector<std::unique_ptr<grown_text>> grown_;  // of choices whose events repeat their text
  std::uint64_t learned_{};
  learned_event* cut_{};   // the first whose envelope ran out of bytes that fit
  std::size_t misses_{};   // events learned since one matched
  std::size_t resting_{};  // parsed events that are neither learned nor compared now
  std::vector<envelope_hole> holes_;
  std::vector<unread_value> unread_;
  std::vector<byte_range> located_;
};

}  // namespace citestream
