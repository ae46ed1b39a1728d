// How citations of the provider find those of markers.
//
// A source is a page, a document or a file. Its key is the first of these that it has: web URL (normalized),
// id, other URL, place in the request, `cite`, title, text, place in the list of sources. Several references,
// such as two passages of one page, may have the same key and therefore the same number. reference_index is
// stricter, because it merges references: apart from the title, no member of one may contradict the other.
//
// The citations of markers are sorted by number, and those with one number are in the order of the text. A
// binary search finds those at a place. Unresolved markers are found in the same way, by their place in the
// received text.
#include "native_list.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/compact_sort.hpp"
#include "url.hpp"

namespace citestream::cite_detail {

namespace {

/// How many markers at one place are looked at.
constexpr std::size_t max_at_place = 16;

/// Returns true if a marker cites at the place of `one`. A citation without a position matches any marker.
/// In the sent text, the marker may have no width.
bool is_at(const citation& marker, text_range received, const placed_citation& one) noexcept {
  const std::uint64_t start = one.place.start.utf8;
  const std::uint64_t end = one.place.end.utf8;
  if (one.anchor == citation_anchor::none) return true;
  const bool spans = received.begin < received.end && one.received.begin < one.received.end;
  if (one.anchor == citation_anchor::marker && spans)
    return received.begin < one.received.end && one.received.begin < received.end;
  if (one.anchor == citation_anchor::marker || one.anchor == citation_anchor::point)
    return marker.start.utf8 <= end && start <= marker.end.utf8;
  const bool claims = marker.claim_start.utf8 < end && start < marker.claim_end.utf8;
  return claims || (start <= marker.start.utf8 && marker.start.utf8 <= end);
}

}  // namespace

const std::string& native_list::key_of(const reference& ref) {
  key_.clear();
  if (is_web_url(ref.url)) {
    normalize_url(ref.url, key_);
    return key_;
  }
  // No URL starts with a blank.
  const auto named = [&](const std::string& name) -> const std::string& {
    return key_.assign(1, ' ').append(name);
  };
  for (const std::string* const name : {&ref.id, &ref.url}) {
    if (!name->empty()) return named(*name);
  }
  if (const auto& at = ref.requested) {
    const char part = at->part == request_part::document ? 'd' : 's';
    return key_.assign(2, ' ').append(1, part).append(std::to_string(at->index));
  }
  for (const std::string* const name : {&ref.cite, &ref.title, &ref.text}) {
    if (!name->empty()) return named(*name);
  }
  return ref.number ? key_.assign(3, ' ').append(std::to_string(*ref.number)) : key_;
}

void native_list::update(const markers_view& markers) {
  if (by_number_.size() == markers.all.size()) return;
  for (const std::uint32_t source : markers.sources) {
    for (const std::uint32_t ref : markers.all[source].references)
      numbers_.emplace(key_of(markers.references[ref]), markers.all[source].number);
  }
  by_number_.clear();
  for (std::uint32_t i = 0; i < markers.all.size(); ++i) by_number_.push_back(i);
  compact_sort(by_number_, std::ranges::less{},
               [&](std::uint32_t i) { return std::pair(markers.all[i].number, i); });
  unresolved_.clear();
  for (std::uint32_t i = 0; i < markers.all.size(); ++i) {
    if (markers.all[i].status == citation_status::unresolved) unresolved_.push_back(i);
  }
  compact_sort(unresolved_, std::ranges::less{},
               [&](std::uint32_t i) { return std::pair(markers.received[i].begin, i); });
}

std::span<const std::uint32_t> native_list::overlapped(text_range part,
                                                       const markers_view& markers) const noexcept {
  const auto before = [&](std::uint32_t i) { return markers.received[i].end <= part.begin; };
  const auto first = std::partition_point(unresolved_.begin(), unresolved_.end(), before);
  auto last = first;
  while (last != unresolved_.end() && markers.received[*last].begin < part.end &&
         static_cast<std::size_t>(last - first) < max_at_place)
    ++last;
  return {first, last};
}

std::uint32_t native_list::number_of(const reference& ref) {
  const auto found = numbers_.find(key_of(ref));
  return found == numbers_.end() ? 0 : found->second;
}

void native_list::set_number(const reference& ref, std::uint32_t number) {
  numbers_[key_of(ref)] = number;
}

citation* native_list::joined_by(const placed_citation& one, std::uint32_t number,
                                 const markers_view& markers) const noexcept {
  const bool placed = one.anchor != citation_anchor::none;
  const auto before = [&](std::uint32_t i) {
    const citation& marker = markers.all[i];
    return std::tuple(marker.number, placed ? marker.end.utf8 : 0) <
           std::tuple(number, placed ? one.place.start.utf8 : 0);
  };
  auto at = std::partition_point(by_number_.begin(), by_number_.end(), before);
  for (std::size_t left = max_at_place; at != by_number_.end() && left > 0; ++at, --left) {
    citation& marker = markers.all[*at];
    if (marker.number != number) return nullptr;
    // A citation without a place gives way to one that is at the marker.
    const bool unplaced = marker.origin == citation_origin::both && !marker.native.unit;
    const bool open = marker.origin == citation_origin::marker || (placed && unplaced);
    if (open && is_at(marker, markers.received[*at], one)) return &marker;
  }
  return nullptr;
}

citation& native_list::add(const placed_citation& one, const reference& ref, std::uint32_t number) {
  references_.push_back(one.reference);
  citation& made = all_.take();
  made.number = number;
  made.label.clear();
  made.identifier.assign(!ref.url.empty() ? ref.url : !ref.id.empty() ? ref.id : ref.cite);
  made.marker.clear();
  made.start = one.place.start;
  made.end = one.place.end;
  made.claim_start = one.claim.start;
  made.claim_end = one.claim.end;
  made.origin = citation_origin::provider;
  made.anchor = one.anchor;
  made.status = citation_status::resolved;
  made.type = ref.type;
  made.references = {&references_.back(), 1};
  made.match = match_kind::native;
  made.path = one.path;
  made.finding.reset();
  return made;
}

void native_list::clear() noexcept {
  all_.clear();
  references_.clear();
  numbers_.clear();
  by_number_.clear();
  unresolved_.clear();
}

}  // namespace citestream::cite_detail
