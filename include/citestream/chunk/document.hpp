/// \file
/// One parsed JSON payload, with the byte range of every value.
///
/// This is the only stage that knows the JSON parser. A payload is read once, and every value is validated
/// (RFC 8259: UTF-8, escapes, numbers), so the result of later edits is valid too. Dialects look up values by
/// key, and the rewriter uses the byte ranges.
///
/// \code
///   citestream::document doc;
///   if (auto error = doc.parse(payload)) { /* pass the bytes */ }
///   citestream::json_value text = doc.root()["choices"][0]["delta"]["content"];
///   if (text.is_string()) use(text.string(), text.range());
/// \endcode
#pragma once

#include <citestream/base/byte_range.hpp>
#include <citestream/base/limits.hpp>
#include <citestream/base/status.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// The type of a value (RFC 8259, 3). `missing`: there is no value.
enum class json_kind : std::uint8_t { missing, null, boolean, number, string, array, object };

/// A value that has not been used so far: see \ref document::unread.
struct unread_value {
  byte_range place;       ///< in the payload: json_value::range()
  json_kind kind{};       ///< never `missing`
  bool reached{};         ///< a look-up or a step returned it, and its kind may have been used
  std::uint32_t depth{};  ///< number of arrays and objects around it
};

class document;
class json_iterator;

namespace detail {

/// A key as one of 64 bits. Most look-ups are for keys that the object does not have, because each dialect
/// looks up its own. If no key of the object has this bit, its members are not searched. Defined here, so
/// that the compiler evaluates it for constant keys.
constexpr std::uint64_t key_bit(std::string_view key) noexcept {
  if (key.empty()) return 1;
  const std::size_t mixed =
      key.size() * 7 + static_cast<unsigned char>(key.front()) * 5U + static_cast<unsigned char>(key.back());
  return std::uint64_t{1} << (mixed % 64);
}

}  // namespace detail

/// A value in a \ref document, or a missing one. A look-up in a missing value gives `missing`, so look-ups
/// can be chained. Valid until the document's next parse() or its destruction.
class json_value {
 public:
  json_value() = default;

  /// The type of the value, or `missing`.
  [[nodiscard]] json_kind kind() const noexcept { return kind_; }
  /// Returns true if there is a value; `null` is one.
  [[nodiscard]] explicit operator bool() const noexcept { return kind() != json_kind::missing; }
  [[nodiscard]] bool is_string() const noexcept { return kind() == json_kind::string; }  ///< by kind()
  [[nodiscard]] bool is_object() const noexcept { return kind() == json_kind::object; }  ///< the same
  [[nodiscard]] bool is_array() const noexcept { return kind() == json_kind::array; }    ///< the same
  [[nodiscard]] bool is_null() const noexcept { return kind() == json_kind::null; }      ///< the same

  /// The member \p key of an object. If the key occurs twice, document::duplicate() becomes true.
  [[nodiscard]] json_value operator[](std::string_view key) const noexcept {
    return (keys_ & detail::key_bit(key)) == 0 ? json_value() : member(key);
  }
  /// The element \p index of an array.
  [[nodiscard]] json_value operator[](std::size_t index) const noexcept;

  /// The first element or member; `missing` if this is empty, or is not an array or object.
  [[nodiscard]] json_value first() const noexcept;
  /// The first element of an array; `missing` if this is empty, or is not an array.
  [[nodiscard]] json_value first_element() const noexcept { return is_array() ? first() : json_value(); }
  [[nodiscard]] json_iterator begin() const noexcept;                         ///< the elements or members
  [[nodiscard]] static std::default_sentinel_t end() noexcept { return {}; }  ///< their end
  /// An array itself; `missing` for others.
  [[nodiscard]] json_value elements() const noexcept { return is_array() ? *this : json_value(); }
  /// The next element or member; `missing` at the end.
  [[nodiscard]] json_value next() const noexcept;
  /// The key of a member, unescaped; empty for others.
  [[nodiscard]] std::string_view key() const noexcept;

  /// A string's text, unescaped; empty for others.
  [[nodiscard]] std::string_view string() const noexcept;
  /// A number as a double; nothing for others.
  [[nodiscard]] std::optional<double> number() const noexcept;
  /// A number that is an integer in range (`15.0` too); nothing for others.
  [[nodiscard]] std::optional<std::int64_t> integer() const noexcept;
  /// A boolean; nothing for others.
  [[nodiscard]] std::optional<bool> boolean() const noexcept;

  /// The value's bytes in the payload: a string with its quotes, an object with its braces.
  [[nodiscard]] byte_range range() const noexcept;
  /// Those bytes.
  [[nodiscard]] std::string_view raw() const noexcept;
  /// Returns \ref document::duplicate of the document.
  [[nodiscard]] bool ambiguous() const noexcept;
  /// Returns true if an object or array has no members or elements.
  [[nodiscard]] bool empty() const noexcept { return !first(); }

 private:
  friend class document;
  json_value(const document& owner, std::uint32_t index) noexcept;
  [[nodiscard]] json_value at(std::uint32_t index) const noexcept;
  [[nodiscard]] json_value member(std::string_view key) const noexcept;

  const document* owner_{};
  std::uint64_t keys_{};  ///< of an object: detail::key_bit() of each key
  std::uint32_t index_{};
  json_kind kind_{};
};

/// An input iterator over the elements of an array or the members of an object.
class json_iterator {
 public:
  using value_type = json_value;           ///< for algorithms
  using difference_type = std::ptrdiff_t;  ///< the same

  explicit json_iterator(json_value at = {}) noexcept : at_(at) {}  ///< missing: the end
  const json_value& operator*() const noexcept { return at_; }      ///< the element or member
  /// Moves to the next one.
  json_iterator& operator++() noexcept {
    at_ = at_.next();
    return *this;
  }
  void operator++(int) noexcept { ++*this; }                                ///< the same
  bool operator==(std::default_sentinel_t) const noexcept { return !at_; }  ///< whether this is the end

 private:
  json_value at_;
};

inline json_iterator json_value::begin() const noexcept {
  return json_iterator(first());
}

/// A parsed payload. Reusable; a reused document does not allocate.
class document {
 public:
  /// The deepest nesting that can be read. Parsing recurses once per level, and this many need little stack.
  static constexpr std::size_t deepest = 1024;

  /// \param max_depth  maximum nesting; more than \ref deepest is the same as that
  explicit document(std::size_t max_depth = limits{}.max_json_depth);
  ~document();
  document(document&&) noexcept;             ///< the moved-from object can only be assigned to or destroyed
  document& operator=(document&&) noexcept;  ///< the same

  /// Changes the maximum nesting (see the constructor).
  void limit(std::size_t max_depth) noexcept;

  /// Parses one JSON text, which is copied. Errors: \ref errc::invalid_json (also for invalid UTF-8, a lone
  /// surrogate, a number that no double can hold, bytes after the value, or 4 GiB and more) and \ref
  /// errc::json_too_deep. The document is then empty.
  status parse(std::string_view json);

  /// The root, `missing` before the first parse() and after a failed one.
  [[nodiscard]] json_value root() const noexcept;

  /// Returns true if a look-up since parse() found a duplicate key in an object. Receivers may differ in
  /// which value they use, so such a payload should not be changed.
  [[nodiscard]] bool duplicate() const noexcept;

  /// Sets \p out to the values that were not used since parse(), in order of position. These are values that
  /// no look-up and no step returned, each including everything in it, and strings and numbers that were
  /// returned but whose value (string(), number(), integer(), raw()) was not read. In a payload that differs
  /// only in such values, the same look-ups give the same results, except for positions.
  void unread(std::vector<unread_value>& out) const;

 private:
  friend class json_value;
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
