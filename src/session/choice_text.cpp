// How texts of one choice are kept apart.
//
// Deltas extend the `current` text. When a text with another id begins, the current one moves to `earlier`,
// together with its end position. If more text with its id arrives before the provider has ended it, it moves
// back and continues. A text that was interrupted consists of several parts of the choice's text (`parts`),
// so its own positions are found by looking for the part first. Most choices have one text, and nothing of
// this happens.
#include "choice_text.hpp"

#include <algorithm>

#include "rewrite/json.hpp"

namespace citestream {

void repeated_text::start(std::string_view received, std::string_view sent) {
  on_ = true;
  receive(received);
  send(sent);
}

bool repeated_text::is_all(std::string_view all, bool grown) const noexcept {
  return all.size() == received_.text().size() && (grown || all == received_.text());
}

const std::string& repeated_text::sent_json() {
  add_passed();
  sent_json_.pop_back();
  append_json_body(std::string_view(sent_.text()).substr(escaped_), sent_json_);
  sent_json_.push_back('"');
  escaped_ = sent_.text().size();
  return sent_json_;
}

std::optional<std::uint64_t> find_quote(std::uint64_t start, std::uint64_t end, std::string_view quote,
                                        offset_unit unit, const indexed_text& text) {
  constexpr std::uint64_t farthest = 8;
  if (unit != offset_unit::utf8) return start;
  if (end - start != quote.size()) return std::nullopt;
  const auto fits = [&](std::uint64_t at) { return text.part(at, at + quote.size(), unit) == quote; };
  if (fits(start)) return start;
  for (std::uint64_t distance = 1; distance <= farthest; ++distance) {
    if (distance <= start && fits(start - distance)) return start - distance;
    if (fits(start + distance)) return start + distance;
  }
  return std::nullopt;
}

void repeated_text::reset() noexcept {
  on_ = differs_ = false;
  received_.clear();
  passed_ = escaped_ = 0;
  sent_.clear();
  sent_json_.assign("\"\"");
}

citation_path choice_text::path(const dialect& spec) const {
  if (spec.names.item.empty()) return {};
  citation_path out{spec.names.item, spec.names.part, {}, id.part, name};
  if ((name == nullptr || !spec.names.item_id.empty()) && id != only_text) out.item = id.item;
  return out;
}

void choice_text::reset() noexcept {
  id = {};
  name.reset();
  start = end = {};
  parts.clear();
  first_citation = 0;
  phase = unit_phase::open;
  not_of_model = consecutive = false;
  interrupted.reset();
  repeats.reset();
  annotations = {};
}

void choice_text::set_name(std::string_view json) {
  if (name == nullptr || *name != json) name = std::make_shared<const std::string>(json);
}

void choice_text::begin_part(const text_place& at) {
  if (!has_places()) return;
  if (parts.empty()) parts.push_back({.start = start});
  const text_part& last = parts.back();
  parts.push_back({.start = at,
                   .own = {last.own.received + (end.received - last.start.received),
                           last.own.printed + (end.printed - last.start.printed)}});
}

text_part choice_text::part_at(std::uint64_t position, offset_unit in, edit_side side) const noexcept {
  if (parts.empty()) return {.start = start};
  return *find_part(parts, position, side, [in](const text_part& one) { return one.own.received.in(in); });
}

std::uint64_t choice_text::own_place(std::uint64_t sent, offset_unit in, edit_side side) const noexcept {
  const text_part part =
      parts.empty()
          ? text_part{.start = start}
          : *find_part(parts, sent, side, [in](const text_part& one) { return one.start.printed.in(in); });
  return part.own.printed.in(in) + sent - std::min(sent, part.start.printed.in(in));
}

text_span choice_text::own_span(const text_offset& begin, const text_offset& last) const noexcept {
  const auto place = [this](const text_offset& at, edit_side side) {
    return text_offset{own_place(at.utf8, offset_unit::utf8, side),
                       own_place(at.utf16, offset_unit::utf16, side),
                       own_place(at.codepoint, offset_unit::codepoint, side)};
  };
  return {place(begin, edit_side::before), place(last, end_side(begin.utf8, last.utf8))};
}

choice_text* choice_texts::repeated_by(const text_repeat& found) noexcept {
  choice_text* const same = meant(found.unit);
  if (!found.token || (same != nullptr && same->is_received(found.text))) return same;
  const auto of_item = earlier.lower_bound({{found.unit.item, 0}, 0});
  for (auto first : {of_item, earlier.begin()}) {
    constexpr std::size_t most = 16;  // recorded items have at most three parts
    for (std::size_t tried = 0; first != earlier.end() && tried < most; ++first, ++tried) {
      if (first->second.is_received(found.text)) return &first->second;
    }
    if (current.is_received(found.text)) return &current;
  }
  return nullptr;
}

bool choice_texts::note_earlier(const unit_mark& mark) noexcept {
  choice_text* const at = mark.begins ? nullptr : find(mark.id);
  if (at == nullptr || at == &current || at->interrupted != nullptr) return false;
  if (mark.ends) at->phase = unit_phase::over;
  return true;
}

std::optional<unit_mark> choice_texts::admit(const unit_mark& mark, std::size_t max) noexcept {
  if (earlier.size() + 1 < max) return mark;
  choice_text* const same = find(mark.id);
  if (same == nullptr) return std::nullopt;
  if (same->phase == unit_phase::over) same->phase = unit_phase::ended;
  unit_mark continued = mark;
  continued.begins = false;
  return continued;
}

const choice_text* choice_texts::interrupted(text_unit not_this) const noexcept {
  const auto found = std::ranges::find_if(earlier, [&](const auto& one) {
    return one.second.interrupted != nullptr && one.second.id != not_this;
  });
  return found == earlier.end() ? nullptr : &found->second;
}

void choice_texts::begin(const unit_mark& mark, const text_place& at, std::size_t citations) {
  if (at.received != current.start.received || current.continued() || current.not_of_model ||
      current.interrupted) {
    cited_in.resize(citations, current.id);
    const text_key before{current.id, current.first_citation};
    current.end = at;
    earlier.emplace(before, std::exchange(current, {}));
  }
  const auto same = last_in(earlier, {mark.id, citations});
  if (same != earlier.end() && same->second.phase != unit_phase::over && !mark.begins) {
    current = std::move(earlier.extract(same).mapped());
    current.begin_part(at);
  } else {
    const bool renewed = same != earlier.end();
    if (renewed) same->second.phase = unit_phase::over;
    current.not_of_model = mark.not_of_model;
    current.name = renewed && !mark.begins ? same->second.name : nullptr;
    current.first_citation = citations;
  }
  current.id = mark.id;
  if (!mark.name.empty()) current.set_name(mark.name);
  current.start = at;
  current.phase = unit_phase::open;
}

void choice_texts::reset() noexcept {
  current.reset();
  earlier.clear();
  cited_in.clear();
}

}  // namespace citestream
