// How sources are numbered.
//
// Identifiers are interned: each distinct spelling has one entry, which holds its number and, once looked up,
// its list of references. A number belongs to a source. These share one: spellings of one URL, identifiers of
// one reference, and, until a reference is known, identifiers for the same place in a list. A number is given
// once and never changes, because it may have been printed.
//
// Hashes are keyed per object, so a model or provider cannot choose colliding keys. Adding and finding
// take constant time, except that the first search for a key sorts its references, and that a repair compares
// the known identifiers, up to a limit for the answer.
#include "identifier_table.hpp"

#include "url.hpp"

namespace citestream::cite_detail {

namespace {

/// Only its address is used, as a part of the hash key: it differs from run to run. In WebAssembly only the
/// address of the table does, because citestream.js first allocates a block of random size.
constexpr char address{};

std::uint64_t address_of(const void* object) noexcept {
  return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(object));
}

}  // namespace

identifier_table::identifier_table(std::size_t max_references, std::size_t max_reference_bytes, bool repairs)
    : hash_(address_of(this), address_of(&address)),
      references_(max_references, max_reference_bytes, hash_),
      repairs_(repairs) {}

std::uint32_t identifier_table::find(std::string_view identifier, std::int64_t first_place) noexcept {
  const auto same = [&](std::uint32_t i) {
    return entries_[i].text == identifier && entries_[i].first_place == first_place;
  };
  return by_text_.find(hash_(identifier), same);
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

matching identifier_table::meaning(identifier_entry& entry) {
  matching found = references_.find(entry.text, entry.normal, entry.first_place);
  const bool page = !entry.normal.empty();  // a similar URL may be another page
  if (found.newest != none || !repairs_ || page) return found;
  if (entry.changes_repaired != references_.changes()) {
    entry.changes_repaired = references_.changes();
    entry.repaired = repair_.by_identifier(entry.text, references_.all());
  }
  if (entry.repaired.empty()) return found;
  found = references_.find(entry.repaired, {}, 1);
  found.match = match_kind::repaired;
  return found;
}

void identifier_table::look_up(identifier_entry& entry) {
  if (entry.changes_seen == references_.changes()) return;
  entry.changes_seen = references_.changes();
  const matching found = meaning(entry);
  if (found.newest == none) return;
  entry.match = found.match;
  entry.list = references_.list(found);
}

std::optional<std::uint32_t> identifier_table::titled(std::string_view label) {
  return repairs_ ? repair_.by_title(label, references_.all()) : std::nullopt;
}

/// The first entry of the page at \p url that has a number; `none` if no entry has.
std::uint32_t identifier_table::find_page(std::string_view url) {
  if (!is_web_url(url)) return none;
  page_.clear();
  normalize_url(url, page_);
  return by_normal_.find(hash_(page_), [&](std::uint32_t i) { return entries_[i].normal == page_; });
}

/// The number of entry \p index. Assigns one if it has none: that of another spelling of its URL, or a new
/// one.
std::uint32_t identifier_table::own_number(std::uint32_t index) {
  identifier_entry& entry = entries_[index];
  if (!entry.normal.empty()) {
    const std::uint64_t key = hash_(entry.normal);
    const auto same = [&](std::uint32_t i) { return entries_[i].normal == entry.normal; };
    const std::uint32_t found = by_normal_.find(key, same);
    if (found == none) by_normal_.insert(key, index);
    if (found != none && entry.number == 0) entry.number = entries_[found].number;
  }
  if (entry.number == 0) entry.number = next_number();
  return entry.number;
}

/// The number of the reference \p ref; 0: it has none yet.
std::uint32_t& identifier_table::number_at(std::size_t ref) {
  if (number_of_reference_.size() <= ref) number_of_reference_.resize(references_.all().size());
  return number_of_reference_[ref];
}

/// The first identifier that is the place \p place in a list; `none` if no marker has cited it.
std::uint32_t identifier_table::first_at(std::int64_t place) noexcept {
  const auto same = [&](std::uint32_t i) {
    return reference_index::place_of(entries_[i].text, entries_[i].first_place) == place;
  };
  return by_place_.find(key_of(place), same);
}

/// The number that an identifier of \p ref got before \p ref arrived; 0 if none did.
std::uint32_t identifier_table::earlier_number(const reference& ref) {
  const std::uint32_t names[] = {ref.number ? first_at(*ref.number) : none, find(ref.cite, 1),
                                 find(ref.id, 1), find_page(ref.url)};
  for (const std::uint32_t one : names) {
    if (one != none && entries_[one].number != 0 && best(entries_[one]) == &ref) return entries_[one].number;
  }
  return 0;
}

std::uint32_t identifier_table::number_of(std::uint32_t index, std::string_view label) {
  identifier_entry& entry = entries_[index];
  const bool by_label = repairs_ && !label.empty() && meaning(entry).newest == none;
  if (const auto ref = by_label ? titled(label) : std::nullopt) {
    if (number_at(*ref) == 0) {
      const std::uint32_t earlier = earlier_number(references_.all()[*ref]);
      number_at(*ref) = earlier != 0 ? earlier : next_number();
    }
    return number_at(*ref);
  }
  if (entry.number != 0) return entry.number;
  const reference* const known = best(entry);
  const std::size_t place_of_known =
      known == nullptr ? 0 : static_cast<std::size_t>(known - references_.all().data());
  if (known != nullptr) entry.number = number_at(place_of_known);
  if (const std::int64_t place = reference_index::place_of(entry.text, entry.first_place); place > 0) {
    const std::uint32_t first = first_at(place);
    if (first == none) by_place_.insert(key_of(place), index);
    if (first != none && entry.number == 0 && best(entries_[first]) == known)
      entry.number = entries_[first].number;
  }
  if (known != nullptr && entry.number == 0) entry.number = earlier_number(*known);
  const std::uint32_t number = own_number(index);
  if (known != nullptr) number_at(place_of_known) = number;
  return number;
}

void identifier_table::clear() noexcept {
  references_.clear();
  repair_.clear();
  entries_.clear();
  by_text_.clear();
  by_normal_.clear();
  by_place_.clear();
  last_number_ = 0;
  number_of_reference_.clear();
}

}  // namespace citestream::cite_detail
