// How values are skipped.
//
// Strings are the common case. They are scanned eight bytes at a time for a quote, a backslash or a control
// character, and checked for valid UTF-8 only if they contain bytes outside ASCII. Nested values are skipped
// with a stack of 64 bits, one for each open bracket, so there is no recursion. Every function is linear in
// the bytes it looks at.
//
// Whatever is accepted here is accepted by `document` too; the proof in envelope.hpp depends on it. The
// converse is not needed, so long numbers and deep nesting are simply rejected.
#include "chunk/json_scan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <simdjson.h>

#include "base/ascii.hpp"

namespace citestream::json_scan {

namespace {

/// Longer numbers are left to the parser. With at most two digits of exponent, all numbers up to here are
/// finite.
constexpr std::ptrdiff_t longest_number = 40;
constexpr std::size_t deepest = 64;  ///< one bit for each open bracket

using ascii::is_digit;

const char* skip_digits(const char* at, const char* end) noexcept {
  while (at != end && is_digit(*at)) ++at;
  return at;
}

/// Reads four hexadecimal digits. Returns a value above 0xFFFF if there are fewer.
std::uint32_t unit(const char* at, const char* end) noexcept {
  if (end - at < 4) return ~std::uint32_t{0};
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = ascii::hex_value(at[i]);
    if (digit < 0) return ~std::uint32_t{0};
    value = value << 4U | static_cast<std::uint32_t>(digit);
  }
  return value;
}

bool is_high_half(std::uint32_t unit) noexcept {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool is_low_half(std::uint32_t unit) noexcept {
  return unit >= 0xDC00 && unit < 0xE000;
}

bool is_short_escape(char c) noexcept {
  switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return true;
    default:
      return false;
  }
}

/// Returns the position after an escape whose backslash is at `at`, or null if it is invalid.
const char* skip_escape(const char* at, const char* end) noexcept {
  if (end - at < 2) return nullptr;
  if (at[1] != 'u') return is_short_escape(at[1]) ? at + 2 : nullptr;
  const std::uint32_t first = unit(at + 2, end);
  if (first > 0xFFFF || is_low_half(first)) return nullptr;
  at += 6;
  if (!is_high_half(first)) return at;
  if (end - at < 6 || at[0] != '\\' || at[1] != 'u' || !is_low_half(unit(at + 2, end))) return nullptr;
  return at + 6;
}

const char* skip_blanks(const char* at, const char* end) noexcept {
  while (at != end && (*at == ' ' || *at == '\t')) ++at;
  return at;
}

const char* skip_word(const char* at, const char* end, std::string_view word) noexcept {
  return same_bytes(word.data(), at, word.size(), end) ? at + word.size() : nullptr;
}

const char* skip_key(const char* at, const char* end) noexcept {
  if (at == end || *at != '"') return nullptr;
  at = skip_string(at + 1, end).quote;
  if (at == nullptr) return nullptr;
  at = skip_blanks(at + 1, end);
  return at != end && *at == ':' ? skip_blanks(at + 1, end) : nullptr;
}

const char* skip_scalar(const char* at, const char* end) noexcept {
  switch (*at) {
    case '"':
      at = skip_string(at + 1, end).quote;
      return at == nullptr ? nullptr : at + 1;
    case 't':
      return skip_word(at, end, "true");
    case 'f':
      return skip_word(at, end, "false");
    case 'n':
      return skip_word(at, end, "null");
    default:
      return skip_number(at, end);
  }
}

/// The open brackets, the innermost in the lowest bit. A set bit is an object.
struct open_brackets {
  std::uint64_t objects{};
  std::size_t count{};
  void push(bool object) noexcept {
    objects = objects << 1U | (object ? 1U : 0U);
    ++count;
  }
  void pop() noexcept {
    objects >>= 1U;
    --count;
  }
  [[nodiscard]] bool object() const noexcept { return (objects & 1U) != 0; }
};

/// Skips closing brackets, commas and keys up to the next value or the end of the outermost value. Returns
/// null if the bytes are invalid.
const char* skip_to_next(const char* at, const char* end, open_brackets& open) noexcept {
  while (open.count > 0) {
    at = skip_blanks(at, end);
    if (at == end) return nullptr;
    if (*at == ',') {
      at = skip_blanks(at + 1, end);
      return open.object() ? skip_key(at, end) : at;
    }
    if (*at != (open.object() ? '}' : ']')) return nullptr;
    ++at;
    open.pop();
  }
  return at;
}

/// Returns true if `text` is blank, or ends inside a number or a literal such as `true`.
bool is_cut_scalar(std::string_view text) noexcept {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return true;
  text.remove_prefix(begin);
  for (const std::string_view word : {"true", "false", "null"}) {
    if (text.size() < word.size() && word.starts_with(text)) return true;
  }
  if (text.size() >= static_cast<std::size_t>(longest_number)) return false;
  std::array<char, longest_number> number{};
  text.copy(number.data(), text.size());
  number[text.size()] = '0';
  const char* const end = number.data() + text.size() + 1;
  return skip_number(number.data(), end) == end;
}

}  // namespace

const char* skip_plain(const char* at, const char* end, std::uint64_t& high) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    for (; end - at >= 8; at += 8) {
      std::uint64_t word{};
      std::memcpy(&word, at, sizeof word);
      const std::uint64_t stops = stops_in(word);
      if (stops != 0) {
        // Only the lowest bit is reliable.
        const std::uint64_t before = (stops & (0 - stops)) - 1;
        high |= word & high_bits & before;
        return at + std::countr_zero(stops) / 8;
      }
      high |= word & high_bits;
    }
  }
  for (; at != end; ++at) {
    const auto c = static_cast<unsigned char>(*at);
    if (c == '"' || c == '\\' || c < 0x20) return at;
    high |= c & 0x80U;
  }
  return at;
}

string_end skip_any_string(const char* at, const char* end) noexcept {
  const char* const begin = at;
  std::uint64_t high = 0;
  bool escaped = false;
  while (true) {
    at = skip_plain(at, end, high);
    if (at == end) return {};
    if (*at == '"') break;
    if (*at != '\\') return {};
    escaped = true;
    at = skip_escape(at, end);
    if (at == nullptr) return {};
  }
  if (high != 0 && !simdjson::validate_utf8(begin, static_cast<std::size_t>(at - begin))) return {};
  return {at, escaped};
}

const char* skip_any_number(const char* at, const char* end) noexcept {
  const char* const begin = at;
  if (at != end && *at == '-') ++at;
  const char* digits = at;
  at = skip_digits(at, end);
  if (at == digits || (*digits == '0' && at - digits > 1)) return nullptr;
  if (at != end && *at == '.') {
    digits = ++at;
    at = skip_digits(at, end);
    if (at == digits) return nullptr;
  }
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at != end && (*at == '+' || *at == '-')) ++at;
    digits = at;
    at = skip_digits(at, end);
    if (at == digits || at - digits > 2) return nullptr;
  }
  return at - begin <= longest_number ? at : nullptr;
}

const char* skip_value(const char* at, const char* end, std::size_t levels) noexcept {
  open_brackets open;
  while (at != nullptr && at != end) {
    const bool object = *at == '{';
    if (object || *at == '[') {
      if (open.count == levels || open.count == deepest) return nullptr;
      open.push(object);
      at = skip_blanks(at + 1, end);
      if (at == end) return nullptr;
      if (*at != (object ? '}' : ']')) {
        if (object) at = skip_key(at, end);
        continue;
      }
      ++at;
      open.pop();
    } else {
      at = skip_scalar(at, end);
      if (at == nullptr) return nullptr;
    }
    at = skip_to_next(at, end, open);
    if (at == nullptr || open.count == 0) return at;
  }
  return nullptr;
}

bool is_unfinished(std::string_view json) noexcept {
  if (is_cut_scalar(json)) return true;
  std::size_t open = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char byte = json[at];
    if (byte == '"') {
      for (++at; at < json.size() && json[at] != '"'; ++at) {
        if (json[at] == '\\') ++at;
      }
      if (at >= json.size()) return true;
    } else if (byte == '{' || byte == '[') {
      ++open;
    } else if ((byte == '}' || byte == ']') && open > 0) {
      --open;
    }
  }
  return open > 0;
}

bool is_utf8(std::string_view bytes) noexcept {
  return simdjson::validate_utf8(bytes.data(), bytes.size());
}

void append_unescaped(std::string_view bytes, std::string& out) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at != end) {
    const void* found = std::memchr(at, '\\', static_cast<std::size_t>(end - at));
    const char* const escape = found == nullptr ? end : static_cast<const char*>(found);
    out.append(at, escape);
    if (escape == end) return;
    const char kind = escape[1];
    at = escape + 2;
    if (kind != 'u') {
      constexpr std::string_view names = "\"\\/bfnrt";
      constexpr std::string_view means = "\"\\/\b\f\n\r\t";
      out.push_back(means[names.find(kind)]);
      continue;
    }
    std::uint32_t point = unit(at, end);
    at += 4;
    if (is_high_half(point)) {
      point = 0x10000 + ((point - 0xD800) << 10U) + (unit(at + 2, end) - 0xDC00);
      at += 6;
    }
    const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (point < 0x80) {
      put(point);
    } else if (point < 0x800) {
      put(0xC0 | point >> 6U);
      put(0x80 | (point & 0x3FU));
    } else {
      if (point < 0x10000) {
        put(0xE0 | point >> 12U);
      } else {
        put(0xF0 | point >> 18U);
        put(0x80 | (point >> 12U & 0x3FU));
      }
      put(0x80 | (point >> 6U & 0x3FU));
      put(0x80 | (point & 0x3FU));
    }
  }
}

}  // namespace citestream::json_scan
