// How citations are joined with references.
//
// Each citation keeps the index of its identifier. identifier_table knows which references an identifier
// means, and its number. When all references have arrived, resolve() decides each citation; resolve_late()
// looks again at those that had none. A citation that the provider makes joins that of a marker at the same
// place (native_list), or is kept in a list of its own.
//
// Invariant: citations before `resolution_state::decided` are final, except that unresolved ones may still be
// resolved. Adding and resolving are linear, apart from sorting the matches.
#include <citestream/cite/citations.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/number_label.hpp"
#include "hash_table.hpp"
#include "identifier_table.hpp"
#include "native_list.hpp"
#include "reference_index.hpp"
#include "url.hpp"

namespace citestream {
namespace {

using cite_detail::identifier_entry;
using cite_detail::identifier_table;
using cite_detail::native_list;
using cite_detail::none;
using cite_detail::recycled;
using cite_detail::reference_index;

/// What was decided about the citations of markers.
struct resolution_state {
  std::size_t decided{};                  ///< citations before this one are not pending
  std::size_t changes{};                  ///< reference_index::changes() when they were decided
  std::vector<std::uint32_t> unresolved;  ///< see citations::unresolved()
  std::size_t unnumbered{};               ///< citations that are unresolved and have the number 0
};

/// The citations of the provider.
struct native_state {
  native_list list;
  std::uint32_t group{};        ///< of the citation that add_native() added last
  bool resolved_identifiers{};  ///< since the last resolve_late()
};

/// Returns true if a citation of the provider covers only the marker at \p marker. An annotation of a marker
/// may also cover, for example, a blank and a parenthesis next to it; other citations cover words.
bool covers_only(text_range marker, const placed_citation& one) noexcept {
  const std::uint64_t around = one.anchor == citation_anchor::marker ? 2 : 0;
  return marker.begin < one.received.end && one.received.begin < marker.end &&
         one.received.begin + around >= marker.begin && one.received.end <= marker.end + around;
}

}  // namespace

/// The data of an answer. It is created with the first citation or reference, because many answers are open
/// at once and most cite nothing for long.
struct citations::impl {
  impl(std::size_t max_references, std::size_t max_reference_bytes, bool repairs)
      : identifiers(max_references, max_reference_bytes, repairs) {}

  /// The citation of a marker that a citation of the provider joins.
  struct joined_native {
    citation* cite{};            ///< null: it joins no marker
    bool resolved_identifier{};  ///< this has resolved the identifier of the marker
  };

  [[nodiscard]] reference_index& refs() noexcept { return identifiers.references(); }
  [[nodiscard]] const reference_index& refs() const noexcept { return identifiers.references(); }
  /// The identifier of citation \p index.
  [[nodiscard]] identifier_entry& identifier(std::size_t index) noexcept {
    return identifiers[identifier_of[index]];
  }
  void note_source(std::uint32_t index);
  void decide(std::uint32_t index);
  void repair_by_title(std::uint32_t index);
  [[nodiscard]] std::string_view label(std::size_t index) const noexcept;
  void set_references(citation& cite, std::uint32_t list, match_kind match);
  void add_quoted(citation& cite, std::uint32_t ref);
  void list_unresolved();
  [[nodiscard]] joined_native join_native(const placed_citation& one);
  void reset() noexcept;

  identifier_table identifiers;
  recycled<citation> cites;
  std::vector<std::uint32_t> identifier_of;  ///< index in `identifiers`, by citation
  std::vector<text_range> received;          ///< the marker of each
  std::size_t citation_bytes{};              ///< size of labels, identifiers and markers
  /// Labels that differ from those shown, by citation, ascending.
  std::vector<std::pair<std::size_t, std::string>> hidden_labels;
  std::uint32_t groups{};              ///< number of groups of citations
  std::vector<std::uint32_t> sources;  ///< one citation for each number, ascending
  resolution_state resolution;
  native_state native;
};

/// Makes citation \p index represent its source if it is the first one, or the first resolved one.
void citations::impl::note_source(std::uint32_t index) {
  const std::uint32_t number = cites[index].number;
  if (number == 0) return;  // it has none yet
  const auto place =
      std::ranges::lower_bound(sources, number, {}, [&](std::uint32_t i) { return cites[i].number; });
  if (place == sources.end() || cites[*place].number != number) {
    sources.insert(place, index);
  } else if (cites[*place].status != citation_status::resolved &&
             cites[index].status == citation_status::resolved) {
    *place = index;
  }
}

/// The label of citation \p index as in the marker.
std::string_view citations::impl::label(std::size_t index) const noexcept {
  const auto found =
      std::ranges::lower_bound(hidden_labels, index, {}, [](const auto& one) { return one.first; });
  if (found != hidden_labels.end() && found->first == index) return found->second;
  return cites[index].label;
}

/// Resolves a citation whose label is the title of exactly one document.
void citations::impl::repair_by_title(std::uint32_t index) {
  const auto ref = identifiers.titled(label(index));
  if (!ref) return;
  const auto parts = refs().find(refs().all()[*ref].id, {}, 1);
  const std::uint32_t all = parts.newest == none ? none : refs().list(parts);
  const bool listed = all != none && std::ranges::find(refs().listed(all), *ref) != refs().listed(all).end();
  set_references(cites[index], listed ? all : refs().list_of(*ref), match_kind::repaired);
}

void citations::impl::set_references(citation& cite, std::uint32_t list, match_kind match) {
  cite.status = citation_status::resolved;
  refs().cite_list(list);
  cite.references = refs().listed(list);
  cite.type = refs().all()[cite.references.front()].type;
  cite.match = match;
}

/// Looks up the references of citation \p index, which has none yet. A citation that was printed without a
/// number gets one with its reference.
void citations::impl::decide(std::uint32_t index) {
  citation& cite = cites[index];
  identifier_entry& entry = identifier(index);
  identifiers.look_up(entry);
  cite.status = citation_status::unresolved;
  if (entry.list == none) {
    repair_by_title(index);
  } else {
    if (cite.identifier != entry.text) cite.identifier.assign(entry.text);
    set_references(cite, entry.list, entry.match);
  }
  if (cite.number == 0 && cite.status == citation_status::resolved)
    cite.number = identifiers.number_of(identifier_of[index], label(index));
  note_source(index);
}

/// Puts a passage that the provider quotes in front of the references of a marker, unless they have it.
void citations::impl::add_quoted(citation& cite, std::uint32_t ref) {
  constexpr std::size_t max_others = 15;  // citations do not share this list
  const std::span<const std::uint32_t> others = cite.references;
  const bool quotes = !refs().all()[ref].excerpts.empty() || refs().all()[ref].span;
  if (!quotes || std::ranges::find(others, ref) != others.end()) return;
  cite.references = refs().listed(refs().list_of(ref, others.first(std::min(others.size(), max_others))));
}

/// Lists the numbers of the sources for which no reference was found, and 0 for citations without a number.
void citations::impl::list_unresolved() {
  std::vector<std::uint32_t>& out = resolution.unresolved;
  out.clear();
  if (resolution.unnumbered > 0) out.push_back(0);
  for (const std::uint32_t i : sources) {
    if (cites[i].status == citation_status::unresolved) out.push_back(cites[i].number);
  }
}

/// Joins a citation of the provider with that of a marker, if there is one for it. An unresolved identifier
/// gets the reference that the provider cites at its marker, and this reference the number of the marker.
citations::impl::joined_native citations::impl::join_native(const placed_citation& one) {
  const reference& ref = refs().all()[one.reference];
  const native_list::markers_view markers{cites.all(), received, sources, refs().all()};
  native.list.update(markers);
  const std::uint32_t number = native.list.number_of(ref);
  citation* const same = number == 0 ? nullptr : native.list.joined_by(one, number, markers);
  if (same != nullptr || one.received.begin == one.received.end) return {same, false};
  for (const std::uint32_t i : native.list.overlapped(one.received, markers)) {
    identifier_entry& entry = identifier(i);
    if (!covers_only(received[i], one) || entry.list != none || cites[i].origin != citation_origin::marker)
      continue;
    entry.list = refs().list_of(one.reference);
    entry.match = match_kind::native;
    if (entry.number == 0) entry.number = cites[i].number;  // 0: it was not printed
    if (entry.number == 0) entry.number = number != 0 ? number : identifiers.next_number();
    if (number == 0) native.list.set_number(ref, entry.number);
    return {&cites[i], true};
  }
  return {};
}

void citations::impl::reset() noexcept {
  identifiers.clear();
  cites.clear();
  identifier_of.clear();
  received.clear();
  citation_bytes = groups = 0;
  hidden_labels.clear();
  sources.clear();
  resolution.decided = resolution.changes = resolution.unnumbered = 0;
  resolution.unresolved.clear();
  native.list.clear();
  native.resolved_identifiers = false;
}

citations::citations(const limits& bounds, bool repair)
    : bounds_{bounds.max_citations, bounds.max_citation_bytes, bounds.max_references,
              bounds.max_reference_bytes},
      repair_(repair) {}
citations::~citations() = default;
citations::citations(citations&&) noexcept = default;
citations& citations::operator=(citations&&) noexcept = default;

citations::impl& citations::make() {
  if (!impl_) impl_ = std::make_unique<impl>(bounds_.references, bounds_.reference_bytes, repair_);
  return *impl_;
}

std::uint32_t citations::number_of(std::string_view identifier, std::int64_t first_place,
                                   std::string_view label) {
  impl& in = make();
  const std::uint32_t index = in.identifiers.intern(identifier, first_place, bounds_.citations);
  return index != none ? in.identifiers.number_of(index, label) : 0;
}

bool citations::knows(std::string_view identifier, std::int64_t first_place) const {
  if (!impl_) return false;
  const std::string normal = is_web_url(identifier) ? normalized_url(identifier) : std::string();
  return impl_->refs().find(identifier, normal, first_place).newest != none;
}

bool citations::matches(std::string_view identifier, std::int64_t first_place, std::string_view label) {
  impl& in = make();
  const std::uint32_t index = in.identifiers.intern(identifier, first_place, bounds_.citations);
  if (index == none || in.identifiers.meaning(in.identifiers[index]).newest != none) return index != none;
  return in.identifiers.titled(label).has_value();
}

bool citations::has_room(std::size_t count, std::size_t bytes) const noexcept {
  const std::size_t cited = impl_ ? impl_->cites.size() : 0;
  const std::size_t taken = impl_ ? impl_->citation_bytes : 0;
  return count <= bounds_.citations - cited && bytes <= bounds_.citation_bytes - taken;
}

std::optional<std::size_t> citations::add(const new_citation& one) {
  impl& in = make();
  const shown_citation shown = one.shown.value_or(shown_citation{one.label, one.identifier});
  const bool hides_label = shown.label != one.label;
  const std::size_t bytes =
      one.label.size() + one.identifier.size() + one.marker.size() + (hides_label ? shown.label.size() : 0);
  if (!has_room(1, bytes)) return std::nullopt;
  if (hides_label) in.hidden_labels.emplace_back(in.cites.size(), one.label);
  in.citation_bytes += bytes;
  in.identifier_of.push_back(in.identifiers.intern(one.identifier, one.first_place, none));
  in.received.push_back(one.received);
  citation& cite = in.cites.take();
  if (!one.joins) ++in.groups;
  cite.number = one.number;
  cite.group = in.groups > 0 ? in.groups - 1 : 0;
  cite.label.assign(shown.label);
  cite.identifier.assign(shown.identifier);
  cite.marker.assign(one.marker);
  cite.start = one.place.start;
  cite.end = one.place.end;
  cite.claim_start = one.claim.start;
  cite.claim_end = one.claim.end;
  cite.origin = one.marker.empty() ? citation_origin::provider : citation_origin::marker;
  cite.anchor = one.marker.empty() ? citation_anchor::point : citation_anchor::marker;
  cite.status = citation_status::pending;
  cite.type.reset();
  cite.references = {};
  cite.match.reset();
  cite.native.json.clear();
  cite.native.unit.reset();
  cite.native.score.reset();
  cite.path = one.path;
  cite.finding.reset();
  in.note_source(static_cast<std::uint32_t>(in.cites.size() - 1));
  return in.cites.size() - 1;
}

std::string_view citations::label(std::size_t index) const noexcept {
  return impl_ ? impl_->label(index) : std::string_view();
}

bool citations::add_reference(const reference& ref) {
  return make().refs().add(ref);
}

void citations::resolve() {
  if (!impl_) return;
  impl& in = *impl_;
  resolution_state& state = in.resolution;
  const std::size_t before = state.decided;
  const bool all_resolved = state.unresolved.empty();
  for (; state.decided < in.cites.size(); ++state.decided) {
    in.decide(static_cast<std::uint32_t>(state.decided));
    if (in.cites[state.decided].number == 0) ++state.unnumbered;
  }
  if (before != state.decided) in.list_unresolved();
  if (all_resolved) state.changes = in.refs().changes();
}

std::vector<std::uint32_t> citations::resolve_late() {
  std::vector<std::uint32_t> late;
  if (!impl_) return late;
  impl& in = *impl_;
  resolution_state& state = in.resolution;
  const bool changed = !state.unresolved.empty() && state.changes != in.refs().changes();
  if (!std::exchange(in.native.resolved_identifiers, false) && !changed) return late;
  state.changes = in.refs().changes();
  for (std::uint32_t i = 0; i < state.decided; ++i) {
    if (in.cites[i].status != citation_status::unresolved) continue;
    const bool numbered = in.cites[i].number != 0;
    in.decide(i);
    if (in.cites[i].status != citation_status::resolved) continue;
    if (!numbered) --state.unnumbered;
    late.push_back(i);
  }
  if (late.empty()) return late;
  in.list_unresolved();
  in.native.list.reread_markers();
  return late;
}

std::span<const std::uint32_t> citations::references_of(std::size_t index) {
  impl& in = *impl_;  // there is a citation, so `impl_` is not null
  identifier_entry& entry = in.identifier(index);
  in.identifiers.look_up(entry);
  return entry.list == none ? std::span<const std::uint32_t>{} : in.refs().listed(entry.list);
}

void citations::set_finding(std::size_t index, std::shared_ptr<const claim_finding> found) {
  impl& in = *impl_;
  citation& cite = index < in.cites.size() ? in.cites[index] : in.native.list[index - in.cites.size()];
  cite.finding = std::move(found);
}

std::optional<std::uint32_t> citations::index_of(const reference& ref) const {
  const std::uint32_t found = impl_ ? impl_->refs().index_of(ref) : none;
  return found != none ? std::optional(found) : std::nullopt;
}

void citations::expect_native(const placed_citation& one, std::size_t first) {
  impl& in = *impl_;  // there is a reference, so `impl_` is not null
  const auto ends_before = [&](text_range marker) { return marker.end <= one.received.begin; };
  const auto begin = in.received.begin() + static_cast<std::ptrdiff_t>(std::min(first, in.received.size()));
  const auto found = std::partition_point(begin, in.received.end(), ends_before);
  if (found == in.received.end() || !covers_only(*found, one)) return;
  identifier_entry& entry = in.identifier(static_cast<std::size_t>(found - in.received.begin()));
  if (entry.annotated == none) entry.annotated = one.reference;
}

bool citations::add_native(const placed_citation& one) {
  impl& in = make();
  auto [cite, resolved_identifier] = in.join_native(one);
  in.native.resolved_identifiers |= resolved_identifier;
  const bool joined = cite != nullptr;
  in.refs().cite(one.reference);
  if (!joined) {
    const reference& ref = in.refs().all()[one.reference];
    if (in.native.list.number_of(ref) == 0) in.native.list.set_number(ref, in.identifiers.next_number());
    cite = &in.native.list.add(one, ref, in.native.list.number_of(ref));
    cite->group = one.joins ? in.native.group : in.groups++;
  } else {
    cite->origin = citation_origin::both;
    in.add_quoted(*cite, one.reference);
  }
  in.native.group = cite->group;
  cite->native.json.assign(one.json);
  cite->native.unit = one.unit;
  cite->native.score = one.score;
  cite->native.end_inclusive = one.end_inclusive;
  return !joined;
}

std::span<const citation> citations::native() const noexcept {
  return impl_ ? impl_->native.list.all() : std::span<const citation>();
}

std::span<const citation> citations::all() const noexcept {
  return impl_ ? impl_->cites.all() : std::span<const citation>();
}

std::span<const reference> citations::references() const noexcept {
  return impl_ ? impl_->refs().all() : std::span<const reference>();
}

std::span<const std::uint32_t> citations::uncited() const noexcept {
  return impl_ ? impl_->refs().uncited().list() : std::span<const std::uint32_t>();
}

std::span<const std::uint32_t> citations::unresolved() const noexcept {
  return impl_ ? std::span<const std::uint32_t>(impl_->resolution.unresolved)
               : std::span<const std::uint32_t>();
}

std::span<const std::uint32_t> citations::sources() const noexcept {
  return impl_ ? std::span<const std::uint32_t>(impl_->sources) : std::span<const std::uint32_t>();
}

const reference* citations::best(std::string_view identifier, std::int64_t first_place) const {
  if (!impl_ || impl_->refs().all().empty()) return nullptr;
  impl& in = *impl_;
  const std::uint32_t entry = in.identifiers.find(identifier, first_place);
  return entry != none ? in.identifiers.best(in.identifiers[entry]) : nullptr;
}

const reference* citations::best(std::size_t index) const {
  impl& in = *impl_;  // there is a citation, so `impl_` is not null
  const citation& cite = in.cites[index];
  if (!cite.references.empty()) return &in.refs().all()[cite.references.front()];
  if (cite.status != citation_status::pending) return nullptr;
  identifier_entry& entry = in.identifier(index);
  const reference* const known = in.identifiers.best(entry);
  return known == nullptr && entry.annotated != none ? &in.refs().all()[entry.annotated] : known;
}

bool citations::pending() const noexcept {
  return impl_ && impl_->resolution.decided < impl_->cites.size();
}

std::uint64_t citations::dropped_references() const noexcept {
  return impl_ ? impl_->refs().dropped() : 0;
}

std::string_view citations::page_title(std::uint32_t index) const noexcept {
  return impl_->refs().page_title(index);  // there is a reference, so `impl_` is not null
}

std::string_view citations::title(const citation& cite) const noexcept {
  if (!cite.label.empty()) return cite.label;
  if (!cite.references.empty()) {
    const reference& best = impl_->refs().all()[cite.references.front()];
    if (!best.title.empty()) return best.title;
    if (!best.url.empty()) return best.url;
    if (is_number_label(cite.identifier) && !best.id.empty()) return best.id;
  }
  return cite.identifier;
}

void citations::reset() noexcept {
  if (impl_) impl_->reset();
}

}  // namespace citestream
