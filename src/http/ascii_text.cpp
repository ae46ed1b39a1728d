#include "ascii_text.hpp"

#include <algorithm>
#include <cstddef>

#include "base/ascii.hpp"

namespace citestream {
namespace {

/// Appends \p text. Runs of plain bytes are copied, every other byte is given to \p escape.
template <class Plain, class Escape>
void append_escaped(std::string_view text, const Plain& is_plain, const Escape& escape, std::string& out) {
  while (!text.empty()) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_plain);
    const auto size = static_cast<std::size_t>(end - text.begin());
    out.append(text.substr(0, size));
    if (size == text.size()) return;
    escape(text[size]);
    text.remove_prefix(size + 1);
  }
}

}  // namespace

void append_ascii_json(std::string_view text, std::string& out) {
  const auto is_plain = [](char c) { return (c == ' ' || ascii::is_visible(c)) && c != '"' && c != '\\'; };
  const auto escape = [&](char c) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      out += "\\u00";
      ascii::append_hex(c, out);
    }
  };
  out += '"';
  append_escaped(text, is_plain, escape, out);
  out += '"';
}

void append_word(std::string_view text, std::string& out) {
  const auto is_plain = [](char c) { return ascii::is_visible(c) && c != '"' && c != '\\'; };
  const auto escape = [&](char c) {
    out += "\\x";
    ascii::append_hex(c, out);
  };
  if (text.empty()) out += '-';
  append_escaped(text, is_plain, escape, out);
}

}  // namespace citestream
