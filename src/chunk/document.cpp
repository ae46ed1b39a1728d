// How a payload is parsed.
//
// simdjson's On-Demand parser validates only what is visited, so walk() visits every value once. Each becomes
// a `node` with its byte range, in the order of the payload: a container is followed by its first child, and
// each child knows its next sibling. Look-ups walk these nodes. `reached` and `read` record which values were
// used, for document::unread().
//
// The payload is parsed inside `[` and `]`. Scalars at the root then need no special case, and bytes after
// the root show up as a second element or as an array that closed too early.
//
// Parsing is linear in the payload, a look-up linear in the members of its object. A warm document does not
// allocate.
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>
#include <system_error>

#include <simdjson.h>

#include "base/ascii.hpp"
#include "base/decimal.hpp"

namespace citestream {

namespace {

namespace ondemand = simdjson::ondemand;

/// Positions are 32 bits, as in the parser.
constexpr std::size_t max_payload_bytes = std::numeric_limits<std::uint32_t>::max() - 256;
/// Every document has room for this many bytes. Ordinary events have a few hundred.
constexpr std::size_t least_room = 16 * 1024;
/// Memory is freed if it has room for a payload this many times larger than the current one. Events with
/// references are about ten times larger than others. They must not cause an allocation each.
constexpr std::size_t excess = 64;

/// More bytes than any payload has, and far below the largest integer.
constexpr std::int64_t most_places = 1'000'000'000'000'000;

/// Returns true if \p token is a number (RFC 8259, 6).
bool is_number(std::string_view token) noexcept {
  const auto skip_digits = [&token] {
    const std::size_t count = std::min(token.find_first_not_of("0123456789"), token.size());
    token.remove_prefix(count);
    return count;
  };
  if (token.starts_with('-')) token.remove_prefix(1);
  const bool starts_with_0 = token.starts_with('0');
  const std::size_t whole = skip_digits();
  if (whole == 0 || (starts_with_0 && whole > 1)) return false;
  if (token.starts_with('.')) {
    token.remove_prefix(1);
    if (skip_digits() == 0) return false;
  }
  if (token.starts_with('e') || token.starts_with('E')) {
    token.remove_prefix(1);
    if (token.starts_with('-') || token.starts_with('+')) token.remove_prefix(1);
    if (skip_digits() == 0) return false;
  }
  return token.empty();
}

/// For a number that no double can hold: returns true if it is too large, false if it is too small.
bool is_large(std::string_view token) noexcept {
  const std::size_t mark = std::min(token.find_first_of("eE"), token.size());
  const std::string_view digits = token.substr(0, mark);
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;  // 0, whatever the exponent is
  std::string_view exponent = token.substr(std::min(mark + 1, token.size()));
  const bool negative = exponent.starts_with('-');
  if (!exponent.empty() && (negative || exponent.front() == '+')) exponent.remove_prefix(1);
  std::int64_t places = 0;  // from the decimal point to the first digit that is not 0
  const auto [end, error] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), places);
  if (!exponent.empty() && error != std::errc{}) return !negative;
  places = std::min(places, most_places);
  if (negative) places = -places;
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  return places + point - static_cast<std::int64_t>(first) > 0;
}

/// Reads a valid number. Returns false if no double can hold it.
bool read_real(std::string_view token, double& out) noexcept {
  if (read_decimal(token, out) != std::errc::result_out_of_range) return true;
  out = 0;
  return !is_large(token);
}

/// Returns false if there was no memory for the buffer of strings: simdjson 3.0.1 does not report it.
bool has_string_buffer(ondemand::parser& parser) noexcept {
  static constexpr std::array<char, 2 + simdjson::SIMDJSON_PADDING> empty{'[', ']'};
  ondemand::json_iterator found;
  const simdjson::padded_string_view json(empty.data(), 2, empty.size());
  return !parser.iterate_raw(json).get(found) && found.string_buf_loc() != nullptr;
}

/// A range of bytes in the payload or among the unescaped strings.
struct stretch {
  std::uint32_t at{};
  std::uint32_t size{};
};

/// One value. `next` is the index of its next sibling; 0 for the last one, because 0 is the root, which is
/// not a sibling of any value.
struct node {
  std::uint32_t begin{};
  std::uint32_t end{};
  std::uint32_t next{};
  stretch key;
  json_kind kind{};
  bool integral{};  ///< the number is in `integer`, else in `real`
  bool reached{};   ///< a look-up or a step returned it
  bool read{};      ///< its value was used
  union {
    stretch text{};
    std::int64_t integer;
    double real;
    bool boolean;
    std::uint64_t keys;  ///< of an object: detail::key_bit() of each key
  };
};

}  // namespace

struct document::impl {
  explicit impl(std::size_t depth) : max_depth(std::min(depth, deepest)) {}

  status parse(std::string_view json);
  void make_room(std::size_t size);
  bool walk_root(ondemand::document& parsed);
  bool walk(ondemand::value value, std::size_t depth, std::uint32_t& index);
  bool walk_array(ondemand::value& value, std::size_t depth, std::uint32_t index);
  bool walk_object(ondemand::value& value, std::size_t depth, std::uint32_t index);
  bool read_string(ondemand::value& value, node& into);
  static bool read_number(ondemand::value& value, std::string_view token, node& into);
  bool read_atom(ondemand::value& value, node& into);
  bool close(ondemand::value& value, std::uint32_t index);
  stretch keep(std::string_view unescaped);
  [[nodiscard]] std::uint32_t child_of(std::uint32_t index) const noexcept;
  void read_all(std::uint32_t index) noexcept;
  /// Notes the token at which the parser stopped. \return false, for the caller to return
  template <typename Place>
  bool stray(Place& place) {
    const char* at{};
    if (place.current_location().get(at)) return false;
    seen = std::max(seen, static_cast<std::size_t>(at - padded.data()));
    return false;
  }
  bool fail(errc code) noexcept {
    failure = code;
    return false;
  }
  [[nodiscard]] std::string_view text(stretch where) const noexcept {
    return where.size == 0 ? std::string_view{} : std::string_view(strings + where.at, where.size);
  }

  std::size_t max_depth;
  ondemand::parser parser;
  /// The payload inside `[` and `]` (see above), followed by zeros, because the parser reads ahead.
  std::string padded;
  std::vector<node> nodes;
  const char* strings{};  ///< start of the parser's buffer of unescaped strings
  std::size_t seen{};     ///< position in `padded` of the last token looked at
  errc failure{};
  bool duplicate{};
};

status document::impl::parse(std::string_view json) {
  nodes.clear();
  strings = nullptr;
  duplicate = false;
  failure = errc::invalid_json;
  seen = 1;
  if (json.size() > max_payload_bytes) return {errc::invalid_json, 0};

  const std::size_t size = json.size() + 2;
  make_room(size);
  padded.append(1, '[').append(json).append(1, ']').append(simdjson::SIMDJSON_PADDING, '\0');

  ondemand::document parsed;
  const simdjson::error_code error = parser.iterate(padded.data(), size, padded.size()).get(parsed);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error == simdjson::UNCLOSED_STRING) seen = json.size() + 1;
  if (!error && walk_root(parsed)) return {};
  nodes.clear();
  return {failure, std::min(seen - 1, json.size())};
}

/// Clears the buffers and makes room for \p size bytes. Sizes are rounded up, so that slightly longer
/// payloads do not allocate. If there is far more memory than needed (see `excess`), it is freed, so that an
/// idle stream does not keep what one huge event needed.
void document::impl::make_room(std::size_t size) {
  const std::size_t room = std::min(std::bit_ceil(std::max(size, least_room)), max_payload_bytes + 2);
  const bool shrink = parser.capacity() / excess > room;
  if (shrink) {
    // clear() and assign() would keep the capacity.
    std::string().swap(padded);
    std::vector<node>().swap(nodes);
  }
  padded.clear();
  padded.reserve(room + simdjson::SIMDJSON_PADDING);
  if (!shrink && parser.capacity() >= size) return;
  if (parser.allocate(room) == simdjson::MEMALLOC || !has_string_buffer(parser)) {
    parser = ondemand::parser();  // so that the next call allocates again
    throw std::bad_alloc();
  }
}

bool document::impl::walk_root(ondemand::document& parsed) {
  ondemand::array outer;
  if (parsed.get_array().get(outer)) return false;
  for (auto element : outer) {
    ondemand::value value;
    if (element.get(value)) return stray(parsed);
    std::uint32_t index{};
    if (!nodes.empty()) {
      seen = static_cast<std::size_t>(value.raw_json_token().data() - padded.data());
      return false;
    }
    if (!walk(value, 0, index)) return false;
  }
  // What is left follows a `]` that closed the outer array too early.
  if (!parsed.current_location().error()) return stray(parsed);
  return !nodes.empty();
}

bool document::impl::walk(ondemand::value value, std::size_t depth, std::uint32_t& index) {
  std::string_view token = value.raw_json_token();
  while (!token.empty() && ascii::is_space(token.back())) token.remove_suffix(1);
  if (token.empty()) return false;
  seen = static_cast<std::size_t>(token.data() - padded.data());
  node found;
  found.begin = static_cast<std::uint32_t>(seen - 1);
  found.end = found.begin + static_cast<std::uint32_t>(token.size());
  index = static_cast<std::uint32_t>(nodes.size());
  switch (token.front()) {
    case '{':
      found.kind = json_kind::object;
      found.keys = 0;
      nodes.push_back(found);
      return walk_object(value, depth + 1, index);
    case '[':
      found.kind = json_kind::array;
      nodes.push_back(found);
      return walk_array(value, depth + 1, index);
    case '"':
      if (!read_string(value, found)) return false;
      break;
    case 't':
    case 'f':
    case 'n':
      if (!read_atom(value, found)) return false;
      break;
    default:
      if (!read_number(value, token, found)) return false;
  }
  nodes.push_back(found);
  return true;
}

bool document::impl::walk_array(ondemand::value& value, std::size_t depth, std::uint32_t index) {
  if (depth > max_depth) return fail(errc::json_too_deep);
  ondemand::array array;
  if (value.get_array().get(array)) return false;
  std::uint32_t last = 0;
  for (auto element : array) {
    ondemand::value child;
    if (element.get(child)) return stray(value);
    std::uint32_t at{};
    if (!walk(child, depth, at)) return false;
    if (last != 0) nodes[last].next = at;
    last = at;
  }
  return close(value, index);
}

bool document::impl::walk_object(ondemand::value& value, std::size_t depth, std::uint32_t index) {
  if (depth > max_depth) return fail(errc::json_too_deep);
  ondemand::object object;
  if (value.get_object().get(object)) return false;
  std::uint32_t last = 0;
  for (auto member : object) {
    ondemand::field field;
    if (std::move(member).get(field)) return stray(value);
    std::string_view unescaped;
    // Called on a result: the signature of field::unescaped_key() differs between versions of simdjson.
    simdjson::simdjson_result<ondemand::field> named(ondemand::field{field});
    if (named.unescaped_key().get(unescaped)) return false;
    const stretch key = keep(unescaped);
    nodes[index].keys |= detail::key_bit(unescaped);
    std::uint32_t at{};
    if (!walk(field.value(), depth, at)) return false;
    nodes[at].key = key;
    if (last != 0) nodes[last].next = at;
    last = at;
  }
  return close(value, index);
}

/// Sets the end of a container after its members. Between its bracket and the next token there are only
/// blanks; there always is a next token, because of the outer array.
bool document::impl::close(ondemand::value& value, std::uint32_t index) {
  const char* next{};
  if (value.current_location().get(next)) return false;
  auto end = static_cast<std::size_t>(next - padded.data());
  while (end > 1 && ascii::is_space(padded[end - 1])) --end;
  const char bracket = nodes[index].kind == json_kind::object ? '}' : ']';
  if (end < 2 || padded[end - 1] != bracket) return false;
  nodes[index].end = static_cast<std::uint32_t>(end - 1);
  return true;
}

bool document::impl::read_string(ondemand::value& value, node& into) {
  std::string_view unescaped;
  if (value.get_string().get(unescaped)) return false;
  into.kind = json_kind::string;
  into.text = keep(unescaped);
  return true;
}

bool document::impl::read_atom(ondemand::value& value, node& into) {
  if (padded[seen] == 'n') {
    bool null{};
    if (value.is_null().get(null) || !null) return false;
    into.kind = json_kind::null;
    return true;
  }
  bool boolean{};
  if (value.get_bool().get(boolean)) return false;
  into.kind = json_kind::boolean;
  into.boolean = boolean;
  return true;
}

/// Not with get_number() and get_double(): in simdjson 3.0.1 both return wrong values for some numbers of
/// more than 19 digits, and their tables would be a twentieth of the WebAssembly module.
bool document::impl::read_number(ondemand::value& value, std::string_view token, node& into) {
  into.kind = json_kind::number;
  std::int64_t integer{};
  into.integral = !value.get_int64().get(integer);
  if (into.integral) {
    into.integer = integer;
    return true;
  }
  return is_number(token) && read_real(token, into.real);
}

/// The range of a string in the parser's buffer of unescaped strings. The buffer is as large as any payload
/// that the parser has room for, so it does not move before the next parse.
stretch document::impl::keep(std::string_view unescaped) {
  if (strings == nullptr) strings = unescaped.data();
  return {static_cast<std::uint32_t>(unescaped.data() - strings),
          static_cast<std::uint32_t>(unescaped.size())};
}

// ---- document

document::document(std::size_t max_depth) : impl_(std::make_unique<impl>(max_depth)) {}
document::~document() = default;
document::document(document&&) noexcept = default;
document& document::operator=(document&&) noexcept = default;

void document::limit(std::size_t max_depth) noexcept {
  impl_->max_depth = std::min(max_depth, deepest);
}

status document::parse(std::string_view json) {
  return impl_->parse(json);
}

json_value document::root() const noexcept {
  if (impl_ == nullptr || impl_->nodes.empty()) return {};
  return {*this, 0};
}

bool document::duplicate() const noexcept {
  return impl_ != nullptr && impl_->duplicate;
}

void document::unread(std::vector<unread_value>& out) const {
  out.clear();
  if (impl_ == nullptr) return;
  const auto& nodes = impl_->nodes;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): 4 KiB, each written before it is read
  std::array<std::uint32_t, deepest + 1> ends;  // ends of the containers around a value
  std::uint32_t depth = 0;
  for (std::size_t at = 0; at < nodes.size();) {
    const node& one = nodes[at++];
    while (depth > 0 && one.begin >= ends[depth - 1]) --depth;
    const bool holds = one.kind == json_kind::array || one.kind == json_kind::object;
    if (!one.reached) {
      out.push_back({{one.begin, one.end}, one.kind, false, depth});
      while (at < nodes.size() && nodes[at].begin < one.end) ++at;
    } else if (holds) {
      ends[depth++] = one.end;
    } else if (!one.read && (one.kind == json_kind::string || one.kind == json_kind::number)) {
      out.push_back({{one.begin, one.end}, one.kind, true, depth});
    }
  }
}

// ---- json_value

json_value::json_value(const document& owner, std::uint32_t index) noexcept : owner_(&owner), index_(index) {
  node& reached = owner.impl_->nodes[index];
  reached.reached = true;
  kind_ = reached.kind;
  if (kind_ == json_kind::object) keys_ = reached.keys;
}

/// The first child directly follows its container and is inside its bytes. Returns 0 if the container is
/// empty.
std::uint32_t document::impl::child_of(std::uint32_t index) const noexcept {
  const std::size_t child = std::size_t{index} + 1;
  return child < nodes.size() && nodes[child].begin < nodes[index].end ? index + 1 : 0;
}

/// Marks a value and everything in it as used, because its bytes were returned.
void document::impl::read_all(std::uint32_t index) noexcept {
  const std::uint32_t end = nodes[index].end;
  for (std::size_t i = index; i < nodes.size() && nodes[i].begin < end; ++i) {
    nodes[i].reached = nodes[i].read = true;
  }
}

json_value json_value::at(std::uint32_t index) const noexcept {
  if (index == 0) return {};
  return {*owner_, index};
}

json_value json_value::first() const noexcept {
  return is_object() || is_array() ? at(owner_->impl_->child_of(index_)) : json_value();
}

json_value json_value::next() const noexcept {
  return owner_ == nullptr ? json_value() : at(owner_->impl_->nodes[index_].next);
}

/// Works on the nodes directly, because it is called many times for each payload.
json_value json_value::member(std::string_view key) const noexcept {
  const document::impl& in = *owner_->impl_;
  std::uint32_t found = 0;  // 0 is the root, which is not a member
  for (std::uint32_t member = in.child_of(index_); member != 0; member = in.nodes[member].next) {
    const stretch name = in.nodes[member].key;
    if (name.size != key.size() || in.text(name) != key) continue;
    if (found != 0) {
      owner_->impl_->duplicate = true;
      break;
    }
    found = member;
  }
  return at(found);
}

json_value json_value::operator[](std::size_t index) const noexcept {
  if (!is_array()) return {};
  json_value element = first();
  for (; element && index > 0; --index) element = element.next();
  return element;
}

std::string_view json_value::key() const noexcept {
  return owner_ == nullptr ? std::string_view() : owner_->impl_->text(owner_->impl_->nodes[index_].key);
}

std::string_view json_value::string() const noexcept {
  if (!is_string()) return {};
  owner_->impl_->nodes[index_].read = true;
  return owner_->impl_->text(owner_->impl_->nodes[index_].text);
}

std::optional<double> json_value::number() const noexcept {
  if (kind() != json_kind::number) return std::nullopt;
  node& value = owner_->impl_->nodes[index_];
  value.read = true;
  return value.integral ? static_cast<double>(value.integer) : value.real;
}

std::optional<std::int64_t> json_value::integer() const noexcept {
  if (kind() != json_kind::number) return std::nullopt;
  node& value = owner_->impl_->nodes[index_];
  value.read = true;
  if (value.integral) return value.integer;
  if (std::abs(value.real) > static_cast<double>(max_exact_integer) || std::trunc(value.real) != value.real)
    return std::nullopt;
  return static_cast<std::int64_t>(value.real);
}

std::optional<bool> json_value::boolean() const noexcept {
  if (kind() != json_kind::boolean) return std::nullopt;
  return owner_->impl_->nodes[index_].boolean;
}

bool json_value::ambiguous() const noexcept {
  return owner_ != nullptr && owner_->duplicate();
}

byte_range json_value::range() const noexcept {
  if (owner_ == nullptr) return {};
  const node& value = owner_->impl_->nodes[index_];
  return {value.begin, value.end};
}

std::string_view json_value::raw() const noexcept {
  if (owner_ == nullptr) return {};
  owner_->impl_->read_all(index_);
  const byte_range where = range();
  return std::string_view(owner_->impl_->padded).substr(where.begin + 1, where.size());
}

}  // namespace citestream
