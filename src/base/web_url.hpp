/// \file
/// Recognises web URLs, and encodes and decodes their bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.hpp"

namespace citestream {

/// What a web URL starts with, in any case.
inline constexpr std::string_view web_schemes[] = {"http://", "https://"};

/// Recipients should support at least this length (RFC 9110, 4.1). Longer URLs often do not work as links.
inline constexpr std::size_t max_url_bytes = 8000;

/// Returns the scheme that \p text starts with (in any case): `http://`, `https://`, or nothing.
[[nodiscard]] constexpr std::string_view web_scheme(std::string_view text) noexcept {
  if (text.empty() || ascii::lower(text.front()) != 'h') return {};  // tried at each word of a text
  for (const std::string_view scheme : web_schemes) {
    if (ascii::starts_with_any_case(text, scheme)) return scheme;
  }
  return {};
}

/// Returns true if \p text is `http://` or `https://` (in any case) and at least one byte more.
[[nodiscard]] constexpr bool is_web_url(std::string_view text) noexcept {
  const std::string_view scheme = web_scheme(text);
  return !scheme.empty() && text.size() > scheme.size();
}

/// RFC 3986, 2.3.
[[nodiscard]] constexpr bool is_unreserved(char c) noexcept {
  return ascii::is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

/// Appends a byte as `%XX` (RFC 3986, 2.1).
inline void append_percent_encoded(char byte, std::string& out) {
  const auto value = static_cast<unsigned char>(byte);
  out += {'%', ascii::upper(ascii::hex_digits[value >> 4U]), ascii::upper(ascii::hex_digits[value & 15U])};
}

/// Appends a byte of a URL so that it means nothing in Markdown. The caller checks `&`.
inline void append_inert_url_byte(char byte, std::string& out) {
  constexpr std::string_view plain = "-._~:/?#@!+,;=%&";
  if (ascii::is_alphanumeric(byte) || plain.find(byte) != std::string_view::npos) {
    out += byte;
  } else {
    append_percent_encoded(byte, out);
  }
}

/// Returns true if \p text, which starts with `&`, starts with a character reference whose name has at most
/// \p longest bytes. Markdown decodes it in the destination of a link.
[[nodiscard]] constexpr bool is_character_reference(std::string_view text,
                                                    std::size_t longest = std::string_view::npos) noexcept {
  const std::size_t begin = text.substr(1).starts_with('#') ? 2 : 1;
  std::size_t at = begin;
  while (at < text.size() && at - begin < longest && ascii::is_alphanumeric(text[at])) ++at;
  return at > begin && at < text.size() && text[at] == ';';
}

/// Returns the byte whose percent-encoding is at \p at, nothing if there is another character.
[[nodiscard]] constexpr std::optional<char> percent_decoded(std::string_view text, std::size_t at) noexcept {
  if (at + 2 >= text.size() || text[at] != '%') return std::nullopt;
  const int high = ascii::hex_value(text[at + 1]);
  const int low = ascii::hex_value(text[at + 2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

}  // namespace citestream
