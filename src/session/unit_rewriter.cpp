// A provider that divides an answer into texts repeats each text when it has ended, up to four times, and
// annotates it with positions in what it sent.
//
// Texts normally follow each other. If an earlier one goes on after another has begun, it has several parts
// in the text of the choice. Its repeats and positions are rewritten in the same way.
//
// A repeat that is equal to the text received is replaced by the text sent. A repeat that differs is sent
// as it is, except that egress, if it is on, checks it as a text of its own.
//
// Positions are converted when they are first sent. The end of a span in text that is still held back becomes
// the end of the text sent so far. Repeats of an annotation get the same positions, unless it came before its
// text: its event then has the provider's positions, which nobody can convert yet.
//
// When a text has ended, our annotations follow those of the provider: one for each resolved citation of a
// page that the provider has not annotated. While the provider has not annotated anything, and no tool of its
// own has run, an event whose text is held or removed becomes the annotation of a citation before it.
#include "unit_rewriter.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "cite/url.hpp"
#include "rewrite/json.hpp"

namespace citestream {

namespace {

/// How much of documents is read to find quotes for the citations of one answer.
constexpr std::uint32_t max_quoted_kib = 16 * 1024;

/// How much of a reference append_own_citation() reads to find a quote, rounded up.
std::uint32_t read_kib(const reference& ref, std::uint32_t most) noexcept {
  return static_cast<std::uint32_t>(std::min<std::size_t>(ref.text.size() / 1024 + 1, most));
}

/// Begins the key of a source that has nothing but a title. It begins with U+001F, so it equals no URL or id.
constexpr std::string_view title_key = "\x1ft ";

/// The key of a source of the request in unit_annotations::sources. It begins with U+001F, so it equals no
/// URL or id.
std::string key_of(const request_place& place) {
  return std::string("\x1f").append(1, place.part == request_part::document ? 'd' : 's') +
         std::to_string(place.index);
}

/// The text with this id; null if there is none.
unit_text* find(text_unit id, choice_state& choice) noexcept {
  return id == last_text ? &choice.units.current : choice.units.find(id);
}

bool is_received(std::string_view text, const unit_text& unit) noexcept {
  return unit.repeats.on() && unit.repeats.is_all(text, false);
}

/// The text that `found` repeats: the one with its id, or, because some servers count items and parts
/// differently or not at all, another equal one, of this item if possible. Null if none fits.
unit_text* repeated_by(const text_repeat& found, choice_state& choice) noexcept {
  unit_text* const same = find(found.unit, choice);
  if (!found.token || (same != nullptr && is_received(found.text, *same))) return same;
  choice_texts& all = choice.units;
  const auto of_item = all.earlier.lower_bound({{found.unit.item, 0}, 0});
  for (auto first : {of_item, all.earlier.begin()}) {
    constexpr std::size_t most = 16;  // recorded items have at most three parts
    for (std::size_t tried = 0; first != all.earlier.end() && tried < most; ++first, ++tried) {
      if (is_received(found.text, first->second)) return &first->second;
    }
    if (is_received(found.text, all.current)) return &all.current;
  }
  return nullptr;
}

/// Converts a span of the text received, with positions in the unit \p in, to the text sent. A position past
/// the text received keeps its distance from the end.
unit_annotations::span convert(unit_annotations::span at, offset_unit in, const answer& text,
                               const unit_text& unit) {
  if (!text.may_edit()) return at;
  // A span covers a marker. Blanks that are held before it may still be removed, so the span ends at most
  // where the sent text ends. At a point there is no marker, and in a body nothing is held.
  const bool sent_only = at.second > at.first && unit.repeats.on();
  const std::uint64_t size =
      unit.repeats.on() ? unit.repeats.received().size().in(in) : text.received().in(in)-unit.received.in(in);
  const auto place = [&](std::uint64_t position, bool end) {
    const std::uint64_t within = std::min(position, size);
    const unit_part part = unit.part_at(within, in, end);
    const std::uint64_t before = part.received_before.in(in);
    const std::uint64_t sent =
        text.released_position(part.received.in(in) + within - std::min(within, before), in, end);
    const std::uint64_t from_start = unit.own_place(sent, in, end) + (position - within);
    return sent_only && position == within ? std::min(from_start, unit.repeats.sent().size().in(in))
                                           : from_start;
  };
  const std::uint64_t start = place(at.first, false);
  return {start, std::max(start, place(at.second, at.second > at.first))};
}

/// \param from  native_annotation::from in the sent text
void write(const native_annotation& found, unit_annotations::span place, std::uint64_t from, splicer& edits) {
  place = {place.first - std::min(place.first, from), place.second - std::min(place.second, from)};
  if (found.start_token && place.first != found.start - found.from)
    edits.replace(*found.start_token, std::to_string(place.first));
  if (!found.end_token || place.second == found.end - found.from) return;
  const std::uint64_t before = found.last_included && place.second > 0 ? 1 : 0;
  edits.replace(*found.end_token, std::to_string(place.second - before));
}

/// The index among the references of the choice of a source that a payload lists.
std::optional<std::uint32_t> reference_of(const citation_lists& found, std::size_t index,
                                          const dialect_event& content, const choice_state& choice) {
  const auto reference = index < found.references.size() ? found.references[index] : std::nullopt;
  return reference ? choice.text.cites().index_of(content.references[*reference].ref) : std::nullopt;
}

/// The elements from \p first to \p last, comma-separated.
std::string joined(const std::vector<std::string>& all, std::size_t first, std::size_t last) {
  std::string out;
  for (std::size_t i = first; i < last; ++i) out.append(out.empty() ? "" : ",").append(all[i]);
  return out;
}

/// Adds our citations to the provider's list, in the order of the events, or to a list that is written later.
void add_ours(std::string_view payload, const text_repeat& found, std::string_view name,
              const own_annotations& ours, new_lists& lists, splicer& edits) {
  if (ours.all.empty() || (!found.list && !found.holder)) return;
  if (found.list && payload[found.list->begin] == '[') {
    const std::size_t early = found.begin == found.end ? 0 : ours.early;
    const std::size_t first = found.list->begin + 1;
    if (early > 0) edits.replace({first, first}, joined(ours.all, 0, early) + ",");
    return edits.insert_elements(payload, *found.list, joined(ours.all, early, ours.all.size()));
  }
  lists.add(found.list ? *found.list : *found.holder, found.list ? std::string_view() : name,
            joined(ours.all, 0, ours.all.size()), found.moved);
}

}  // namespace

void new_lists::add(byte_range place, std::string_view name, std::string_view elements,
                    const moved_members& moved) {
  const auto same = std::ranges::find(all_, place, &new_list::place);
  if (same != all_.end()) {
    same->elements.append(",").append(elements);
  } else {
    all_.push_back({place, name, moved, std::string(elements)});
  }
}

void new_lists::write(std::string_view payload, splicer& edits) const {
  for (const new_list& one : all_) {
    const std::string json = "[" + one.elements + "]";
    if (one.name.empty()) {
      edits.replace(one.place, json);
    } else if (!one.moved.outer.empty()) {
      const auto quoted = [](std::string_view key) { return '"' + std::string(key) + "\":"; };
      const std::size_t first = one.place.begin + 1;
      const std::size_t last = one.place.end - 1;
      edits.replace({first, first}, quoted(one.moved.outer) + "{" + quoted(one.moved.inner) + "[{");
      edits.replace({last, last}, "}]," + quoted(one.name) + json + "}");
    } else {
      edits.insert_member(payload, one.place, one.name, json);
    }
  }
}

/// Where citation \p index is in the current text of a choice.
cited_text unit_rewriter::cited_in(const choice_state& choice, std::size_t index,
                                   bool (*append)(const own_citation&, std::string&)) const noexcept {
  const unit_text& unit = choice.units.current;
  const citation& cite = choice.text.cites().all()[index];
  return {append,
          unit.id,
          unit.own_span(cite.start, cite.end),
          unit.own_span(cite.claim_start, cite.claim_end),
          unit.repeats.sent().text(),
          options_->file_url};
}

/// Remembers the sources that an earlier payload lists. A later list may repeat those before it.
void unit_rewriter::note(const citation_lists& found, const dialect_event& content, choice_state& choice) {
  std::vector<listed_source>& listed = choice.units.current.annotations.listed;
  if (listed.size() > options_->bounds.max_references) return;
  std::vector<listed_source> more(found.sources.size());
  for (std::size_t i = 0; i < more.size(); ++i) {
    normalize_url(found.sources[i], more[i].url);
    more[i].reference = reference_of(found, i, content, choice);
  }
  const auto same = [](const listed_source& a, const listed_source& b) {
    return a.url == b.url && (!a.url.empty() || a.reference == b.reference);
  };
  const bool repeats =
      more.size() >= listed.size() && std::equal(listed.begin(), listed.end(), more.begin(), same);
  if (repeats) listed.clear();
  listed.insert(listed.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void unit_rewriter::note(const native_annotation& found, unit_text& unit) {
  unit_annotations& known = unit.annotations;
  const bool earlier = found.source.empty() && found.listed && *found.listed < known.listed.size();
  if (earlier && !known.listed[*found.listed].url.empty())
    known.sources.insert(known.listed[*found.listed].url);
  if (found.requested) known.sources.insert(key_of(*found.requested));
  if (found.source.empty()) return;
  normalize_url(found.source, url_);
  unit.annotations.sources.insert(url_);
}

/// Adds citation \p index to our annotations of the current text, unless the provider has annotated its
/// source. Returns false if its source is not known.
bool unit_rewriter::collect(choice_state& choice, std::size_t index) {
  own_annotations& ours = *choice.units.current.annotations.ours;
  cited_text text = cited_in(choice, index, choice.read_as->append_citation);
  const reference* const best = choice.text.cites().best(index);
  if (best == nullptr) return false;
  std::set<std::string>& sources = choice.units.current.annotations.sources;
  normalize_url(best->url.empty() ? best->id : best->url, url_);
  if (choice.read_as->shows_sources_once && url_.empty()) url_.assign(title_key).append(best->title);
  if (sources.contains(url_)) return true;
  if (best->requested && sources.contains(key_of(*best->requested))) return true;
  const bool quotes = choice.read_as->quotes_requests && choice.units.current.repeats.on();
  text.quotable = quotes ? std::size_t{max_quoted_kib - quoted_kib_} * 1024 : 0;
  std::string json;
  const bool written = append_own_citation(choice.text.cites(), index, text, json);
  if (text.quotable > 0 && best->requested) quoted_kib_ += read_kib(*best, max_quoted_kib - quoted_kib_);
  if (!written || !ours.written.insert(json).second) return true;
  if (choice.read_as->shows_sources_once) sources.insert(url_);
  ours.bytes += json.size();
  ours.all.push_back(std::move(json));
  return true;
}

/// Returns true if clients of the dialect show citations of ours.
bool unit_rewriter::takes_ours(const dialect& by) const noexcept {
  if (by.append_citation == nullptr || !additions_->enabled(by)) return false;
  return !by.cites_if_asked || options_->add == additions::always ||
         std::ranges::any_of(options_->references, &reference::citable);
}

/// Collects our annotations of the current text: of citations that have not been looked at, and if it has
/// \p ended also of those whose source was not known. Returns null if there are none.
own_annotations* unit_rewriter::collect(choice_state& choice, bool ended) {
  std::unique_ptr<own_annotations>& ours = choice.units.current.annotations.ours;
  if (!choice.units.current.has_places()) return ours.get();
  const std::size_t count = choice.text.cites().all().size();
  if (ours == nullptr) {
    if (count == choice.units.current.first_citation || !takes_ours(*choice.read_as)) return nullptr;
    ours = std::make_unique<own_annotations>();
    ours->next = choice.units.current.first_citation;
  }
  const auto has_room = [&] { return ours->bytes < options_->bounds.max_addition_bytes; };
  if (ended) {
    for (const std::size_t index : std::exchange(ours->unknown, {})) {
      if (has_room()) collect(choice, index);
    }
  }
  for (; ours->next < count && has_room(); ++ours->next) {
    if (choice.units.is_here(ours->next) && !collect(choice, ours->next)) ours->unknown.push_back(ours->next);
  }
  return ours.get();
}

void unit_rewriter::annotate(std::string_view item_id, choice_state& choice, event_adder& adder,
                             event_output& out) {
  own_annotations* const ours = collect(choice, true);
  const auto append = choice.read_as->append_annotation;
  if (ours == nullptr || append == nullptr || adder.numbers().fixed()) return;
  std::vector<own_event> events;
  for (; ours->sent < ours->all.size(); ++ours->sent)
    append({choice.units.current.id, item_id, choice.units.current.annotations.count + ours->sent,
            next_number_ + sent_++, adder.numbers().take(), ours->all[ours->sent]},
           events);
  for (const own_event& event : events) adder.add(event, out);
}

bool unit_rewriter::replace_text(const event_reading& one, choice_state& choice, event_adder& adder,
                                 event_output& out) {
  const dialect& by = *choice.read_as;
  const bool alone = one.content->choices.size() == 1 && one.item->kind == frame_kind::event;
  if (!by.annotation_replaces_text || annotated_ || !alone) return false;
  own_annotations* const ours = collect(choice, false);
  if (ours == nullptr || ours->sent == ours->all.size()) return false;
  const replaced_event event = adder.replaced(one);
  if (!event.root) return false;
  const std::string_view item =
      by.item_id_name.empty() ? std::string_view() : event.root[by.item_id_name].raw();
  std::vector<own_event> made;
  by.append_annotation({choice.units.current.id, item, ours->sent, next_number_ + sent_++,
                        adder.numbers().keep(event.root), ours->all[ours->sent]},
                       made);
  ours->early = ++ours->sent;
  adder.replace(event.item, made.front(), out);
  return true;
}

/// The number of our annotations that were sent before those of the provider in this text, or in all.
std::uint64_t unit_rewriter::sent_before(const dialect_event& content, choice_state* choice) const {
  if (choice == nullptr || !content.numbering.by_text || content.annotations.empty()) return sent_;
  const unit_text* const unit = find(content.annotations.front().unit, *choice);
  return unit == nullptr || unit->annotations.ours == nullptr ? 0 : unit->annotations.ours->early;
}

void unit_rewriter::renumber(std::string_view payload, const dialect_event& content, choice_state* choice,
                             splicer& edits) {
  constexpr std::uint64_t most = std::uint64_t{1} << 53U;  // larger numbers are not exact in JavaScript
  if (!content.numbering.token) return;
  const std::string_view token =
      payload.substr(content.numbering.token->begin, content.numbering.token->size());
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), number);
  if (error != std::errc{} || stop != token.data() + token.size() || number > most) return;
  next_number_ = std::max(next_number_, number + 1);
  const std::uint64_t before = sent_before(content, choice);
  if (before > 0) edits.replace(*content.numbering.token, std::to_string(number + before));
}

/// A repeat that differs from the text received has not passed the stages.
void unit_rewriter::guard(const std::optional<byte_range>& token, std::string_view text,
                          const choice_state& choice, splicer& edits) {
  if (options_->egress == egress_mode::off || !token) return;
  const std::string guarded = others_->guarded(choice.number, text, choice.text.cites());
  if (guarded != text) edits.replace_string(*token, guarded);
}

/// Converts the positions of an annotation and the words that it quotes. A quote that is not equal to the
/// words received stays as it is.
void unit_rewriter::convert_in_place(const native_annotation& found, const choice_state& choice,
                                     unit_text& unit, splicer& edits) {
  if (!found.start_token && !found.end_token) return;
  if (!unit.has_places()) {
    ++counts_->unconverted;
    return;
  }
  unit_annotations::span at{found.start, found.end};
  if (found.quote_token) {
    const auto quoted =
        find_quote(found.start, found.end, found.quote, found.counted_in, unit.repeats.received());
    const bool writable = quoted && (*quoted == found.start || found.start_token);
    if (writable) at = {*quoted, found.end + (*quoted - found.start)};
    if (!writable || found.quote != unit.repeats.received().part(at.first, at.second, found.counted_in)) {
      ++counts_->unconverted;
      return guard(found.quote_token, found.quote, choice, edits);
    }
    if (at.first != found.start && choice.text.unedited()) return;  // what does not change is not corrected
  }
  convert_span(found, at, choice, unit, edits);
}

/// Converts the positions in the same way as before if they were sent before. \p received: the span in the
/// text received, which differs from that of the annotation if its words are elsewhere.
void unit_rewriter::convert_span(const native_annotation& found, unit_annotations::span received,
                                 const choice_state& choice, unit_text& unit, splicer& edits) {
  const repeated_text& both = unit.repeats;
  const offset_unit in = found.counted_in;
  const auto known = unit.annotations.converted.find(received);
  const bool again = known != unit.annotations.converted.end();
  const auto place = again ? known->second : convert(received, in, choice.text, unit);
  const auto [first, last] = place;
  const bool has_come = !both.on() || received.second <= both.received().size().in(in);
  if (!again && has_come) unit.annotations.converted.emplace(received, place);
  const auto from = found.from == 0 ? place : convert({found.from, found.from}, in, choice.text, unit);
  write(found, place, found.from == 0 ? 0 : from.first, edits);
  if (!found.quote_token) return;
  const std::string_view words = both.sent().part(first, last, in);
  if (words != found.quote) edits.replace_string(*found.quote_token, words);
}

/// The citations of ours that the lists of a payload get.
struct unit_rewriter::added_lists {
  std::map<std::string, std::uint32_t> known;              ///< index of each source, by its URL or JSON
  std::vector<std::optional<std::uint32_t>> of_reference;  ///< the same, by its index in the references
  std::uint32_t count{};                                   ///< of all sources
  std::string sources;
  std::string citations;
};

/// Adds citation \p index of the choice and its source, unless the provider cites the same page.
void unit_rewriter::list_citation(const choice_state& choice, std::size_t index, added_lists& to) {
  const reference* const best = choice.text.cites().best(index);
  if (best == nullptr) return;
  cited_text text = cited_in(choice, index, choice.read_as->append_source);
  std::string source;
  normalize_url(best->url, url_);
  const auto reference = static_cast<std::uint32_t>(best - choice.text.cites().references().data());
  if (choice.units.current.annotations.sources.contains(url_) || choice.natives.cites(reference)) return;
  if (!append_own_citation(choice.text.cites(), index, text, source)) return;
  const auto listed = reference < to.of_reference.size() ? to.of_reference[reference] : std::nullopt;
  bool added = false;
  if (listed) {
    text.source = *listed;
  } else {
    const auto [at, is_new] = to.known.emplace(url_.empty() ? source : url_, to.count);
    text.source = at->second;
    added = is_new;
  }
  text.append = choice.read_as->append_citation;
  std::string citation;
  if (!append_own_citation(choice.text.cites(), index, text, citation)) return;
  to.citations.append(to.citations.empty() ? "" : ",").append(citation);
  if (!added) return;
  ++to.count;
  to.sources.append(to.sources.empty() ? "" : ",").append(source);
}

void unit_rewriter::add_lists(std::string_view payload, const citation_lists& found,
                              const dialect_event& content, const choice_state& choice, splicer& edits) {
  if (choice.read_as->append_source == nullptr || !additions_->enabled(*choice.read_as)) return;
  added_lists ours;
  const std::vector<listed_source>& listed = choice.units.current.annotations.listed;
  if (listed.size() > options_->bounds.max_references) return;
  const auto know = [&](const std::string& url, std::optional<std::uint32_t> reference) {
    ours.known.emplace(url, ours.count);
    const std::uint32_t index = ours.count++;
    if (!reference) return;
    if (ours.of_reference.size() <= *reference) ours.of_reference.resize(*reference + 1);
    if (!ours.of_reference[*reference]) ours.of_reference[*reference] = index;
  };
  if (found.sources.empty() || found.cited > found.sources.size()) {  // indices continue
    for (const listed_source& source : listed) know(source.url, source.reference);
  }
  for (std::size_t i = 0; i < found.sources.size(); ++i) {
    normalize_url(found.sources[i], url_);
    know(url_, reference_of(found, i, content, choice));
  }
  for (std::size_t i = 0; i < choice.text.cites().all().size(); ++i) {
    if (ours.sources.size() + ours.citations.size() < options_->bounds.max_addition_bytes)
      list_citation(choice, i, ours);
  }
  if (ours.citations.empty()) return;
  std::string members;  // of the object with both lists
  const auto add = [&](const std::optional<byte_range>& list, std::string_view key, const std::string& json) {
    if (json.empty()) return;
    if (list) return edits.insert_elements(payload, *list, json);
    if (found.object) return edits.insert_member(payload, *found.object, key, "[" + json + "]");
    members.append(members.empty() ? "\"" : ",\"").append(key).append("\":[").append(json).append("]");
  };
  add(found.source_list, choice.read_as->sources_name, ours.sources);
  add(found.citation_list, choice.read_as->citations_name, ours.citations);
  if (!members.empty())
    edits.insert_member(payload, found.holder, choice.read_as->lists_name, "{" + members + "}");
}

/// Rewrites a repeat of all texts.
void unit_rewriter::rewrite_all(const text_repeat& found, const choice_state& choice, splicer& edits) {
  std::string received;
  std::string sent;
  const auto add = [&](const unit_text& unit) {
    received += unit.repeats.received().text();
    sent += unit.repeats.sent().text();
  };
  const unit_text* now = &choice.units.current;
  for (const auto& [key, unit] : choice.units.earlier) {
    if (now != nullptr && now->id < unit.id) add(*std::exchange(now, nullptr));
    add(unit);
  }
  if (now != nullptr) add(*now);
  if (received == found.text) {
    if (found.token && sent != found.text) edits.replace_string(*found.token, sent);
    return;
  }
  ++counts_->unconverted;
  guard(found.token, found.text, choice, edits);
}

void unit_rewriter::rewrite_joined(const dialect_event& content, choice_state& choice, splicer& edits) {
  for (const text_repeat& found : content.repeats) {
    if (found.unit == all_texts) rewrite_all(found, choice, edits);
  }
}

void unit_rewriter::rewrite_repeat(std::string_view payload, const dialect_event& content,
                                   const text_repeat& found, choice_state& choice, new_lists& lists,
                                   splicer& edits) {
  if (found.unit == all_texts) return rewrite_all(found, choice, edits);
  unit_text* const unit = repeated_by(found, choice);
  if (unit == nullptr || (found.token && !is_received(found.text, *unit))) {
    // A text that was not sent before, or that may be about something else, is not a repeat that differs.
    if (find(found.unit, choice) != nullptr && found.unit != last_text) ++counts_->unconverted;
    return guard(found.token, found.text, choice, edits);
  }
  if (found.token && found.text != unit->repeats.sent().text())
    edits.replace(*found.token, unit->repeats.sent_json());
  for (std::size_t i = found.begin; i < found.end; ++i)
    convert_in_place(content.annotations[i], choice, *unit, edits);
  if (unit->annotations.ours != nullptr)
    add_ours(payload, found, choice.read_as->citations_name, *unit->annotations.ours, lists, edits);
}

void unit_rewriter::rewrite_whole(std::string_view payload, const dialect_event& content, text_unit id,
                                  choice_state& choice, new_lists& lists, splicer& edits) {
  for (const text_repeat& found : content.repeats) {
    if (found.unit != id) continue;
    for (std::size_t i = found.begin; i < found.end; ++i) note(content.annotations[i], choice.units.current);
    static_cast<void>(collect(choice, true));
    rewrite_repeat(payload, content, found, choice, lists, edits);
  }
}

void unit_rewriter::rewrite(std::string_view payload, const dialect_event& content, choice_state& choice,
                            new_lists& lists, splicer& edits) {
  if (choice.number == 0) {
    for (const text_repeat& found : content.repeats)
      rewrite_repeat(payload, content, found, choice, lists, edits);
  }
  if (!content.repeats.empty()) return;
  for (const native_annotation& found : content.annotations) {
    if (found.choice != choice.number) continue;
    unit_text* const unit = find(found.unit, choice);
    if (unit == nullptr) {
      guard(found.quote_token, found.quote, choice, edits);
      continue;
    }
    ++unit->annotations.count;
    note(found, *unit);
    convert_in_place(found, choice, *unit, edits);
  }
  for (const citation_lists& found : content.lists) {
    if (found.choice != choice.number) continue;
    if (found.takes_ours) {
      add_lists(payload, found, content, choice, edits);
    } else {
      note(found, content, choice);
    }
  }
}

}  // namespace citestream
