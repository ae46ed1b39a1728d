// How citations are numbered and joined.
//
// Identifiers are interned: each distinct spelling has one entry, which holds its number and, once looked up,
// its list of references. Spellings of one URL are several entries with one number. reference_index finds the
// references that an identifier means.
//
// Invariants: citations before `decided` are final, except that unresolved ones may still be resolved. Hashes
// are keyed per object, so a model or provider cannot choose colliding keys. Adding and resolving are linear,
// apart from sorting the matches.
#include <citestream/cite/citations.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hash_table.hpp"
#include "keyed_hash.hpp"
#include "native_list.hpp"
#include "reference_index.hpp"
#include "repair.hpp"
#include "url.hpp"

namespace citestream {
namespace {

using cite_detail::hash_table;
using cite_detail::keyed_hash;
using cite_detail::matching;
using cite_detail::native_list;
using cite_detail::none;
using cite_detail::recycled;
using cite_detail::reference_index;
using cite_detail::reference_repair;

/// Returns true if a citation of the provider covers only the marker at \p marker. An annotation of a marker
/// may also cover, for example, a blank and a parenthesis next to it; other citations cover words.
bool covers_only(text_range marker, const placed_citation& one) noexcept {
  const std::uint64_t around = one.anchor == citation_anchor::marker ? 2 : 0;
  return marker.begin < one.received.end && one.received.begin < marker.end &&
         one.received.begin + around >= marker.begin && one.received.end <= marker.end + around;
}

/// An identifier as it is spelled in markers. Several spellings of one URL have the same number.
struct identifier_entry {
  std::string text;
  std::int64_t first_place{1};     ///< number of the first place in a list, if `text` is digits
  std::string normal;              ///< the normalized URL; empty if it is not a web URL
  std::uint32_t number{};          ///< 0: not numbered yet
  std::size_t changes_seen{};      ///< reference_index::changes() when it was looked up
  std::size_t changes_repaired{};  ///< the same for `repaired`
  std::string_view repaired;       ///< corrected identifier, a view into a reference; empty if none
  std::uint32_t list{none};        ///< of its references; `none`: no result so far
  std::uint32_t annotated{none};   ///< see citations::expect_native()
  match_kind match{};
};

/// The distinct identifiers of an answer and the numbers of their sources.
class identifier_table {
 public:
  explicit identifier_table(const keyed_hash& hash) noexcept : hash_(hash) {}

  /// The index of the entry for \p identifier; `none` if there is none.
  [[nodiscard]] std::uint32_t find(std::string_view identifier, std::int64_t first_place) noexcept;
  /// The first entry of the page at \p url that has a number; `none` if no entry has.
  [[nodiscard]] std::uint32_t find_page(std::string_view url);
  /// The same as find(). Makes a new entry if necessary and if fewer than \p most exist.
  [[nodiscard]] std::uint32_t intern(std::string_view identifier, std::int64_t first_place, std::size_t most);
  /// The number of the source of entry \p index. Assigns one if it has none.
  [[nodiscard]] std::uint32_t number(std::uint32_t index);
  /// The next number, for a source that no identifier names.
  [[nodiscard]] std::uint32_t next_number() noexcept { return ++last_number_; }
  [[nodiscard]] identifier_entry& operator[](std::uint32_t index) noexcept { return entries_[index]; }
  void clear() noexcept;

 private:
  const keyed_hash& hash_;
  recycled<identifier_entry> entries_;
  hash_table by_text_;    ///< by `text`
  hash_table by_normal_;  ///< the first entry of each web URL, by `normal`
  std::string page_;      ///< reused
  std::uint32_t last_number_{};
};

std::uint32_t identifier_table::find(std::string_view identifier, std::int64_t first_place) noexcept {
  const auto same = [&](std::uint32_t i) {
    return entries_[i].text == identifier && entries_[i].first_place == first_place;
  };
  const std::uint32_t* found = by_text_.find(hash_(identifier), same);
  return found != nullptr ? *found : none;
}

std::uint32_t identifier_table::find_page(std::string_view url) {
  if (!is_web_url(url)) return none;
  page_.clear();
  normalize_url(url, page_);
  const auto same = [&](std::uint32_t i) { return entries_[i].normal == page_; };
  const std::uint32_t* const found = by_normal_.find(hash_(page_), same);
  return found != nullptr ? *found : none;
}

std::uint32_t identifier_table::intern(std::string_view identifier, std::int64_t first_place,
                                       std::size_t most) {
  const std::uint32_t found = find(identifier, first_place);
  if (found != none || entries_.size() >= most) return found;
  const auto index = static_cast<std::uint32_t>(entries_.size());
  identifier_entry& entry = entries_.take();
  entry.text.assign(identifier);
  entry.first_place = first_place;
  entry.normal.clear();
  if (is_web_url(identifier)) normalize_url(identifier, entry.normal);
  entry.number = 0;
  entry.changes_seen = entry.changes_repaired = 0;
  entry.repaired = {};
  entry.list = entry.annotated = none;
  by_text_.insert(hash_(identifier), index);
  return index;
}

std::uint32_t identifier_table::number(std::uint32_t index) {
  identifier_entry& entry = entries_[index];
  if (!entry.normal.empty()) {
    const std::uint64_t key = hash_(entry.normal);
    const auto same = [&](std::uint32_t i) { return entries_[i].normal == entry.normal; };
    const std::uint32_t* const found = by_normal_.find(key, same);
    if (found == nullptr) by_normal_.insert(key, index);
    if (found != nullptr && entry.number == 0) entry.number = entries_[*found].number;
  }
  if (entry.number == 0) entry.number = ++last_number_;
  return entry.number;
}

void identifier_table::clear() noexcept {
  entries_.clear();
  by_text_.clear();
  by_normal_.clear();
  last_number_ = 0;
}

}  // namespace

/// The data of an answer. It is created with the first citation or reference, because many answers are open
/// at once and most cite nothing for long.
struct citations::impl {
  impl(const limits& given, bool with_repair)
      : bounds(given),
        repairs(with_repair),
        hash(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this)),
             static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&address))) {}

  /// The citation of a marker that a citation of the provider joins.
  struct joined_native {
    citation* cite{};            ///< null: it joins no marker
    bool resolved_identifier{};  ///< this has resolved the identifier of the marker
  };

  [[nodiscard]] matching find(identifier_entry& entry);
  [[nodiscard]] const reference* best(identifier_entry& entry) { return refs.best(find(entry)); }
  [[nodiscard]] std::uint32_t number_of(std::uint32_t index, std::string_view label);
  [[nodiscard]] std::uint32_t& number_at(std::size_t ref);
  [[nodiscard]] std::optional<std::uint32_t> titled(std::uint32_t index, std::string_view label);
  void note_source(std::uint32_t index);
  void look_up(identifier_entry& entry);
  void join(citation& cite, const identifier_entry& entry);
  void repair_by_title(citation& cite);
  void add_quoted(citation& cite, std::uint32_t ref);
  void list_unresolved();
  [[nodiscard]] joined_native join_native(const placed_citation& one);
  [[nodiscard]] std::uint64_t key_of(std::int64_t place) const noexcept {
    return hash({reinterpret_cast<const char*>(&place), sizeof place});
  }
  [[nodiscard]] std::uint32_t first_at(std::int64_t place) noexcept;
  [[nodiscard]] std::uint32_t earlier_number(const reference& ref);
  void reset() noexcept;

  /// Only its address is used: like that of the object, it differs from run to run.
  static constexpr char address{};

  limits bounds;
  bool repairs;
  reference_repair repair;
  keyed_hash hash;
  identifier_table identifiers{hash};
  reference_index refs{bounds, hash};
  recycled<citation> cites;
  std::vector<std::uint32_t> identifier_of;  ///< index in `identifiers`, by citation
  std::vector<text_range> received;          ///< the marker of each
  std::size_t citation_bytes{};              ///< size of labels, identifiers and markers
  /// Labels that differ from those shown, by citation, ascending.
  std::vector<std::pair<std::size_t, std::string>> hidden_labels;
  std::uint32_t groups{};              ///< number of groups of citations
  std::size_t decided{};               ///< citations before this one are not pending
  std::size_t changes_decided{};       ///< reference_index::changes() when they were decided
  std::vector<std::uint32_t> sources;  ///< one citation for each number, ascending
  std::vector<std::uint32_t> unresolved;
  std::size_t unnumbered{};                        ///< citations that are unresolved and have the number 0
  std::vector<std::uint32_t> number_of_reference;  ///< 0: none yet; by reference, as far as known
  hash_table by_place;                             ///< the first identifier of each place in a list
  native_list native;
  std::uint32_t native_group{};  ///< of the citation that add_native() added last
  bool native_resolved{};        ///< add_native() has resolved an identifier since the last resolve_late()
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

/// The references that an identifier means now, perhaps after a repair.
matching citations::impl::find(identifier_entry& entry) {
  matching found = refs.find(entry.text, entry.normal, entry.first_place);
  if (found.newest != none || !repairs) return found;
  if (entry.changes_repaired != refs.changes()) {
    entry.changes_repaired = refs.changes();
    entry.repaired = repair.by_identifier(entry.text, refs.all());
  }
  if (entry.repaired.empty()) return found;
  found = refs.find(entry.repaired, {}, 1);
  found.match = match_kind::repaired;
  return found;
}

/// The number of the reference \p ref; 0: it has none yet.
std::uint32_t& citations::impl::number_at(std::size_t ref) {
  if (number_of_reference.size() <= ref) number_of_reference.resize(refs.all().size());
  return number_of_reference[ref];
}

/// The first identifier that is the place \p place in a list; `none` if no marker has cited it.
std::uint32_t citations::impl::first_at(std::int64_t place) noexcept {
  const auto same = [&](std::uint32_t i) {
    return reference_index::place_of(identifiers[i].text, identifiers[i].first_place) == place;
  };
  const std::uint32_t* const first = by_place.find(key_of(place), same);
  return first == nullptr ? none : *first;
}

/// The number of an identifier that means \p ref and was numbered before it was known; 0: no identifier was.
std::uint32_t citations::impl::earlier_number(const reference& ref) {
  const std::uint32_t names[] = {ref.number ? first_at(*ref.number) : none, identifiers.find(ref.cite, 1),
                                 identifiers.find(ref.id, 1), identifiers.find_page(ref.url)};
  for (const std::uint32_t one : names) {
    if (one != none && identifiers[one].number != 0 && best(identifiers[one]) == &ref)
      return identifiers[one].number;
  }
  return 0;
}

/// The number of the source of an identifier. Identifiers that resolve to the same reference share a number.
/// Until either resolves, so do identifiers for the same list position.
std::uint32_t citations::impl::number_of(std::uint32_t index, std::string_view label) {
  identifier_entry& entry = identifiers[index];
  if (const std::optional<std::uint32_t> ref = titled(index, label)) {
    std::uint32_t& number = number_at(*ref);
    if (number == 0) number = identifiers.next_number();
    return number;
  }
  if (entry.number != 0) return entry.number;
  const reference* const known = best(entry);
  const std::size_t place_of_known =
      known == nullptr ? 0 : static_cast<std::size_t>(known - refs.all().data());
  if (known != nullptr) entry.number = number_at(place_of_known);
  if (const std::int64_t place = reference_index::place_of(entry.text, entry.first_place); place > 0) {
    const std::uint32_t first = first_at(place);
    if (first == none) by_place.insert(key_of(place), index);
    if (first != none && entry.number == 0 && best(identifiers[first]) == known)
      entry.number = identifiers[first].number;
  }
  if (known != nullptr && entry.number == 0) entry.number = earlier_number(*known);
  const std::uint32_t number = identifiers.number(index);
  if (known != nullptr) number_at(place_of_known) = number;
  return number;
}

/// Returns the reference whose title is \p label, if that repairs an identifier that means no reference.
std::optional<std::uint32_t> citations::impl::titled(std::uint32_t index, std::string_view label) {
  if (!repairs || label.empty() || find(identifiers[index]).newest != none) return std::nullopt;
  return repair.by_title(label, refs.all());
}

/// Looks up \p entry, unless that was done since the last reference came.
void citations::impl::look_up(identifier_entry& entry) {
  if (entry.changes_seen == refs.changes()) return;
  entry.changes_seen = refs.changes();
  const matching found = find(entry);
  if (found.newest == none) return;
  entry.match = found.match;
  entry.list = refs.list(found);
}

void citations::impl::join(citation& cite, const identifier_entry& entry) {
  if (entry.list == none) {
    cite.status = citation_status::unresolved;
    if (repairs) repair_by_title(cite);
    return;
  }
  cite.status = citation_status::resolved;
  if (cite.identifier != entry.text) cite.identifier.assign(entry.text);
  refs.cite_list(entry.list);
  cite.references = refs.listed(entry.list);
  cite.type = refs.all()[cite.references.front()].type;
  cite.match = entry.match;
}

/// Resolves a citation whose label is the title of exactly one reference.
void citations::impl::repair_by_title(citation& cite) {
  const std::optional<std::uint32_t> ref = repair.by_title(cite.label, refs.all());
  if (!ref) return;
  cite.status = citation_status::resolved;
  const std::uint32_t list = refs.list_of(*ref);
  refs.cite_list(list);
  cite.references = refs.listed(list);
  cite.type = refs.all()[*ref].type;
  cite.match = match_kind::repaired;
}

/// Puts a passage that the provider quotes in front of the references of a marker, unless they have it.
void citations::impl::add_quoted(citation& cite, std::uint32_t ref) {
  constexpr std::size_t max_others = 15;  // citations do not share this list
  const std::span<const std::uint32_t> others = cite.references;
  const bool quotes = !refs.all()[ref].excerpts.empty() || refs.all()[ref].span;
  if (!quotes || std::ranges::find(others, ref) != others.end()) return;
  cite.references = refs.listed(refs.list_of(ref, others.first(std::min(others.size(), max_others))));
}

/// Lists the numbers of the sources for which no reference was found, and 0 for citations without a number.
void citations::impl::list_unresolved() {
  unresolved.clear();
  if (unnumbered > 0) unresolved.push_back(0);
  for (const std::uint32_t i : sources) {
    if (cites[i].status == citation_status::unresolved) unresolved.push_back(cites[i].number);
  }
}

/// Joins a citation of the provider with that of a marker, if there is one for it. An unresolved identifier
/// gets the reference that the provider cites at its marker, and this reference the number of the marker.
citations::impl::joined_native citations::impl::join_native(const placed_citation& one) {
  const reference& ref = refs.all()[one.reference];
  const native_list::markers_view markers{cites.all(), received, sources, refs.all()};
  native.update(markers);
  const std::uint32_t number = native.number_of(ref);
  citation* const same = number == 0 ? nullptr : native.joined_by(one, number, markers);
  if (same != nullptr || one.received.begin == one.received.end) return {same, false};
  for (const std::uint32_t i : native.overlapped(one.received, markers)) {
    identifier_entry& entry = identifiers[identifier_of[i]];
    if (!covers_only(received[i], one) || entry.list != none || cites[i].origin != citation_origin::marker)
      continue;
    entry.list = refs.list_of(one.reference);
    entry.match = match_kind::native;
    if (entry.number == 0) entry.number = cites[i].number;  // 0: it was not printed
    if (entry.number == 0) entry.number = number != 0 ? number : identifiers.next_number();
    if (number == 0) native.set_number(ref, entry.number);
    return {&cites[i], true};
  }
  return {};
}

void citations::impl::reset() noexcept {
  identifiers.clear();
  refs.clear();
  cites.clear();
  identifier_of.clear();
  received.clear();
  native_resolved = false;
  citation_bytes = decided = changes_decided = unnumbered = groups = 0;
  hidden_labels.clear();
  sources.clear();
  unresolved.clear();
  number_of_reference.clear();
  by_place.clear();
  repair.clear();
  native.clear();
}

citations::citations(const limits& bounds, bool repair)
    : bounds_{bounds.max_citations, bounds.max_citation_bytes, bounds.max_references,
              bounds.max_reference_bytes},
      repair_(repair) {}
citations::~citations() = default;
citations::citations(citations&&) noexcept = default;
citations& citations::operator=(citations&&) noexcept = default;

citations::impl& citations::make() {
  if (impl_) return *impl_;
  limits bounds;
  bounds.max_citations = bounds_.citations;
  bounds.max_citation_bytes = bounds_.citation_bytes;
  bounds.max_references = bounds_.references;
  bounds.max_reference_bytes = bounds_.reference_bytes;
  impl_ = std::make_unique<impl>(bounds, repair_);
  return *impl_;
}

std::uint32_t citations::number_of(std::string_view identifier, std::int64_t first_place,
                                   std::string_view label) {
  impl& in = make();
  const std::uint32_t index = in.identifiers.intern(identifier, first_place, in.bounds.max_citations);
  return index != none ? in.number_of(index, label) : 0;
}

bool citations::knows(std::string_view identifier) const {
  if (!impl_) return false;
  const std::string normal = is_web_url(identifier) ? normalized_url(identifier) : std::string();
  return impl_->refs.find(identifier, normal, 1).newest != none;
}

bool citations::matches(std::string_view identifier, std::int64_t first_place, std::string_view label) {
  impl& in = make();
  const std::uint32_t index = in.identifiers.intern(identifier, first_place, in.bounds.max_citations);
  if (index == none || in.find(in.identifiers[index]).newest != none) return index != none;
  return in.repairs && in.repair.by_title(label, in.refs.all()).has_value();
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
  if (!impl_) return {};
  const auto& hidden = impl_->hidden_labels;
  const auto found = std::ranges::lower_bound(hidden, index, {}, [](const auto& one) { return one.first; });
  if (found != hidden.end() && found->first == index) return found->second;
  return impl_->cites[index].label;
}

bool citations::add_reference(const reference& ref) {
  return make().refs.add(ref);
}

void citations::resolve() {
  if (!impl_) return;
  impl& in = *impl_;
  const std::size_t before = in.decided;
  const bool all_resolved = in.unresolved.empty();
  for (; in.decided < in.cites.size(); ++in.decided) {
    identifier_entry& entry = in.identifiers[in.identifier_of[in.decided]];
    in.look_up(entry);
    citation& cite = in.cites[in.decided];
    in.join(cite, entry);
    if (cite.number == 0) {
      if (cite.status == citation_status::resolved) {
        cite.number = in.number_of(in.identifier_of[in.decided], cite.label);
      } else {
        ++in.unnumbered;
      }
    }
    in.note_source(static_cast<std::uint32_t>(in.decided));
  }
  if (before != in.decided) in.list_unresolved();
  if (all_resolved) in.changes_decided = in.refs.changes();
}

std::vector<std::uint32_t> citations::resolve_late() {
  std::vector<std::uint32_t> late;
  if (!impl_) return late;
  impl& in = *impl_;
  const bool changed = !in.unresolved.empty() && in.changes_decided != in.refs.changes();
  if (!std::exchange(in.native_resolved, false) && !changed) return late;
  in.changes_decided = in.refs.changes();
  for (std::uint32_t i = 0; i < in.decided; ++i) {
    citation& cite = in.cites[i];
    if (cite.status != citation_status::unresolved) continue;
    identifier_entry& entry = in.identifiers[in.identifier_of[i]];
    in.look_up(entry);
    in.join(cite, entry);
    if (cite.status != citation_status::resolved) continue;
    if (cite.number == 0) {
      cite.number = in.number_of(in.identifier_of[i], cite.label);
      --in.unnumbered;
    }
    in.note_source(i);
    late.push_back(i);
  }
  if (late.empty()) return late;
  in.list_unresolved();
  in.native.reread_markers();
  return late;
}

std::span<const std::uint32_t> citations::references_of(std::size_t index) {
  impl& in = *impl_;  // there is a citation, so `impl_` is not null
  identifier_entry& entry = in.identifiers[in.identifier_of[index]];
  in.look_up(entry);
  return entry.list == none ? std::span<const std::uint32_t>{} : in.refs.listed(entry.list);
}

void citations::set_finding(std::size_t index, std::shared_ptr<const claim_finding> found) {
  impl& in = *impl_;
  citation& cite = index < in.cites.size() ? in.cites[index] : in.native[index - in.cites.size()];
  cite.finding = std::move(found);
}

std::optional<std::uint32_t> citations::index_of(const reference& ref) const {
  const std::uint32_t found = impl_ ? impl_->refs.index_of(ref) : none;
  return found != none ? std::optional(found) : std::nullopt;
}

void citations::expect_native(const placed_citation& one, std::size_t first) {
  impl& in = *impl_;  // there is a reference, so `impl_` is not null
  const auto ends_before = [&](text_range marker) { return marker.end <= one.received.begin; };
  const auto begin = in.received.begin() + static_cast<std::ptrdiff_t>(std::min(first, in.received.size()));
  const auto found = std::partition_point(begin, in.received.end(), ends_before);
  if (found == in.received.end() || !covers_only(*found, one)) return;
  identifier_entry& entry =
      in.identifiers[in.identifier_of[static_cast<std::size_t>(found - in.received.begin())]];
  if (entry.annotated == none) entry.annotated = one.reference;
}

bool citations::add_native(const placed_citation& one) {
  impl& in = make();
  auto [cite, resolved_identifier] = in.join_native(one);
  in.native_resolved |= resolved_identifier;
  const bool joined = cite != nullptr;
  in.refs.cite(one.reference);
  if (!joined) {
    const reference& ref = in.refs.all()[one.reference];
    if (in.native.number_of(ref) == 0) in.native.set_number(ref, in.identifiers.next_number());
    cite = &in.native.add(one, ref, in.native.number_of(ref));
    cite->group = one.joins ? in.native_group : in.groups++;
  } else {
    cite->origin = citation_origin::both;
    in.add_quoted(*cite, one.reference);
  }
  in.native_group = cite->group;
  cite->native.json.assign(one.json);
  cite->native.unit = one.unit;
  cite->native.score = one.score;
  cite->native.end_inclusive = one.end_inclusive;
  return !joined;
}

std::span<const citation> citations::native() const noexcept {
  return impl_ ? impl_->native.all() : std::span<const citation>();
}

std::span<const citation> citations::all() const noexcept {
  return impl_ ? impl_->cites.all() : std::span<const citation>();
}

std::span<const reference> citations::references() const noexcept {
  return impl_ ? impl_->refs.all() : std::span<const reference>();
}

std::span<const std::uint32_t> citations::uncited() const noexcept {
  return impl_ ? impl_->refs.uncited().list() : std::span<const std::uint32_t>();
}

std::span<const std::uint32_t> citations::unresolved() const noexcept {
  return impl_ ? std::span<const std::uint32_t>(impl_->unresolved) : std::span<const std::uint32_t>();
}

std::span<const std::uint32_t> citations::sources() const noexcept {
  return impl_ ? std::span<const std::uint32_t>(impl_->sources) : std::span<const std::uint32_t>();
}

const reference* citations::best(std::string_view identifier, std::int64_t first_place) const {
  if (!impl_ || impl_->refs.all().empty()) return nullptr;
  impl& in = *impl_;
  const std::uint32_t entry = in.identifiers.find(identifier, first_place);
  return entry != none ? in.best(in.identifiers[entry]) : nullptr;
}

const reference* citations::best(std::size_t index) const {
  impl& in = *impl_;  // there is a citation, so `impl_` is not null
  const citation& cite = in.cites[index];
  if (!cite.references.empty()) return &in.refs.all()[cite.references.front()];
  if (cite.status != citation_status::pending) return nullptr;
  identifier_entry& entry = in.identifiers[in.identifier_of[index]];
  const reference* const known = in.best(entry);
  return known == nullptr && entry.annotated != none ? &in.refs.all()[entry.annotated] : known;
}

bool citations::pending() const noexcept {
  return impl_ && impl_->decided < impl_->cites.size();
}

std::uint64_t citations::dropped_references() const noexcept {
  return impl_ ? impl_->refs.dropped() : 0;
}

std::string_view citations::page_title(std::uint32_t index) const noexcept {
  return impl_->refs.page_title(index);  // there is a reference, so `impl_` is not null
}

std::string_view citations::title(const citation& cite) const noexcept {
  if (!cite.label.empty()) return cite.label;
  if (!cite.references.empty()) {
    const std::string& title = impl_->refs.all()[cite.references.front()].title;
    if (!title.empty()) return title;
  }
  return cite.identifier;
}

void citations::reset() noexcept {
  if (impl_) impl_->reset();
}

}  // namespace citestream
