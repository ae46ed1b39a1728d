// How citations are numbered and joined.
//
// Identifiers are interned: each distinct spelling has one entry, which holds its number and, once looked up,
// its list of references. Spellings of one URL are several entries with one number.
//
// References are indexed by five keys (`cite`, `id`, `url`, normalized `url`, `number`). All references with
// one key form a chain from the newest to the oldest, and each link knows the best one from there on, so
// best() takes constant time. resolve() sorts a chain into a list once; all citations of that key share the
// list.
//
// A provider may name one page twice, by its place in a list and, with a title, in an annotation. A reference
// that only adds members to an earlier one to the same page completes that one (same_page(), complete()).
//
// Invariants: citations before `decided` are final; lists never change once made. Hashes are keyed per
// object, so a model or provider cannot choose colliding keys. Adding and resolving are linear, apart from
// sorting.
#include <citestream/cite/citations.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cite/hash_table.hpp"
#include "cite/keyed_hash.hpp"
#include "url.hpp"

namespace citestream {
namespace {

using cite_detail::hash_table;
using cite_detail::keyed_hash;
using cite_detail::none;
using cite_detail::recycled;

/// The bytes of a number, for hashing.
template <typename T>
[[nodiscard]] std::string_view bytes_of(const T& value) noexcept {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// An identifier as it is spelled in markers. Several spellings of one URL have the same number.
struct identifier_entry {
  std::string text;
  std::int64_t first_place{1};  ///< number of the first place in a list, if `text` is digits
  std::string normal;           ///< the normalized URL; empty if it is not a web URL
  std::uint32_t number{};       ///< 0: not numbered yet
  std::uint32_t list{none};     ///< index in `lists` of its references; none: no result so far
  std::size_t changes_seen{};   ///< `changes` when it was looked up
  match_kind match{};
};

/// The digits of a place in a list in the forms used by RAG servers: `Source 4`, `src_4`, `doc4`. Empty if
/// \p identifier has none of these forms.
[[nodiscard]] std::string_view place_in(std::string_view identifier) noexcept {
  for (const std::string_view prefix : {"Source ", "source ", "src_", "src", "doc"}) {
    if (!identifier.starts_with(prefix)) continue;
    const std::string_view digits = identifier.substr(prefix.size());
    if (digits.find_first_not_of("0123456789") == std::string_view::npos) return digits;
  }
  return {};
}

/// References by one key. References with the same key form a chain, newest first.
class reference_index {
 public:
  /// Makes room for the next reference, even if it has no key here.
  void append() { links_.emplace_back(); }
  /// Adds the newest reference \p ref under a key. \p same tells whether another reference has that key,
  /// \p better whether a reference goes before an older one.
  template <typename Same, typename Better>
  void enter(std::uint32_t ref, std::uint64_t hash, Same same, Better better) {
    links_[ref].best = ref;
    if (std::uint32_t* head = table_.find(hash, same)) {
      const std::uint32_t best = links_[*head].best;
      if (!better(ref, best)) links_[ref].best = best;
      links_[ref].older = std::exchange(*head, ref);
    } else {
      table_.insert(hash, ref);
    }
  }
  template <typename Same>
  [[nodiscard]] std::uint32_t newest(std::uint64_t hash, Same same) noexcept {
    const std::uint32_t* head = table_.find(hash, same);
    return head != nullptr ? *head : none;
  }
  [[nodiscard]] std::uint32_t older(std::uint32_t ref) const noexcept { return links_[ref].older; }
  /// The best reference of the chain from \p ref on.
  [[nodiscard]] std::uint32_t best(std::uint32_t ref) const noexcept { return links_[ref].best; }
  /// The list made from the chain from \p ref on. Older links never change, so the list is made once.
  [[nodiscard]] std::uint32_t& list(std::uint32_t ref) noexcept { return links_[ref].list; }
  void clear() noexcept {
    table_.clear();
    links_.clear();
  }

 private:
  struct link {
    std::uint32_t older{none};
    std::uint32_t best{none};
    std::uint32_t list{none};
  };
  hash_table table_;
  std::vector<link> links_;  ///< by index of the reference
};

/// The references that an identifier means: a chain of an index.
struct matching {
  reference_index* keys{};
  std::uint32_t newest{none};
  match_kind match{match_kind::exact};
};

}  // namespace

/// The data of an answer; created with the first citation or reference.
struct citations_state {
  explicit citations_state(const limits& bounds_in)
      : bounds(bounds_in),
        hash(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this)),
             static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&address))) {}

  std::uint32_t intern(std::string_view identifier, std::int64_t first_place, std::size_t most);
  std::uint32_t number(std::uint32_t index);
  bool insert_distinct(const reference& ref);
  void index(std::uint32_t i);
  template <typename T>
  void enter(reference_index& keys, std::uint32_t i, const T reference::*field);
  std::uint32_t same_page(const reference& ref);
  bool complete(std::uint32_t i, const reference& ref);
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const noexcept;
  void note_source(std::uint32_t index);
  void look_up(identifier_entry& entry);
  matching matches(const identifier_entry& entry) noexcept;
  matching exactly(std::string_view key) noexcept;
  matching by_place(std::string_view digits, std::int64_t first_place) noexcept;
  [[nodiscard]] const reference* best(const identifier_entry& entry) noexcept;
  std::uint32_t list_of(const matching& found);
  void join(citation& cite, identifier_entry& entry) const;
  void list_uncited();
  void list_unresolved();
  void reset() noexcept;

  /// Only its address is used: like that of the object, it differs from run to run.
  static constexpr char address{};

  const limits& bounds;
  keyed_hash hash;

  recycled<citation> cites;
  std::vector<std::uint32_t> identifier_of;  ///< index in `identifiers`, by citation
  std::size_t decided{};                     ///< citations before this one are not pending
  std::vector<std::uint32_t> sources;        ///< one citation for each number, ascending

  recycled<identifier_entry> identifiers;
  hash_table by_text;    ///< identifiers by `text`
  hash_table by_normal;  ///< the first identifier of each web URL, by `normal`
  std::uint32_t last_number{};

  recycled<reference> refs;
  recycled<std::string> normal_urls;  ///< by reference
  std::string page;                   ///< a normalized URL; reused
  std::vector<bool> cited;            ///< by reference
  std::size_t changes{};              ///< how often a reference was added or completed
  hash_table distinct;                ///< references by all fields
  reference_index by_cite, by_id, by_url, by_normal_url, by_number;
  std::uint64_t dropped{};
  std::size_t citation_bytes{};   ///< size of labels, identifiers and markers
  std::size_t reference_bytes{};  ///< size of all text in references

  recycled<std::vector<std::uint32_t>> lists;  ///< never changed once made: citations hold views of them
  std::vector<std::uint32_t> uncited;
  std::size_t uncited_until{};  ///< references before this one are in `uncited` or in a list
  std::size_t lists_seen{};
  std::vector<std::uint32_t> unresolved;
  std::vector<std::uint32_t> resolved;
};

/// Returns the index of the entry for \p identifier. Makes one if there is none and fewer than \p most exist;
/// otherwise returns `none`.
std::uint32_t citations_state::intern(std::string_view identifier, std::int64_t first_place,
                                      std::size_t most) {
  const std::uint64_t key = hash(identifier);
  const auto same = [&](std::uint32_t i) {
    return identifiers[i].text == identifier && identifiers[i].first_place == first_place;
  };
  if (const std::uint32_t* found = by_text.find(key, same)) return *found;
  if (identifiers.size() >= most) return none;
  const auto index = static_cast<std::uint32_t>(identifiers.size());
  identifier_entry& entry = identifiers.take();
  entry.text.assign(identifier);
  entry.first_place = first_place;
  entry.normal.clear();
  if (is_web_url(identifier)) normalize_url(identifier, entry.normal);
  entry.number = 0;
  entry.list = none;
  entry.changes_seen = 0;
  by_text.insert(key, index);
  return index;
}

/// The number of the source of identifier \p index. Assigns one if it has none.
std::uint32_t citations_state::number(std::uint32_t index) {
  identifier_entry& entry = identifiers[index];
  if (entry.number != 0) return entry.number;
  if (entry.normal.empty()) return entry.number = ++last_number;
  const std::uint64_t key = hash(entry.normal);
  const auto same = [&](std::uint32_t i) { return identifiers[i].normal == entry.normal; };
  if (const std::uint32_t* found = by_normal.find(key, same)) {
    return entry.number = identifiers[*found].number;
  }
  by_normal.insert(key, index);
  return entry.number = ++last_number;
}

/// Stores a copy of \p ref unless an equal reference is already there.
bool citations_state::insert_distinct(const reference& ref) {
  const double score = ref.score.value_or(0) == 0 ? 0 : *ref.score;  // 0 and -0 are equal
  const std::array<std::uint64_t, 12> parts{static_cast<std::uint64_t>(ref.type),
                                            hash(ref.id),
                                            hash(ref.cite),
                                            hash(ref.title),
                                            hash(ref.url),
                                            hash(ref.text),
                                            hash(ref.tool),
                                            hash(ref.tool_call_id),
                                            hash(ref.file_path),
                                            std::bit_cast<std::uint64_t>(score),
                                            static_cast<std::uint64_t>(ref.page.value_or(0)),
                                            static_cast<std::uint64_t>(ref.number.value_or(0))};
  const std::uint64_t key = hash(bytes_of(parts));
  if (distinct.find(key, [&](std::uint32_t i) { return refs[i] == ref; }) != nullptr) return false;
  const std::size_t bytes = ref.id.size() + ref.cite.size() + ref.title.size() + ref.url.size() +
                            ref.text.size() + ref.tool.size() + ref.tool_call_id.size() +
                            ref.file_path.size();
  if (refs.size() >= bounds.max_references || bytes > bounds.max_reference_bytes - reference_bytes) {
    ++dropped;
    return false;
  }
  reference_bytes += bytes;
  distinct.insert(key, static_cast<std::uint32_t>(refs.size()));
  refs.take() = ref;
  return true;
}

/// Returns true if reference \p a goes before \p b: a better score first, then the older one.
bool citations_state::before(std::uint32_t a, std::uint32_t b) const noexcept {
  const std::optional<double>& left = refs[a].score;
  const std::optional<double>& right = refs[b].score;
  if (left != right) return left && (!right || *left > *right);
  return a < b;
}

/// Makes citation \p index represent its source if it is the first one, or the first resolved one.
void citations_state::note_source(std::uint32_t index) {
  const std::uint32_t number = cites[index].number;
  if (sources.empty() || cites[sources.back()].number < number) return sources.push_back(index);
  const auto place =
      std::ranges::lower_bound(sources, number, {}, [&](std::uint32_t i) { return cites[i].number; });
  if (cites[*place].number != number || cites[*place].status == citation_status::resolved) return;
  if (cites[index].status == citation_status::resolved) *place = index;
}

/// Enters reference \p i in an index, if it has the key.
template <typename T>
void citations_state::enter(reference_index& keys, std::uint32_t i, const T reference::*field) {
  const T& value = refs[i].*field;
  const auto same = [&](std::uint32_t other) { return refs[other].*field == value; };
  const auto better = [&](std::uint32_t a, std::uint32_t b) { return before(a, b); };
  if constexpr (std::is_same_v<T, std::string>) {
    if (!value.empty()) keys.enter(i, hash(value), same, better);
  } else if (value) {
    keys.enter(i, hash(bytes_of(*value)), same, better);
  }
}

/// Adds reference \p i, the newest, to all indexes.
void citations_state::index(std::uint32_t i) {
  for (reference_index* keys : {&by_cite, &by_id, &by_url, &by_normal_url, &by_number}) keys->append();
  enter(by_cite, i, &reference::cite);
  enter(by_id, i, &reference::id);
  enter(by_url, i, &reference::url);
  enter(by_number, i, &reference::number);
  std::string& normal = normal_urls.take();
  normal.clear();
  if (!is_web_url(refs[i].url)) return;
  normalize_url(refs[i].url, normal);
  const auto same = [&](std::uint32_t other) { return normal_urls[other] == normal; };
  by_normal_url.enter(i, hash(normal), same, [&](std::uint32_t a, std::uint32_t b) { return before(a, b); });
}

/// The reference to the same page as \p ref that differs from it only in its title and in members that one of
/// them lacks; only the newest 16 are looked at. Returns `none` if there is none.
std::uint32_t citations_state::same_page(const reference& ref) {
  constexpr std::size_t most = 16;
  if (!is_web_url(ref.url)) return none;
  normalize_url(ref.url, page);
  const auto agree = [](const auto& a, const auto& b) {
    const std::remove_cvref_t<decltype(a)> missing{};
    return a == b || a == missing || b == missing;
  };
  const auto same = [&](std::uint32_t i) { return normal_urls[i] == page; };
  std::uint32_t i = by_normal_url.newest(hash(page), same);
  for (std::size_t left = most; i != none && left > 0; i = by_normal_url.older(i), --left) {
    const reference& one = refs[i];
    // Another score would change the order of the references.
    const bool placed = one.type == ref.type && (!ref.score || one.score == ref.score) &&
                        agree(one.page, ref.page) && agree(one.number, ref.number);
    if (placed && agree(one.id, ref.id) && agree(one.cite, ref.cite) && agree(one.text, ref.text) &&
        agree(one.tool, ref.tool) && agree(one.tool_call_id, ref.tool_call_id) &&
        agree(one.file_path, ref.file_path)) {
      return i;
    }
  }
  return none;
}

/// Sets the members that reference \p i lacks and \p ref, which is to the same page, has. Returns true if
/// there are any.
bool citations_state::complete(std::uint32_t i, const reference& ref) {
  reference& one = refs[i];
  bool changed = false;
  const auto set = [&](auto reference::*field, reference_index* keys) {
    if (one.*field == ref.*field || one.*field != std::remove_cvref_t<decltype(one.*field)>()) return;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(one.*field)>, std::string>) {
      if ((ref.*field).size() > bounds.max_reference_bytes - reference_bytes) return;
      reference_bytes += (ref.*field).size();
    }
    one.*field = ref.*field;
    if (keys != nullptr) enter(*keys, i, field);
    changed = true;
  };
  set(&reference::id, &by_id);
  set(&reference::cite, &by_cite);
  set(&reference::number, &by_number);
  set(&reference::title, nullptr);
  set(&reference::text, nullptr);
  set(&reference::page, nullptr);
  set(&reference::tool, nullptr);
  set(&reference::tool_call_id, nullptr);
  set(&reference::file_path, nullptr);
  return changed;
}

/// The references whose `cite`, `id` or `url` is \p key.
matching citations_state::exactly(std::string_view key) noexcept {
  const std::uint64_t hashed = hash(key);
  const auto among = [&](reference_index& keys, const std::string reference::*field) {
    return matching{&keys, keys.newest(hashed, [&](std::uint32_t i) { return refs[i].*field == key; })};
  };
  matching found = among(by_cite, &reference::cite);
  if (found.newest == none) found = among(by_id, &reference::id);
  if (found.newest == none) found = among(by_url, &reference::url);
  return found;
}

/// The references known now that \p entry means.
matching citations_state::matches(const identifier_entry& entry) noexcept {
  const matching found = exactly(entry.text);
  if (found.newest != none) return found;
  if (!entry.normal.empty()) {
    const auto same = [&](std::uint32_t i) { return normal_urls[i] == entry.normal; };
    return {&by_normal_url, by_normal_url.newest(hash(entry.normal), same), match_kind::normalized};
  }
  const std::string_view digits = place_in(entry.text);
  if (digits.empty()) return by_place(entry.text, entry.first_place);
  const matching named = exactly(digits);
  return named.newest != none ? named : by_place(digits, 1);
}

/// The references for place \p digits in a list, if they are digits.
matching citations_state::by_place(std::string_view digits, std::int64_t first_place) noexcept {
  std::int64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc{} || stop != end || digits.front() == '-') return {};
  number += digits.size() < 19 ? 1 - first_place : 0;  // a number of 19 digits is not a place in any list
  const auto same = [&](std::uint32_t i) { return refs[i].number == number; };
  return {&by_number, by_number.newest(hash(bytes_of(number)), same)};
}

const reference* citations_state::best(const identifier_entry& entry) noexcept {
  const matching found = matches(entry);
  return found.newest != none ? &refs[found.keys->best(found.newest)] : nullptr;
}

/// The index in `lists` of the references found, best score first.
std::uint32_t citations_state::list_of(const matching& found) {
  std::uint32_t& index = found.keys->list(found.newest);
  if (index != none) return index;
  index = static_cast<std::uint32_t>(lists.size());
  std::vector<std::uint32_t>& list = lists.take();
  list.clear();
  for (std::uint32_t i = found.newest; i != none; i = found.keys->older(i)) {
    list.push_back(i);
    cited[i] = true;
  }
  std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) { return before(a, b); });
  return index;
}

/// Looks up \p entry, unless that was done since the last reference came.
void citations_state::look_up(identifier_entry& entry) {
  if (entry.changes_seen == changes) return;
  entry.changes_seen = changes;
  const matching found = matches(entry);
  if (found.newest == none) return;
  entry.match = found.match;
  entry.list = list_of(found);
}

void citations_state::join(citation& cite, identifier_entry& entry) const {
  if (entry.list == none) {
    cite.status = citation_status::unresolved;
    return;
  }
  cite.status = citation_status::resolved;
  if (cite.identifier != entry.text) cite.identifier.assign(entry.text);
  cite.references = lists[entry.list];
  cite.type = refs[cite.references.front()].type;
  cite.match = entry.match;
}

/// Lists the references that are in no list. Earlier ones are checked again only if there is a new list.
void citations_state::list_uncited() {
  if (lists_seen != lists.size()) uncited.clear();
  const std::size_t begin = lists_seen != lists.size() ? 0 : uncited_until;
  lists_seen = lists.size();
  uncited_until = refs.size();
  for (std::size_t i = begin; i < uncited_until; ++i) {
    if (!cited[i]) uncited.push_back(static_cast<std::uint32_t>(i));
  }
}

/// Lists the sources of which no citation found a reference.
void citations_state::list_unresolved() {
  resolved.clear();
  std::vector<std::uint32_t>& numbers = unresolved;
  numbers.clear();
  for (const citation& cite : cites.all()) {
    (cite.status == citation_status::resolved ? resolved : numbers).push_back(cite.number);
  }
  std::sort(resolved.begin(), resolved.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const auto found = [&](std::uint32_t n) { return std::binary_search(resolved.begin(), resolved.end(), n); };
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(), found), numbers.end());
}

void citations_state::reset() noexcept {
  cites.clear();
  identifier_of.clear();
  decided = 0;
  sources.clear();
  identifiers.clear();
  by_text.clear();
  by_normal.clear();
  last_number = 0;
  refs.clear();
  normal_urls.clear();
  cited.clear();
  changes = 0;
  distinct.clear();
  for (reference_index* keys : {&by_cite, &by_id, &by_url, &by_normal_url, &by_number}) keys->clear();
  dropped = 0;
  citation_bytes = reference_bytes = 0;
  lists.clear();
  uncited.clear();
  uncited_until = 0;
  lists_seen = 0;
  unresolved.clear();
  resolved.clear();
}

/// The state is created late, because many answers are open at once and most cite nothing for long.
struct citations::impl {
  explicit impl(const limits& given) : bounds(given) {}

  [[nodiscard]] citations_state& state() {
    if (!kept) kept = std::make_unique<citations_state>(bounds);
    return *kept;
  }

  limits bounds;
  std::unique_ptr<citations_state> kept;  ///< null: no citation and no reference yet
};

citations::citations(const limits& bounds) : impl_(std::make_unique<impl>(bounds)) {}
citations::~citations() = default;
citations::citations(citations&&) noexcept = default;
citations& citations::operator=(citations&&) noexcept = default;

std::uint32_t citations::number_of(std::string_view identifier, std::int64_t first_place) {
  citations_state& in = impl_->state();
  const std::uint32_t index = in.intern(identifier, first_place, in.bounds.max_citations);
  return index != none ? in.number(index) : 0;
}

bool citations::knows(std::string_view identifier) const {
  if (!impl_->kept) return false;
  identifier_entry asked;  // not a member, so that idle sessions are small
  asked.text.assign(identifier);
  if (is_web_url(identifier)) normalize_url(identifier, asked.normal);
  return impl_->kept->matches(asked).newest != none;
}

bool citations::has_room(std::size_t count, std::size_t bytes) const noexcept {
  const std::size_t cited = impl_->kept ? impl_->kept->cites.size() : 0;
  const std::size_t taken = impl_->kept ? impl_->kept->citation_bytes : 0;
  return count <= impl_->bounds.max_citations - cited && bytes <= impl_->bounds.max_citation_bytes - taken;
}

std::optional<std::size_t> citations::add(std::string_view label, std::string_view identifier,
                                          std::string_view marker, std::uint32_t number, text_span place,
                                          text_span claim, std::int64_t first_place,
                                          std::optional<std::string_view> shown) {
  citations_state& in = impl_->state();
  const std::size_t bytes = label.size() + identifier.size() + marker.size();
  if (!has_room(1, bytes)) return std::nullopt;
  in.citation_bytes += bytes;
  in.identifier_of.push_back(in.intern(identifier, first_place, none));
  citation& cite = in.cites.take();
  cite.number = number;
  cite.label.assign(label);
  cite.identifier.assign(shown.value_or(identifier));
  cite.marker.assign(marker);
  cite.start = place.start;
  cite.end = place.end;
  cite.claim_start = claim.start;
  cite.claim_end = claim.end;
  cite.status = citation_status::pending;
  cite.type.reset();
  cite.references = {};
  cite.match.reset();
  in.note_source(static_cast<std::uint32_t>(in.cites.size() - 1));
  return in.cites.size() - 1;
}

bool citations::add_reference(const reference& ref) {
  if (ref.score && std::isnan(*ref.score)) {  // NaN is equal to nothing and cannot be ordered
    reference plain = ref;
    plain.score.reset();
    return add_reference(plain);
  }
  citations_state& in = impl_->state();
  if (const std::uint32_t same = in.same_page(ref); same != none) {
    const bool changed = in.complete(same, ref);
    in.changes += changed ? 1 : 0;
    return changed || in.refs[same].url != ref.url;
  }
  if (!in.insert_distinct(ref)) return false;
  ++in.changes;
  in.cited.push_back(false);
  in.index(static_cast<std::uint32_t>(in.refs.size() - 1));
  return true;
}

void citations::resolve() {
  if (!impl_->kept) return;
  citations_state& in = *impl_->kept;
  const std::size_t before = in.decided;
  for (; in.decided < in.cites.size(); ++in.decided) {
    identifier_entry& entry = in.identifiers[in.identifier_of[in.decided]];
    in.look_up(entry);
    in.join(in.cites[in.decided], entry);
    in.note_source(static_cast<std::uint32_t>(in.decided));
  }
  in.list_uncited();
  if (before != in.decided) in.list_unresolved();
}

std::span<const citation> citations::all() const noexcept {
  return impl_->kept ? impl_->kept->cites.all() : std::span<const citation>();
}

std::span<const reference> citations::references() const noexcept {
  return impl_->kept ? impl_->kept->refs.all() : std::span<const reference>();
}

std::span<const std::uint32_t> citations::uncited() const noexcept {
  if (!impl_->kept) return {};
  return impl_->kept->uncited;
}

std::span<const std::uint32_t> citations::unresolved() const noexcept {
  if (!impl_->kept) return {};
  return impl_->kept->unresolved;
}

std::span<const std::uint32_t> citations::sources() const noexcept {
  if (!impl_->kept) return {};
  return impl_->kept->sources;
}

const reference* citations::best(std::string_view identifier, std::int64_t first_place) const noexcept {
  if (!impl_->kept || impl_->kept->refs.size() == 0) return nullptr;
  citations_state& in = *impl_->kept;
  const auto same = [&](std::uint32_t i) {
    return in.identifiers[i].text == identifier && in.identifiers[i].first_place == first_place;
  };
  const std::uint32_t* entry = in.by_text.find(in.hash(identifier), same);
  return entry != nullptr ? in.best(in.identifiers[*entry]) : nullptr;
}

const reference* citations::best(std::size_t index) const noexcept {
  citations_state& in = *impl_->kept;  // there is a citation, so `kept` is not null
  const citation& cite = in.cites[index];
  if (!cite.references.empty()) return &in.refs[cite.references.front()];
  const bool pending = cite.status == citation_status::pending;
  return pending ? in.best(in.identifiers[in.identifier_of[index]]) : nullptr;
}

bool citations::pending() const noexcept {
  return impl_->kept && impl_->kept->decided < impl_->kept->cites.size();
}

std::uint64_t citations::dropped_references() const noexcept {
  return impl_->kept ? impl_->kept->dropped : 0;
}

std::string_view citations::page_title(std::uint32_t index) const noexcept {
  constexpr std::size_t most = 16;
  citations_state& in = *impl_->kept;  // there is a reference, so `kept` is not null
  const std::string& page = in.normal_urls[index];
  if (!in.refs[index].title.empty() || page.empty()) return in.refs[index].title;
  const auto same = [&](std::uint32_t i) { return in.normal_urls[i] == page; };
  std::uint32_t i = in.by_normal_url.newest(in.hash(page), same);
  for (std::size_t left = most; i != none && left > 0; i = in.by_normal_url.older(i), --left) {
    if (!in.refs[i].title.empty()) return in.refs[i].title;
  }
  return {};
}

std::string_view citations::title(const citation& cite) const noexcept {
  if (!cite.label.empty()) return cite.label;
  if (!cite.references.empty()) {
    const std::string& title = impl_->kept->refs[cite.references.front()].title;
    if (!title.empty()) return title;
  }
  return cite.identifier;
}

void citations::reset() noexcept {
  if (impl_->kept) impl_->kept->reset();
}

}  // namespace citestream
