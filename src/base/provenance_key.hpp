/// \file
/// The spelling of provenance keys: `d_1` for data that a tool read, `a_2` for another agent's output, and
/// the tag `[REF|d_1|a_2]` in which a request announces a key and an answer cites one or more.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace citestream::provenance_key {

/// The start of a tag.
inline constexpr std::string_view opening = "[REF|";
/// The end of a tag.
inline constexpr char closing = ']';
/// Separates the keys of one tag.
inline constexpr char separator = '|';
/// The longest tag, in bytes.
inline constexpr std::size_t max_tag_bytes = 512;

/// The maximum number of digits of a key: decimal ones of a counter, or hexadecimal ones, `0` to `9` and `a`
/// to `f`.
inline constexpr std::size_t max_key_digits = 16;

/// The first byte of a key: the kind of the tool result.
enum class kind : char { data = 'd', agent = 'a' };
/// Follows the kind; digits follow it: at most \ref max_key_digits.
inline constexpr char after_kind = '_';

/// Returns true if \p byte is one of \ref kind.
[[nodiscard]] constexpr bool is_kind(char byte) noexcept {
  return byte == static_cast<char>(kind::data) || byte == static_cast<char>(kind::agent);
}

/// Returns true if \p text starts with a kind and an underscore.
[[nodiscard]] constexpr bool starts_key(std::string_view text) noexcept {
  return text.size() >= 2 && is_kind(text[0]) && text[1] == after_kind;
}

/// The minimum number of digits of a key that is made from content.
inline constexpr std::size_t fewest_content_digits = 6;

/// Returns true if \p text may be a key that is made from content.
[[nodiscard]] constexpr bool is_content_key(std::string_view text) noexcept {
  return starts_key(text) && text.size() >= 2 + fewest_content_digits && text.size() <= 2 + max_key_digits &&
         text.substr(2).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Returns the key of a request's tool result \p number, counted from 1.
[[nodiscard]] inline std::string make_key(kind of, std::size_t number) {
  return std::string{static_cast<char>(of), after_kind} + std::to_string(number);
}

/// Returns the key with these hexadecimal digits.
[[nodiscard]] inline std::string make_key(kind of, std::string_view digits) {
  return std::string{static_cast<char>(of), after_kind}.append(digits);
}

/// Separates the keys of a list, such as \ref reference::uses.
inline constexpr char list_separator = ' ';

/// Removes the first key from a list. Returns it; empty if there are no more.
[[nodiscard]] constexpr std::string_view take_key(std::string_view& list) noexcept {
  const std::string_view key = list.substr(0, list.find(list_separator));
  list.remove_prefix(key.size() + (key.size() < list.size() ? 1 : 0));
  return key;
}

/// Returns the tag with one key.
[[nodiscard]] inline std::string make_tag(std::string_view key) {
  return std::string(opening).append(key) + closing;
}

}  // namespace citestream::provenance_key
