#include "inert_markdown.hpp"

#include <algorithm>
#include <cstdint>

namespace citestream::tools {

namespace {

constexpr std::string_view ellipsis = "…";

/// A character as the bytes say: 0 where they are no whole one, and then one byte goes.
struct character {
  std::uint32_t code{};
  std::size_t length{1};
};

character first_character(std::string_view text) noexcept {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xC0U) != 0x80) return {};  // what follows a broken character is read for itself
    code = (code << 6U) | (byte(at) & 0x3FU);
  }
  const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  if (code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, length};
}

bool is_blank(std::uint32_t code) noexcept {
  return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0x2028 || code == 0x2029;
}

/// Shows nothing, or turns the direction of what comes behind it (Unicode Bidi_Control).
bool is_removed(std::uint32_t code) noexcept {
  const auto within = [code](std::uint32_t from, std::uint32_t to) { return code >= from && code <= to; };
  return within(0, 0x1F) || within(0x7F, 0x9F) || code == 0x61C || within(0x200E, 0x200F) ||
         within(0x202A, 0x202E) || within(0x2066, 0x2069);
}

/// The text on one line, with nothing in it that does not show, read no further than is wanted.
std::string cleaned(std::string_view text, std::size_t max_bytes) {
  std::string out;
  bool blank = false;
  while (!text.empty() && out.size() <= max_bytes) {
    const character next = first_character(text);
    if (is_blank(next.code)) {
      blank = true;
    } else if (!is_removed(next.code)) {
      if (blank && !out.empty()) out += ' ';
      out += text.substr(0, next.length);
      blank = false;
    }
    text.remove_prefix(next.length);
  }
  return out;
}

void cut(std::string& text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return;
  std::size_t end = max_bytes - std::min(max_bytes, ellipsis.size());
  while (end > 0 && (static_cast<std::uint8_t>(text[end]) & 0xC0U) == 0x80) --end;
  while (end > 0 && text[end - 1] == ' ') --end;
  text.resize(end);
  text += ellipsis;
}

bool is_word(std::string_view text, std::size_t at) noexcept {
  if (at >= text.size()) return false;
  const char c = text[at];
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether a `.` is that of `www.`, which alone makes a link in GFM.
bool ends_www(std::string_view before) noexcept {
  if (before.size() < 3) return false;
  const std::string_view last = before.substr(before.size() - 3);
  return std::all_of(last.begin(), last.end(), [](char c) { return c == 'w' || c == 'W'; });
}

bool is_escaped(std::string_view text, std::size_t at) noexcept {
  // `$` begins a formula and `@` makes a link of an address, in what many take for Markdown.
  constexpr std::string_view always = "\\`*{}[]()#+!|<>~&$@";
  const char c = text[at];
  if (c == '_') return at == 0 || !is_word(text, at - 1) || !is_word(text, at + 1);
  if (c == ':') return text.substr(at + 1).starts_with("//");
  if (c == '.') return ends_www(text.substr(0, at));
  return always.find(c) != std::string_view::npos;
}

}  // namespace

bool append_inert_markdown(std::string_view text, std::size_t max_bytes, std::string& out) {
  std::string line = cleaned(text, max_bytes);
  cut(line, max_bytes);
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (is_escaped(line, at)) out += '\\';
    out += line[at];
  }
  return !line.empty();
}

}  // namespace citestream::tools
