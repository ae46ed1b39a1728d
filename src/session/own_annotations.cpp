// How our citations get into the lists of a provider.
//
// A citation is added once its reference is known, unless the provider cites the same one. They are
// compared by normalized URL, or without a URL by id, by place in the request or by title.
//
// Each citation is tried once when it is found, and again at the end of its text if its reference was still
// unknown. The size of what is added is bounded (max_addition_bytes), and so is the size of the documents in
// which quotes are searched for (max_quoted_kib).
#include "own_annotations.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "cite/url.hpp"

namespace citestream {

namespace {

/// How much of documents is read to find quotes for the citations of one answer.
constexpr std::uint32_t max_quoted_kib = 16 * 1024;

/// How much of a reference append_own_citation() reads to find a quote, rounded up.
std::uint32_t read_kib(const reference& ref, std::uint32_t most) noexcept {
  return static_cast<std::uint32_t>(std::min<std::size_t>(ref.text.size() / 1024 + 1, most));
}

// Keys in unit_annotations::annotated that begin with U+001F equal no URL and no id.

/// Begins the key of a source that has nothing but a title.
constexpr std::string_view title_key = "\x1ft ";

/// The key of a source of the request.
std::string key_of(const request_place& place) {
  return std::string("\x1f").append(1, place.part == request_part::document ? 'd' : 's') +
         std::to_string(place.index);
}

/// The index among the references of the choice of a source that a payload lists.
std::optional<std::uint32_t> reference_of(const citation_lists& found, std::size_t index,
                                          const dialect_event& content, const choice_state& choice) {
  if (index >= found.references.size()) return std::nullopt;
  return choice.answer.cites().index_of(content.references[found.references[index]].ref);
}

/// The elements from \p first to \p last, comma-separated.
std::string joined(const std::vector<std::string>& all, std::size_t first, std::size_t last) {
  std::string out;
  for (std::size_t i = first; i < last; ++i) out.append(out.empty() ? "" : ",").append(all[i]);
  return out;
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

void new_lists::write(splicer& edits) const {
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
      edits.insert_member(one.place, one.name, json);
    }
  }
}

void add_ours(const text_repeat& found, std::string_view name, const own_annotations& ours,
              event_edit& edit) {
  if (ours.all.empty() || (!found.list && !found.holder)) return;
  splicer& edits = edit.edits;
  if (found.list && edits.payload()[found.list->begin] == '[') {
    const std::size_t early = found.begin == found.end ? 0 : ours.early;
    const std::size_t first = found.list->begin + 1;
    if (early > 0) edits.replace({first, first}, joined(ours.all, 0, early) + ",");
    return edits.insert_elements(*found.list, joined(ours.all, early, ours.all.size()));
  }
  edit.lists.add(found.list ? *found.list : *found.holder, found.list ? std::string_view() : name,
                 joined(ours.all, 0, ours.all.size()), found.moved);
}

/// Where citation \p index is in the current text of a choice.
cited_text annotation_collector::cited_in(const choice_state& choice, std::size_t index,
                                          bool (*append)(const own_citation&, std::string&)) const noexcept {
  const choice_text& text = choice.units.current;
  const citation& cite = choice.answer.cites().all()[index];
  return {append,
          text.id,
          text.own_span(cite.start, cite.end),
          text.own_span(cite.claim_start, cite.claim_end),
          text.repeats.sent().text(),
          options_->file_url};
}

void annotation_collector::note_lists(const citation_lists& found, const dialect_event& content,
                                      choice_state& choice) const {
  std::vector<listed_reference>& listed = choice.units.current.annotations.listed;
  if (listed.size() > options_->bounds.max_references) return;
  std::vector<listed_reference> more(found.sources.size());
  for (std::size_t i = 0; i < more.size(); ++i) {
    more[i].url = normalized_url(found.sources[i]);
    more[i].reference = reference_of(found, i, content, choice);
  }
  const auto same = [](const listed_reference& a, const listed_reference& b) {
    return a.url == b.url && (!a.url.empty() || a.reference == b.reference);
  };
  const bool repeats =
      more.size() >= listed.size() && std::equal(listed.begin(), listed.end(), more.begin(), same);
  if (repeats) listed.clear();
  listed.insert(listed.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void annotation_collector::note_annotation(const native_annotation& found, choice_text& text) {
  unit_annotations& known = text.annotations;
  const bool earlier = found.source.empty() && found.listed && *found.listed < known.listed.size();
  if (earlier && !known.listed[*found.listed].url.empty())
    known.annotated.insert(known.listed[*found.listed].url);
  if (found.requested) known.annotated.insert(key_of(*found.requested));
  if (!found.source.empty()) known.annotated.insert(normalized_url(found.source));
}

/// Adds citation \p index to our annotations of the current text, unless the provider has annotated its
/// reference. Returns false if that is not known.
bool annotation_collector::collect_citation(choice_state& choice, std::size_t index) {
  own_annotations& ours = *choice.units.current.annotations.ours;
  cited_text text = cited_in(choice, index, choice.read_as->own.append);
  const reference* const best = choice.answer.cites().best(index);
  if (best == nullptr) return false;
  std::set<std::string>& annotated = choice.units.current.annotations.annotated;
  // Annotations of the provider name a source by its URL or id, so the key of native_list would not match.
  std::string name = normalized_url(best->url.empty() ? best->id : best->url);
  if (choice.read_as->own.shows_sources_once && name.empty()) name.append(title_key).append(best->title);
  if (annotated.contains(name)) return true;
  if (best->requested && annotated.contains(key_of(*best->requested))) return true;
  const bool quotes = choice.read_as->own.quotes_requests && choice.units.current.repeats.on();
  text.quotable = quotes ? std::size_t{max_quoted_kib - quoted_kib_} * 1024 : 0;
  std::string json;
  const bool written = append_own_citation(choice.answer.cites(), index, text, json);
  if (text.quotable > 0 && best->requested) quoted_kib_ += read_kib(*best, max_quoted_kib - quoted_kib_);
  if (!written || !ours.written.insert(json).second) return true;
  if (choice.read_as->own.shows_sources_once) annotated.insert(std::move(name));
  ours.bytes += json.size();
  ours.all.push_back(std::move(json));
  return true;
}

/// Returns true if clients of the dialect show citations of ours.
bool annotation_collector::takes_ours(const dialect& spec) const noexcept {
  if (spec.own.append == nullptr || !additions_->enabled(spec)) return false;
  return !spec.own.only_if_requested || options_->add == additions::always ||
         std::ranges::any_of(options_->references, &reference::citable);
}

own_annotations* annotation_collector::collect_new_citations(choice_state& choice, bool ended) {
  std::unique_ptr<own_annotations>& ours = choice.units.current.annotations.ours;
  if (!choice.units.current.has_places()) return ours.get();
  const std::size_t count = choice.answer.cites().all().size();
  if (ours == nullptr) {
    if (count == choice.units.current.first_citation || !takes_ours(*choice.read_as)) return nullptr;
    ours = std::make_unique<own_annotations>();
    ours->next = choice.units.current.first_citation;
  }
  const auto has_room = [&] { return ours->bytes < options_->bounds.max_addition_bytes; };
  if (ended) {
    for (const std::size_t index : std::exchange(ours->unknown, {})) {
      if (has_room()) collect_citation(choice, index);
    }
  }
  for (; ours->next < count && has_room(); ++ours->next) {
    if (choice.units.is_here(ours->next) && !collect_citation(choice, ours->next))
      ours->unknown.push_back(ours->next);
  }
  return ours.get();
}

/// The citations of ours that the lists of a payload get.
struct annotation_collector::added_lists {
  std::map<std::string, std::uint32_t> known;  ///< index of each source, by its URL or JSON
  std::vector<std::optional<std::uint32_t>>
      of_reference;       ///< index of each source, by its index in the references
  std::uint32_t count{};  ///< of all sources
  std::string sources;
  std::string citations;
};

/// Adds citation \p index of the choice and its source, unless the provider cites the same page.
void annotation_collector::list_citation(const choice_state& choice, std::size_t index,
                                         added_lists& to) const {
  const reference* const best = choice.answer.cites().best(index);
  if (best == nullptr) return;
  cited_text text = cited_in(choice, index, choice.read_as->own.append_source);
  std::string source;
  const std::string url = normalized_url(best->url);
  const auto reference = static_cast<std::uint32_t>(best - choice.answer.cites().references().data());
  if (choice.units.current.annotations.annotated.contains(url) || choice.natives.cites(reference)) return;
  if (!append_own_citation(choice.answer.cites(), index, text, source)) return;
  const auto listed = reference < to.of_reference.size() ? to.of_reference[reference] : std::nullopt;
  bool added = false;
  if (listed) {
    text.source = *listed;
  } else {
    const auto [at, is_new] = to.known.emplace(url.empty() ? source : url, to.count);
    text.source = at->second;
    added = is_new;
  }
  text.append = choice.read_as->own.append;
  std::string citation;
  if (!append_own_citation(choice.answer.cites(), index, text, citation)) return;
  to.citations.append(to.citations.empty() ? "" : ",").append(citation);
  if (!added) return;
  ++to.count;
  to.sources.append(to.sources.empty() ? "" : ",").append(source);
}

void annotation_collector::add_lists(const citation_lists& found, const choice_state& choice,
                                     const event_edit& edit) const {
  if (choice.read_as->own.append_source == nullptr || !additions_->enabled(*choice.read_as)) return;
  added_lists ours;
  const std::vector<listed_reference>& listed = choice.units.current.annotations.listed;
  if (listed.size() > options_->bounds.max_references) return;
  const auto know = [&](const std::string& url, std::optional<std::uint32_t> reference) {
    ours.known.emplace(url, ours.count);
    const std::uint32_t index = ours.count++;
    if (!reference) return;
    if (ours.of_reference.size() <= *reference) ours.of_reference.resize(*reference + 1);
    if (!ours.of_reference[*reference]) ours.of_reference[*reference] = index;
  };
  if (found.sources.empty() || found.cited > found.sources.size()) {  // indices continue
    for (const listed_reference& source : listed) know(source.url, source.reference);
  }
  for (std::size_t i = 0; i < found.sources.size(); ++i)
    know(normalized_url(found.sources[i]), reference_of(found, i, edit.content, choice));
  for (std::size_t i = 0; i < choice.answer.cites().all().size(); ++i) {
    if (ours.sources.size() + ours.citations.size() < options_->bounds.max_addition_bytes)
      list_citation(choice, i, ours);
  }
  if (ours.citations.empty()) return;
  std::string members;  // of the object with both lists
  const auto add = [&](const std::optional<byte_range>& list, std::string_view key, const std::string& json) {
    if (json.empty()) return;
    if (list) return edit.edits.insert_elements(*list, json);
    if (found.object) return edit.edits.insert_member(*found.object, key, "[" + json + "]");
    members.append(members.empty() ? "\"" : ",\"").append(key).append("\":[").append(json).append("]");
  };
  add(found.source_list, choice.read_as->own.sources_name, ours.sources);
  add(found.citation_list, choice.read_as->own.list_name, ours.citations);
  if (!members.empty())
    edit.edits.insert_member(found.holder, choice.read_as->own.lists_name, "{" + members + "}");
}

}  // namespace citestream
