#include "ascii_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/ascii.hpp"
#include "base/code_point.hpp"

namespace citestream {
namespace {

/// Appends \p text. Runs of plain bytes are copied. \param escape  appends the start of the rest and returns
/// its size in bytes
template <class Plain, class Escape>
void append_escaped(std::string_view text, const Plain& is_plain, const Escape& escape, std::string& out) {
  while (!text.empty()) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_plain);
    const auto size = static_cast<std::size_t>(end - text.begin());
    out.append(text.substr(0, size));
    if (size == text.size()) return;
    text.remove_prefix(size);
    text.remove_prefix(escape(text));
  }
}

/// Appends a UTF-16 code unit as `\u00e9`.
void append_unit(std::uint32_t unit, std::string& out) {
  out += "\\u";
  ascii::append_hex(static_cast<char>(unit >> 8U), out);
  ascii::append_hex(static_cast<char>(unit & 0xFFU), out);
}

}  // namespace

void append_ascii_json(std::string_view text, std::string& out) {
  const auto is_plain = [](char c) { return (c == ' ' || ascii::is_visible(c)) && c != '"' && c != '\\'; };
  const auto escape = [&](std::string_view rest) -> std::size_t {
    const char c = rest.front();
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
      return 1;
    }
    const code_point first = first_code_point(rest);
    if (first.value >= 0x10000) {
      append_unit(0xD800 + ((first.value - 0x10000) >> 10U), out);
      append_unit(0xDC00 + (first.value & 0x3FFU), out);
    } else {
      append_unit(first.length > 0 ? first.value : static_cast<unsigned char>(c), out);
    }
    return std::max<std::size_t>(first.length, 1);
  };
  out += '"';
  append_escaped(text, is_plain, escape, out);
  out += '"';
}

void append_word(std::string_view text, std::string& out) {
  const auto is_plain = [](char c) { return ascii::is_visible(c) && c != '"' && c != '\\'; };
  const auto escape = [&](std::string_view rest) -> std::size_t {
    out += "\\x";
    ascii::append_hex(rest.front(), out);
    return 1;
  };
  if (text.empty()) out += '-';
  append_escaped(text, is_plain, escape, out);
}

}  // namespace citestream
