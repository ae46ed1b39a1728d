// A provider that divides an answer into texts repeats each text when it has ended, up to four times, and
// annotates it with positions in what it sent.
//
// Texts normally follow each other. If an earlier one goes on after another has begun, its repeats are still
// replaced, but its annotations keep their positions, and it gets none of ours.
//
// A repeat that is equal to the text received is replaced by the text sent. A repeat that differs stays as it
// is: nothing is known of it; egress, if it is on, checks it as a text of its own.
//
// Positions are converted when they are first sent. The end of a span in text that is still held back becomes
// the end of the text sent so far. Repeats of an annotation get the same positions.
//
// When a text has ended, our annotations follow those of the provider: one for each resolved citation of a
// page that the provider has not annotated.
#include "unit_rewriter.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "cite/url.hpp"
#include "rewrite/json.hpp"

namespace citestream {

namespace {

/// The text with this id; null if there is none.
unit_text* find(text_unit id, choice_state& one) noexcept {
  if (one.unit.id == id || id == last_text) return &one.unit;
  const auto at = one.ended.find(id);
  return at == one.ended.end() ? nullptr : &at->second;
}

bool is_received(std::string_view text, const unit_text& unit) noexcept {
  return unit.repeats.on() && unit.repeats.is_all(text, false);
}

/// The text that `found` repeats: the one with its id, or, because some servers count the parts of an item
/// differently, another one of this item. Null if there is none.
unit_text* repeated_by(const text_repeat& found, choice_state& one) noexcept {
  unit_text* const same = find(found.unit, one);
  if (!found.token || (same != nullptr && is_received(found.text, *same))) return same;
  const auto fits = [&](text_unit id, const unit_text& unit) {
    return id.item == found.unit.item && is_received(found.text, unit);
  };
  if (fits(one.unit.id, one.unit)) return &one.unit;
  constexpr std::size_t most = 16;  // parts of one item; recorded items have at most three
  auto at = one.ended.lower_bound({found.unit.item, 0});
  for (std::size_t tried = 0; at != one.ended.end() && tried < most; ++at, ++tried) {
    if (fits(at->first, at->second)) return &at->second;
  }
  return nullptr;
}

/// Converts the positions of an annotation to the text sent. What is after the text received stays as far
/// after it.
unit_annotations::span convert(const native_annotation& found, const answer& text, const unit_text& unit) {
  if (!text.may_edit()) return {found.start, found.end};
  const offset_unit in = found.counted_in;
  // A span is that of a marker, so blanks held back before it will be removed with it. A point is where the
  // provider has removed its marker. In a body, the whole text is known.
  const bool sent_only = found.end > found.start && unit.repeats.on();
  const std::uint64_t size =
      unit.repeats.on() ? unit.repeats.received().size().in(in) : text.received().in(in)-unit.received.in(in);
  const auto place = [&](std::uint64_t position, bool end) {
    const std::uint64_t within = std::min(position, size);
    const std::uint64_t at = text.released_position(unit.received.in(in) + within, in, end);
    const std::uint64_t from_start = at - std::min(at, unit.sent.in(in)) + (position - within);
    return sent_only && position == within ? std::min(from_start, unit.repeats.sent().size().in(in))
                                           : from_start;
  };
  const std::uint64_t start = place(found.start, false);
  return {start, std::max(start, place(found.end, found.end > found.start))};
}

void write(const native_annotation& found, const unit_annotations::span& place, splicer& edits) {
  if (found.start_token && place.first != found.start)
    edits.replace(*found.start_token, std::to_string(place.first));
  if (found.end_token && place.second != found.end)
    edits.replace(*found.end_token, std::to_string(place.second));
}

/// Adds our citations to the provider's list, or a list if there is none.
void add_ours(std::string_view payload, const text_repeat& found, const dialect& by,
              const std::vector<std::string>& ours, splicer& edits) {
  if (ours.empty() || (!found.list && !found.holder)) return;
  std::string json;
  for (const std::string& one : ours) json.append(json.empty() ? "" : ",").append(one);
  if (found.list && payload[found.list->begin] == '[')
    return edits.insert_elements(payload, *found.list, json);
  json.insert(0, 1, '[').push_back(']');
  if (found.list) return edits.replace(*found.list, json);
  edits.insert_member(payload, *found.holder, by.citations_name, json);
}

}  // namespace

/// Remembers the sources that an earlier payload lists. A later list may repeat those before it.
void unit_rewriter::note(const citation_lists& found, unit_annotations& known) {
  if (known.listed.size() > options_->bounds.max_references) return;
  std::vector<std::string> urls;
  for (const std::string_view url : found.sources) normalize_url(url, urls.emplace_back());
  const bool repeats = urls.size() >= known.listed.size() &&
                       std::equal(known.listed.begin(), known.listed.end(), urls.begin());
  if (repeats) known.listed.clear();
  known.listed.insert(known.listed.end(), urls.begin(), urls.end());
}

void unit_rewriter::note(const native_annotation& found, unit_text& unit) {
  unit_annotations& known = unit.annotations;
  const bool earlier = found.source.empty() && found.listed && *found.listed < known.listed.size();
  if (earlier && !known.listed[*found.listed].empty()) known.sources.insert(known.listed[*found.listed]);
  if (found.source.empty()) return;
  normalize_url(found.source, url_);
  unit.annotations.sources.insert(url_);
}

/// Collects our annotations of the current text.
void unit_rewriter::collect(choice_state& one) {
  unit_annotations& known = one.unit.annotations;
  const bool has_form = one.read_as->append_citation != nullptr;
  if (!has_form || !additions_->enabled() || !known.ours.empty() || one.unit.continued) return;
  const citations& cites = one.text.cites();
  const cited_text text{one.read_as->append_citation,   one.unit.id,        one.unit.sent,
                        one.unit.repeats.sent().text(), options_->file_url, 0};
  const auto annotated = [&](const reference& ref) {
    normalize_url(ref.url.empty() ? ref.id : ref.url, url_);
    return known.sources.contains(url_);
  };
  std::size_t bytes = 0;
  std::set<std::string> written;  // citations without positions may be equal
  for (std::size_t i = one.unit.first_citation; i < cites.all().size(); ++i) {
    if (bytes >= options_->bounds.max_addition_bytes) return;
    const reference* const best = cites.best(i);
    std::string json;
    if (best == nullptr || annotated(*best) || !append_own_citation(cites, i, text, json)) continue;
    if (!written.insert(json).second) continue;
    bytes += json.size();
    known.ours.push_back(std::move(json));
  }
}

void unit_rewriter::annotate(const choice_event& ended, choice_state& one, event_adder& adder,
                             event_output& out) {
  collect(one);
  const auto append = one.read_as->append_annotation;
  if (append == nullptr || adder.numbers().fixed()) return;
  std::size_t index = one.unit.annotations.count;
  std::vector<own_event> events;
  for (const std::string& json : one.unit.annotations.ours)
    append({one.unit.id, ended.item_id, index++, next_number_ + sent_++, adder.numbers().take(), json},
           events);
  for (const own_event& event : events) adder.add(event, out);
}

void unit_rewriter::renumber(std::string_view payload, const dialect_event& content, splicer& edits) {
  constexpr std::uint64_t most = std::uint64_t{1} << 53U;  // larger numbers are not exact in JavaScript
  if (!content.annotation_number) return;
  const std::string_view token =
      payload.substr(content.annotation_number->begin, content.annotation_number->size());
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), number);
  if (error != std::errc{} || stop != token.data() + token.size() || number > most) return;
  next_number_ = std::max(next_number_, number + 1);
  if (sent_ > 0) edits.replace(*content.annotation_number, std::to_string(number + sent_));
}

/// A repeat that differs from the text received has not passed the stages.
void unit_rewriter::guard(const std::optional<byte_range>& token, std::string_view text,
                          const choice_state& one, splicer& edits) {
  if (options_->egress == egress_mode::off || !token) return;
  const std::string_view guarded = others_->guarded(one.choice, text, one.text.cites());
  if (guarded != text) edits.replace_string(*token, guarded);
}

/// Converts the positions of an annotation and the words that it quotes. A quote that is not equal to the
/// words received stays as it is.
void unit_rewriter::convert_in_place(const native_annotation& found, const choice_state& one, unit_text& unit,
                                     splicer& edits) {
  if ((!found.start_token && !found.end_token) || unit.continued) return;
  native_annotation moved = found;
  if (moved.quote_token &&
      !find_quote(moved.start, moved.end, moved.quote, moved.counted_in, unit.repeats.received())) {
    ++unconverted_;
    return guard(found.quote_token, found.quote, one, edits);
  }
  convert_span(moved, one, unit, edits);
}

/// Converts the positions in the same way as before if they were sent before.
void unit_rewriter::convert_span(const native_annotation& found, const choice_state& one, unit_text& unit,
                                 splicer& edits) {
  const unit_annotations::span received{found.start, found.end};
  const auto known = unit.annotations.converted.find(received);
  const auto [first, last] =
      known != unit.annotations.converted.end()
          ? known->second
          : unit.annotations.converted.emplace(received, convert(found, one.text, unit)).first->second;
  write(found, {first, last}, edits);
  const repeated_text& both = unit.repeats;
  if (!found.quote_token) return;
  if (found.quote != both.received().part(found.start, found.end, found.counted_in))
    return guard(found.quote_token, found.quote, one, edits);
  const std::string_view words = both.sent().part(first, last, found.counted_in);
  if (words != found.quote) edits.replace_string(*found.quote_token, words);
}

/// The citations of ours that the lists of a payload get.
struct unit_rewriter::added_lists {
  std::map<std::string, std::size_t> known;  ///< index of each source, by its URL or JSON
  std::size_t count{};                       ///< of all sources
  std::string sources;
  std::string citations;
};

/// Adds citation \p index of the choice and its source, unless the provider cites the same page.
void unit_rewriter::list_citation(const choice_state& one, std::size_t index, added_lists& to) {
  const reference* const best = one.text.cites().best(index);
  if (best == nullptr) return;
  cited_text text{one.read_as->append_source,     one.unit.id,        one.unit.sent,
                  one.unit.repeats.sent().text(), options_->file_url, 0};
  std::string source;
  normalize_url(best->url, url_);
  if (one.unit.annotations.sources.contains(url_)) return;
  if (!append_own_citation(one.text.cites(), index, text, source)) return;
  const auto [at, added] = to.known.emplace(url_.empty() ? source : url_, to.count);
  text.append = one.read_as->append_citation;
  text.source = at->second;
  std::string citation;
  if (!append_own_citation(one.text.cites(), index, text, citation)) return;
  to.citations.append(to.citations.empty() ? "" : ",").append(citation);
  if (!added) return;
  ++to.count;
  to.sources.append(to.sources.empty() ? "" : ",").append(source);
}

void unit_rewriter::add_lists(std::string_view payload, const citation_lists& found, const choice_state& one,
                              splicer& edits) {
  if (one.read_as->append_source == nullptr || !additions_->enabled()) return;
  added_lists ours;
  const std::vector<std::string>& listed = one.unit.annotations.listed;
  if (listed.size() > options_->bounds.max_references) return;
  if (found.sources.empty() || found.cited > found.sources.size()) {  // indices continue
    for (const std::string& url : listed) ours.known.emplace(url, ours.count++);
  }
  for (const std::string_view url : found.sources) {
    normalize_url(url, url_);
    ours.known.emplace(url_, ours.count++);
  }
  for (std::size_t i = 0; i < one.text.cites().all().size(); ++i) {
    if (ours.sources.size() + ours.citations.size() < options_->bounds.max_addition_bytes)
      list_citation(one, i, ours);
  }
  if (ours.citations.empty()) return;
  std::string members;  // of the object with both lists
  const auto add = [&](const std::optional<byte_range>& list, std::string_view key, const std::string& json) {
    if (json.empty()) return;
    if (list) return edits.insert_elements(payload, *list, json);
    if (found.object) return edits.insert_member(payload, *found.object, key, "[" + json + "]");
    members.append(members.empty() ? "\"" : ",\"").append(key).append("\":[").append(json).append("]");
  };
  add(found.source_list, one.read_as->sources_name, ours.sources);
  add(found.citation_list, one.read_as->citations_name, ours.citations);
  if (!members.empty())
    edits.insert_member(payload, found.holder, one.read_as->lists_name, "{" + members + "}");
}

void unit_rewriter::rewrite_repeat(std::string_view payload, const dialect_event& content,
                                   const text_repeat& found, choice_state& one, splicer& edits) {
  unit_text* const unit = repeated_by(found, one);
  if (unit == nullptr || (found.token && !is_received(found.text, *unit)))
    return guard(found.token, found.text, one, edits);
  if (found.token && found.text != unit->repeats.sent().text())
    edits.replace(*found.token, unit->repeats.sent_json());
  for (std::size_t i = found.begin; i < found.end; ++i)
    convert_in_place(content.annotations[i], one, *unit, edits);
  add_ours(payload, found, *one.read_as, unit->annotations.ours, edits);
}

void unit_rewriter::rewrite_whole(std::string_view payload, const dialect_event& content, text_unit id,
                                  choice_state& one, splicer& edits) {
  for (const text_repeat& found : content.repeats) {
    if (found.unit != id) continue;
    for (std::size_t i = found.begin; i < found.end; ++i) note(content.annotations[i], one.unit);
    collect(one);
    rewrite_repeat(payload, content, found, one, edits);
  }
}

void unit_rewriter::rewrite(std::string_view payload, const dialect_event& content, choice_state& one,
                            splicer& edits) {
  if (one.choice == 0) {
    for (const text_repeat& found : content.repeats) rewrite_repeat(payload, content, found, one, edits);
  }
  if (!content.repeats.empty()) return;
  for (const native_annotation& found : content.annotations) {
    if (found.choice != one.choice) continue;
    unit_text* const unit = find(found.unit, one);
    if (unit == nullptr) {
      guard(found.quote_token, found.quote, one, edits);
      continue;
    }
    ++unit->annotations.count;
    note(found, *unit);
    convert_in_place(found, one, *unit, edits);
  }
  for (const citation_lists& found : content.lists) {
    if (found.choice != one.choice) continue;
    if (found.takes_ours) {
      add_lists(payload, found, one, edits);
    } else {
      note(found, one.unit.annotations);
    }
  }
}

}  // namespace citestream
