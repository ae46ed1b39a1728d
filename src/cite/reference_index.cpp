// How references are found by what markers call them.
//
// References are indexed by five keys (`cite`, `id`, `url`, normalized `url`, `number`). All references with
// one key form a chain, the one entered last first, and each link knows the best one from there on, so
// best() takes constant time. list() sorts a chain into a list once; all citations of that key share the
// list.
//
// A provider may name one page twice, by its place in a list and, with a title, in an annotation. A reference
// that only adds members to an earlier one to the same page completes that one (same_page(), complete()).
//
// Invariant: lists never change once made. Adding and finding are linear, apart from sorting.
#include "reference_index.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <tuple>
#include <type_traits>

#include "base/compact_sort.hpp"
#include "base/decimal.hpp"
#include "base/turn_key.hpp"
#include "url.hpp"

namespace citestream::cite_detail {
namespace {

std::size_t kept_bytes(const std::string& text) noexcept {
  return text.size();
}

std::size_t kept_bytes(const std::vector<std::string>& texts) noexcept {
  std::size_t bytes = 0;
  for (const std::string& one : texts) bytes += one.size();
  return bytes;
}

/// Values that are not text are stored in the reference itself.
template <typename Value>
std::size_t kept_bytes(const Value& /*value*/) noexcept {
  return 0;
}

/// The members that one reference to a source may have and another one may lack, apart from `id`, `cite`,
/// `number` and `title`.
constexpr std::tuple details{&reference::text,         &reference::page,      &reference::tool,
                             &reference::tool_call_id, &reference::file_path, &reference::excerpts,
                             &reference::span,         &reference::container, &reference::opaque};

/// Maximum number of references to one page that are compared.
constexpr std::size_t max_of_page = 16;

/// The bytes of a number, for hashing.
template <typename T>
[[nodiscard]] std::string_view bytes_of(const T& value) noexcept {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// Returns the place that \p digits name if the first one has the number \p first_place, from 1.
[[nodiscard]] std::optional<std::int64_t> number_in(std::string_view digits,
                                                    std::int64_t first_place) noexcept {
  const auto number = whole_number<std::int64_t>(digits);
  if (!number || digits.front() == '-') return std::nullopt;
  return *number + (digits.size() < 19 ? 1 - first_place : 0);  // 19 digits are not a place in any list
}

/// A place in a list, in the forms used by RAG servers and Cohere.
struct list_place {
  std::string_view digits;  ///< empty: none
  std::int64_t first{1};    ///< the number of the first place
};

/// The place that \p identifier names: `Source 4`, `src_4`, `doc4`, and from 0 `doc:4`.
[[nodiscard]] list_place place_in(std::string_view identifier) noexcept {
  for (const std::string_view prefix : {"Source ", "source ", "src_", "src", "doc:", "doc"}) {
    if (!identifier.starts_with(prefix)) continue;
    const std::string_view digits = identifier.substr(prefix.size());
    if (digits.find_first_not_of("0123456789") == std::string_view::npos)
      return {digits, prefix.ends_with(':') ? 0 : 1};
  }
  return {};
}

}  // namespace

std::span<const std::uint32_t> uncited_references::list() noexcept {
  if (std::exchange(changed_, false)) {
    list_.clear();
    checked_ = 0;
  }
  for (; checked_ < cited_.size(); ++checked_) {
    if (!cited_[checked_]) list_.push_back(static_cast<std::uint32_t>(checked_));
  }
  return list_;
}

void uncited_references::clear() noexcept {
  cited_.clear();
  list_.clear();
  checked_ = 0;
  changed_ = false;
}

bool reference_index::add(const reference& ref) {
  return whole_of(ref) == none ? add_named(ref) : add_named(named(ref));
}

bool reference_index::add_named(const reference& ref) {
  if (ref.score && std::isnan(*ref.score)) {  // NaN is equal to nothing and cannot be ordered
    reference plain = ref;
    plain.score.reset();
    return add_named(plain);
  }
  if (const std::uint32_t same = same_page(ref); same != none) {
    const bool changed = complete(same, ref);
    counts_.changes += changed ? 1 : 0;
    return changed || refs_[same].url != ref.url;
  }
  if (!insert_distinct(ref)) return false;
  ++counts_.changes;
  const auto added = static_cast<std::uint32_t>(refs_.size() - 1);
  uncited_.append();
  // A request does not contain the results of its tools only to be cited, so they are not listed as uncited.
  if (turn_key::read(ref.cite)) uncited_.cite(added);
  enter_all(added);
  return true;
}

std::uint32_t reference_index::index_of(const reference& ref) {
  const reference whole = named(ref);
  if (const std::uint32_t same = same_page(whole); same != none) return same;
  return distinct_.find(hash_of(whole), [&](std::uint32_t i) { return refs_[i] == whole; });
}

std::uint64_t reference_index::hash_of(const reference& ref) const noexcept {
  const double score = ref.score.value_or(0) == 0 ? 0 : *ref.score;  // 0 and -0 are equal
  const source_span span = ref.span.value_or(source_span{});
  const std::array<std::uint64_t, 18> parts{
      static_cast<std::uint64_t>(ref.type),
      hash_(ref.id),
      hash_(ref.cite),
      hash_(ref.title),
      hash_(ref.url),
      hash_(ref.text),
      hash_(ref.tool),
      hash_(ref.tool_call_id),
      hash_(ref.file_path),
      std::bit_cast<std::uint64_t>(score),
      static_cast<std::uint64_t>(ref.page.value_or(0)),
      static_cast<std::uint64_t>(ref.number.value_or(0)),
      static_cast<std::uint64_t>(ref.requested ? ref.requested->index : -1),
      hash_(ref.container),
      hash_(ref.uses),
      hash_(ref.opaque),
      static_cast<std::uint64_t>(span.start),
      static_cast<std::uint64_t>(span.end)};
  return hash_(bytes_of(parts));
}

/// Stores a copy of \p ref unless an equal reference is already there.
bool reference_index::insert_distinct(const reference& ref) {
  const std::uint64_t key = hash_of(ref);
  if (distinct_.find(key, [&](std::uint32_t i) { return refs_[i] == ref; }) != none) return false;
  const std::size_t named =
      ref.id.size() + ref.cite.size() + ref.title.size() + ref.url.size() + ref.uses.size();
  const std::size_t bytes =
      std::apply([&](auto... detail) { return (named + ... + kept_bytes(ref.*detail)); }, details);
  if (refs_.size() >= max_references_ || bytes > max_bytes_ - counts_.bytes) {
    ++counts_.dropped;
    return false;
  }
  counts_.bytes += bytes;
  distinct_.insert(key, static_cast<std::uint32_t>(refs_.size()));
  refs_.take() = ref;
  return true;
}

/// Returns true if reference \p a is ordered before \p b: a better score first, then the older one.
bool reference_index::before(std::uint32_t a, std::uint32_t b) const noexcept {
  const std::optional<double>& left = refs_[a].score;
  const std::optional<double>& right = refs_[b].score;
  if (left != right) return left && (!right || *left > *right);
  return a < b;
}

/// Enters reference \p ref under one of its keys, if it has that key.
template <typename T>
void reference_index::enter(key_chains& keys, std::uint32_t ref, const T reference::*field) {
  const T& value = refs_[ref].*field;
  const auto same = [&](std::uint32_t other) { return refs_[other].*field == value; };
  const auto better = [&](std::uint32_t a, std::uint32_t b) { return before(a, b); };
  if constexpr (std::is_same_v<T, std::string>) {
    if (!value.empty()) keys.enter(ref, hash_(value), same, better);
  } else if (value) {
    keys.enter(ref, hash_(bytes_of(*value)), same, better);
  }
}

/// Enters reference \p ref, the newest, under all its keys.
void reference_index::enter_all(std::uint32_t ref) {
  for (key_chains* keys : by_.all()) keys->append();
  enter(by_.cite, ref, &reference::cite);
  enter(by_.id, ref, &reference::id);
  enter(by_.url, ref, &reference::url);
  enter(by_.number, ref, &reference::number);
  if (const auto& at = refs_[ref].requested) requested_.emplace(std::pair(at->part, at->index), ref);
  std::string& normal = normal_urls_.take();
  normal.clear();
  if (!is_web_url(refs_[ref].url)) return;
  normalize_url(refs_[ref].url, normal);
  const auto same = [&](std::uint32_t other) { return normal_urls_[other] == normal; };
  const auto better = [&](std::uint32_t a, std::uint32_t b) { return before(a, b); };
  by_.normal_url.enter(ref, hash_(normal), same, better);
}

/// The newest reference whose normalized URL is \p normal, or `none`.
std::uint32_t reference_index::newest_of_page(std::string_view normal) noexcept {
  return by_.normal_url.newest(hash_(normal), [&](std::uint32_t i) { return normal_urls_[i] == normal; });
}

/// The reference to the same page as \p ref, or to the same source of the request, that differs from it only
/// in its title and in members that one of them lacks; only the newest ones are looked at. May be
/// `none`.
std::uint32_t reference_index::same_page(const reference& ref) {
  const bool page = is_web_url(ref.url);
  if (!page && (ref.id.empty() || requested_.empty())) return none;
  if (page) normalize_url(ref.url, page_);
  const auto same_id = [&](std::uint32_t other) { return refs_[other].id == ref.id; };
  key_chains& keys = page ? by_.normal_url : by_.id;
  std::uint32_t i = page ? newest_of_page(page_) : keys.newest(hash_(ref.id), same_id);
  for (std::size_t left = max_of_page; i != none && left > 0; i = keys.older(i), --left) {
    if ((page || refs_[i].requested) && agrees(refs_[i], ref)) return i;
  }
  return none;
}

/// Returns true if the references differ only in members that one of them lacks. A passage of a document of
/// the request and the whole document do not agree.
bool reference_index::agrees(const reference& one, const reference& ref) noexcept {
  const auto agree = [](const auto& a, const auto& b) {
    const std::remove_cvref_t<decltype(a)> missing{};
    return a == b || a == missing || b == missing;
  };
  // Another score would change the order of the references.
  const bool placed = one.type == ref.type && (!ref.score || one.score == ref.score) &&
                      agree(one.number, ref.number) && agree(one.requested, ref.requested) &&
                      (!one.requested || ref.excerpts == one.excerpts);
  const auto agree_in = [&](auto... detail) { return (agree(one.*detail, ref.*detail) && ...); };
  return placed && agree(one.id, ref.id) && agree(one.cite, ref.cite) && std::apply(agree_in, details);
}

/// The source of the request that \p ref is, or is a passage of; `none` if it is not known.
std::uint32_t reference_index::whole_of(const reference& ref) const noexcept {
  if (!ref.requested) return none;
  const auto found = requested_.find({ref.requested->part, ref.requested->index});
  return found != requested_.end() ? found->second : none;
}

/// A passage has the names of its source.
reference reference_index::named(const reference& ref) const {
  reference out = ref;
  const std::uint32_t at = whole_of(ref);
  if (at == none) return out;
  for (std::string reference::*const name : {&reference::title, &reference::id, &reference::url}) {
    if ((out.*name).empty()) out.*name = refs_[at].*name;
  }
  if (out.type == source_type::document) out.type = refs_[at].type;
  return out;
}

void reference_index::cite(std::uint32_t ref) noexcept {
  uncited_.cite(ref);
  if (const std::uint32_t whole = whole_of(refs_[ref]); whole != none) uncited_.cite(whole);
}

/// Sets the members that reference \p i lacks and \p ref, which is to the same page, has. Returns true if
/// there are any.
bool reference_index::complete(std::uint32_t i, const reference& ref) {
  reference& one = refs_[i];
  bool changed = false;
  const auto set = [&](auto reference::*field) {
    if (one.*field == ref.*field || one.*field != std::remove_cvref_t<decltype(one.*field)>()) return false;
    const std::size_t bytes = kept_bytes(ref.*field);
    if (bytes > max_bytes_ - counts_.bytes) return false;
    counts_.bytes += bytes;
    one.*field = ref.*field;
    changed = true;
    return true;
  };
  if (set(&reference::id)) enter(by_.id, i, &reference::id);
  if (set(&reference::cite)) enter(by_.cite, i, &reference::cite);
  if (set(&reference::number)) enter(by_.number, i, &reference::number);
  set(&reference::title);
  std::apply([&](auto... detail) { (set(detail), ...); }, details);
  return changed;
}

matching reference_index::find(std::string_view identifier, std::string_view normal,
                               std::int64_t first_place) noexcept {
  const matching found = find_exactly(identifier);
  if (found.newest != none) return found;
  if (!normal.empty()) return {&by_.normal_url, newest_of_page(normal), match_kind::normalized};
  if (const auto turn = turn_key::read(identifier)) return find_exactly(turn_key::make(*turn));
  const list_place place = place_in(identifier);
  if (place.digits.empty()) return find_place(identifier, first_place);
  const matching named = place.first == 1 ? find_exactly(place.digits) : matching{};
  return named.newest != none ? named : find_place(place.digits, place.first);
}

/// The references whose `cite`, `id` or `url` is \p key.
matching reference_index::find_exactly(std::string_view key) noexcept {
  const std::uint64_t hashed = hash_(key);
  const auto among = [&](key_chains& keys, const std::string reference::*field) {
    return matching{&keys, keys.newest(hashed, [&](std::uint32_t i) { return refs_[i].*field == key; })};
  };
  matching found = among(by_.cite, &reference::cite);
  if (found.newest == none) found = among(by_.id, &reference::id);
  if (found.newest == none) found = among(by_.url, &reference::url);
  return found;
}

/// The references for place \p digits in a list, if they are digits.
matching reference_index::find_place(std::string_view digits, std::int64_t first_place) noexcept {
  const std::optional<std::int64_t> place = number_in(digits, first_place);
  if (!place) return {};
  const std::int64_t number = *place;
  const auto same = [&](std::uint32_t i) { return refs_[i].number == number; };
  return {&by_.number, by_.number.newest(hash_(bytes_of(number)), same)};
}

std::int64_t reference_index::place_of(std::string_view identifier, std::int64_t first_place) noexcept {
  const list_place place = place_in(identifier);
  return place.digits.empty() ? number_in(identifier, first_place).value_or(0)
                              : number_in(place.digits, place.first).value_or(0);
}

const reference* reference_index::best(const matching& found) const noexcept {
  return found.newest != none ? &refs_[found.keys->best(found.newest)] : nullptr;
}

std::uint32_t reference_index::list(const matching& found) {
  std::uint32_t& index = found.keys->list(found.newest);
  if (index != none) return index;
  index = static_cast<std::uint32_t>(lists_.size());
  reference_list& list = lists_.take();
  list.references.clear();
  list.cited = false;
  for (std::uint32_t i = found.newest; i != none; i = found.keys->older(i)) list.references.push_back(i);
  compact_sort(list.references, [&](std::uint32_t a, std::uint32_t b) { return before(a, b); });
  return index;
}

std::uint32_t reference_index::list_of(std::uint32_t ref, std::span<const std::uint32_t> others) {
  const auto index = static_cast<std::uint32_t>(lists_.size());
  reference_list& list = lists_.take();
  list.references.assign(1, ref);
  list.references.insert(list.references.end(), others.begin(), others.end());
  list.cited = false;
  return index;
}

void reference_index::cite_list(std::uint32_t list) noexcept {
  if (std::exchange(lists_[list].cited, true)) return;
  for (const std::uint32_t ref : lists_[list].references) uncited_.cite(ref);
}

std::string_view reference_index::page_title(std::uint32_t ref) noexcept {
  const std::string& page = normal_urls_[ref];
  if (!refs_[ref].title.empty() || page.empty()) return refs_[ref].title;
  std::uint32_t i = newest_of_page(page);
  for (std::size_t left = max_of_page; i != none && left > 0; i = by_.normal_url.older(i), --left) {
    if (!refs_[i].title.empty()) return refs_[i].title;
  }
  return {};
}

void reference_index::clear() noexcept {
  refs_.clear();
  normal_urls_.clear();
  distinct_.clear();
  for (key_chains* keys : by_.all()) keys->clear();
  lists_.clear();
  uncited_.clear();
  requested_.clear();
  counts_ = {};
}

}  // namespace citestream::cite_detail
