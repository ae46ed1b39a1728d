#include "check/markdown.hpp"

#include <cstddef>

namespace citestream::check_detail {
namespace {

/// The bytes at \p at of a character that shows nothing: U+0080 to U+009F, U+061C, U+200E to U+200F, U+2028
/// to U+202E, U+2066 to U+2069. 0: it is none.
[[nodiscard]] std::size_t invisible_at(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t place) {
    return place < text.size() ? static_cast<unsigned char>(text[place]) : 0U;
  };
  if (byte(at) == 0xC2 && byte(at + 1) >= 0x80 && byte(at + 1) < 0xA0) return 2;
  if (byte(at) == 0xD8 && byte(at + 1) == 0x9C) return 2;
  if (byte(at) != 0xE2) return 0;
  const unsigned last = byte(at + 2);
  const bool marks = byte(at + 1) == 0x80 && (last == 0x8E || last == 0x8F || (last >= 0xA8 && last <= 0xAE));
  const bool isolates = byte(at + 1) == 0x81 && last >= 0xA6 && last <= 0xA9;
  return marks || isolates ? 3 : 0;
}

[[nodiscard]] bool is_word(std::string_view text, std::size_t at) noexcept {
  if (at >= text.size()) return false;
  const char c = text[at];
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// `Financial_Report.pdf` stays as it is.
[[nodiscard]] bool is_escaped(std::string_view text, std::size_t at) noexcept {
  constexpr std::string_view always = "\\`*{}[]()#+!|<>~&$@";
  const char c = text[at];
  if (c == '_') return at == 0 || !is_word(text, at - 1) || !is_word(text, at + 1);
  if (c == ':') return text.substr(at + 1).starts_with("//");
  if (c == '.') return at >= 3 && (text[at - 1] | 0x20) == 'w' && (text[at - 2] | 0x20) == 'w';
  return always.find(c) != std::string_view::npos;
}

}  // namespace

void append_markdown_text(std::string_view text, std::string& out) {
  const std::size_t begin = out.size();
  bool blank = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (const std::size_t hidden = invisible_at(text, at); hidden != 0) {
      at += hidden - 1;
      continue;
    }
    if (byte <= ' ' || byte == 0x7F) {
      blank = blank || (byte >= '\t' && byte <= '\r') || byte == ' ';
      continue;
    }
    if (blank && out.size() > begin) out += ' ';
    blank = false;
    if (is_escaped(text, at)) out += '\\';
    out += text[at];
  }
}

void append_markdown_link(std::string_view text, std::string_view url, std::string& out) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view encoded = "()<>\"\\`[]{}|^";
  out += '[';
  append_markdown_text(text, out);
  out += "](";
  for (const char c : url) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte < 0x7F && encoded.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4U];
      out += digits[byte & 0xFU];
    }
  }
  out += ')';
}

}  // namespace citestream::check_detail
