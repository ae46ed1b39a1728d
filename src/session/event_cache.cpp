// How the cache works.
//
// find() compares the bytes with each envelope in turn, most recent match first, and moves the one that
// matches to the front. fill() then takes the texts from the holes of the envelope. learn() lists the holes
// of a parsed event: texts, their repeats, and every value that was not read (document::unread). If an
// envelope has the same fixed bytes, it is adapted: values that differ become holes that may vary. Otherwise
// a new envelope replaces the one that has not matched for the longest time.
//
// Invariant: the content returned is the same as that of a parse; chunk/envelope.hpp has the proof. A stream
// whose events never match, by chance or by intent, costs little more than its parsing, because learning
// pauses.
#include "event_cache.hpp"

#include <algorithm>
#include <bit>

#include "base/compact_sort.hpp"

namespace citestream {

namespace {

/// The largest recorded events have 8 KiB and 50 unread values. Larger events are always parsed.
constexpr std::size_t max_learned_bytes = 64 * 1024;
constexpr std::size_t max_holes = 512;
/// Each choice gets an envelope of its own, up to this number. Further choices share them. An envelope that
/// does not match costs little: the comparison ends at the index of the choice.
constexpr std::size_t max_choice_envelopes = 64;
/// An event that matches no envelope is compared with all of them.
constexpr std::size_t most_envelopes = 1024;
/// Learning pauses when this many events in a row, plus two for each envelope (the second shows what varies)
/// and `tries`, were tried without a match. The first pause lasts two events, the longest `longest_pause`.
/// After each pause, `tries` events are tried.
constexpr std::size_t least_patience = 16;
constexpr std::size_t tries = 4;
constexpr std::size_t longest_pause = 256;

byte_range shifted(byte_range place, std::size_t offset) noexcept {
  return {place.begin + offset, place.end + offset};
}

byte_range body_of(byte_range token) noexcept {
  return {token.begin + 1, token.end - 1};
}

byte_range place_of(std::string_view part, std::string_view whole) noexcept {
  if (part.empty()) return {};
  const auto begin = static_cast<std::size_t>(part.data() - whole.data());
  return {begin, begin + part.size()};
}

}  // namespace

cache_result event_cache::find_more(std::string_view bytes, learned_event& cut) {
  const envelope_match more = cut.shape.resume(bytes);
  if (more.cut && bytes.size() <= bounds_->max_event_bytes) return {nullptr, &cut};
  if (more.size == 0 || more.size > bounds_->max_event_bytes)
    return find(bytes);  // the event may match another envelope
  std::size_t at = 0;
  while (known_[at].get() != &cut) ++at;
  move_to_front(at);
  return {found(bytes.substr(0, more.size)), nullptr};
}

void event_cache::move_to_front(std::size_t at) {
  const auto place = known_.begin() + static_cast<std::ptrdiff_t>(at);
  std::rotate(known_.begin(), place, place + 1);
}

/// Matches all events but the first. Moves the one that matches to the front. \p cut: the first event, if the
/// bytes may be its start.
event_cache::match_result event_cache::search(std::string_view bytes, learned_event* cut) {
  for (std::size_t i = 1; i < used_; ++i) {
    const match_result one = match(*known_[i], bytes);
    if (cut == nullptr) cut = one.cut;
    if (one.size == 0) continue;
    move_to_front(i);
    return one;
  }
  return {0, bytes.size() > bounds_->max_event_bytes ? nullptr : cut};
}

grown_text& event_cache::grown_of(std::uint32_t choice) {
  for (const auto& one : grown_) {
    if (one->choice == choice) return *one;
  }
  grown_.push_back(std::make_unique<grown_text>());
  grown_.back()->choice = choice;
  return *grown_.back();
}

/// Adds the holes of the text \p index and of its mirror. Returns false if they are not all that its choice
/// has in the event.
bool event_cache::list_text(const frame& item, const dialect_event& read, std::uint32_t index) {
  const choice_event& found = read.choices[index];
  if (!found.independent_of_text || found.slot != text_slot::string || found.end.here) return false;
  const byte_range body = shifted(body_of(found.token), item.data_offset);
  holes_.push_back({hole_kind::text, body, index, 0, nullptr, false});
  if (!found.mirror.token) return true;
  const byte_range mirror = shifted(body_of(*found.mirror.token), item.data_offset);
  if (!found.mirror.accumulates) {
    holes_.push_back({hole_kind::same, mirror, index, 0, nullptr, false});
    return item.raw.substr(body.begin, body.size()) == item.raw.substr(mirror.begin, mirror.size());
  }
  // A mirror is compared with the text before this event. With two deltas for one choice, the first would
  // already have extended that text.
  if (std::ranges::count(read.choices, found.choice, &choice_event::choice) > 1) return false;
  holes_.push_back({hole_kind::grown, mirror, index, 0, &grown_of(found.choice).body, false});
  return true;
}

/// Lists the holes of an event. Returns false if the event contains anything but texts.
bool event_cache::list_holes(const frame& item, const dialect_event& read, const document& payload) {
  holes_.clear();
  if (!read.cited.empty()) return false;
  for (std::uint32_t i = 0; i < read.choices.size(); ++i) {
    if (!list_text(item, read, i)) return false;
  }
  payload.unread(unread_);
  for (const unread_value& value : unread_) {
    const byte_range place = shifted(value.place, item.data_offset);
    if (!value.reached) {
      holes_.push_back({hole_kind::value, place, 0, value.depth, nullptr, false});
    } else if (value.kind == json_kind::string) {
      holes_.push_back({hole_kind::string, body_of(place), 0, 0, nullptr, false});
    } else {
      holes_.push_back({hole_kind::number, place, 0, 0, nullptr, false});
    }
  }
  if (holes_.size() > max_holes) return false;
  const auto fits = [&](const envelope_hole& one) {
    return envelope::fits(one, item.raw, bounds_->max_json_depth);
  };
  if (!std::ranges::all_of(holes_, fits)) return false;
  compact_sort(holes_, [](const auto& a, const auto& b) { return a.place.begin < b.place.begin; });
  // Holes must not touch: at least one fixed byte is between two of them.
  const auto touch = [](const auto& a, const auto& b) { return a.place.end >= b.place.begin; };
  return std::ranges::adjacent_find(holes_, touch) == holes_.end();
}

/// Returns the entry for the envelope in `holes_`: the entry with the same envelope, adapted, or the one that
/// has not matched for the longest time.
learned_event& event_cache::place_for(const frame& item, std::size_t texts, std::size_t most) {
  std::size_t at = 0;
  while (at < used_ && !known_[at]->shape.adapt(item.raw, holes_, texts)) ++at;
  const bool adapted = at < used_;
  if (!adapted) {
    if (used_ < most) ++used_;
    at = used_ - 1;
    if (used_ > known_.size()) known_.push_back(std::make_unique<learned_event>(bounds_->max_json_depth));
    known_[at]->shape.learn(item.raw, holes_, texts);
  }
  move_to_front(at);
  return *known_.front();
}

/// Returns true if this event is not worth learning because learned events have not matched for a long time.
bool event_cache::pauses(std::size_t most) noexcept {
  if (pause_left_ > 0) {
    --pause_left_;
    return true;
  }
  const std::size_t patience = least_patience + 2 * most;
  ++misses_;
  if (misses_ > patience && (misses_ - patience) % tries == 0) {
    const std::size_t rounds = (misses_ - patience) / tries;
    pause_left_ = rounds < std::bit_width(longest_pause) ? std::size_t{1} << rounds : longest_pause;
  }
  return false;
}

/// Frees the buffers for learning if this is one of many sessions.
void event_cache::free_buffers() {
  if (!small_) return;
  std::vector<envelope_hole>().swap(holes_);
  std::vector<unread_value>().swap(unread_);
}

learned_event* event_cache::learn(const frame& item, const dialect_event& read, const document& payload,
                                  text_bits all, std::size_t open) {
  const std::size_t most =
      std::min(bounds_->max_envelopes, most_envelopes) + std::min(open, max_choice_envelopes) - 1;
  const std::size_t texts = read.choices.size();
  if (bounds_->max_envelopes == 0 || item.kind != frame_kind::event || item.lines != nullptr ||
      item.message != nullptr || item.raw.size() > max_learned_bytes ||
      item.raw.starts_with(byte_order_mark) || texts == 0 || texts > max_texts || pauses(most) ||
      !list_holes(item, read, payload)) {
    free_buffers();
    return nullptr;
  }
  learned_event& known = place_for(item, texts, most);
  free_buffers();
  known.number = ++learned_;
  known.data = place_of(item.data, item.raw);
  known.type = place_of(item.event, item.raw);
  known.item.kind = frame_kind::event;
  known.item.data_offset = item.data_offset;
  known.content.choices = read.choices;
  known.texts.resize(texts);
  for (std::size_t i = 0; i < texts; ++i) {
    choice_event& one = known.content.choices[i];
    one.text = one.mirror.text = one.end.reason = {};  // views of the payload, which becomes invalid
    one.unit.name = {};
    learned_event::text& text = known.texts[i];
    text.token = one.token;
    text.mirror = one.mirror.token;
    text.grown = nullptr;
    if (!one.mirror.token || !one.mirror.accumulates) continue;
    const byte_range body = body_of(*one.mirror.token);
    grown_text& grown = grown_of(one.choice);
    grown.text.assign(read.choices[i].mirror.text);
    grown.body.assign(item.data.substr(body.begin, body.size()));
    grown.is_all = all[i];
    text.grown = &grown;
  }
  return &known;
}

void event_cache::restore(const learned_event& known, std::string_view raw, std::size_t text, frame& item,
                          choice_event& own) {
  known.shape.locate(raw, located_);
  const auto bytes_of = [&](byte_range place) {
    const byte_range now = known.shape.moved(place, located_);
    return raw.substr(now.begin, now.size());
  };
  item = {};
  item.kind = frame_kind::event;
  item.raw = raw;
  item.data = bytes_of(known.data);
  item.event = bytes_of(known.type);
  item.data_offset = place_of(item.data, raw).begin;
  own = known.content.choices[text];
  own.text = own.mirror.text = {};
  own.token = known.texts[text].token;
  own.mirror.token = known.texts[text].mirror;
  const auto move = [&](byte_range& place) {
    const byte_range now = known.shape.moved(shifted(place, known.data.begin), located_);
    place = {now.begin - item.data_offset, now.end - item.data_offset};
  };
  move(own.token);
  for (auto* place :
       {&own.mirror.token, &own.holder.object, &own.holder.annotations, &own.holder.message_annotations}) {
    if (*place) move(**place);
  }
}

}  // namespace citestream
