// How certain code is found.
//
// Two forms count as code:
// - A fence in column 0. A blank line is inserted in front of it and after it if there is none. A line in it
//   that some renderer could treat as its end either ends it or gets a zero-width space in front.
// - A span between two single backticks in one line.
//
// They count only if renderers agree about the text in front of them (certainty). After `$`, `|`, a
// backslash, `<`, `~`, a link or another backtick, spans in the same paragraph do not count. After three
// backticks or tildes that do not open such a fence, and after `$$`, `\[`, `\begin` or a `$` that ends a
// line, which may open a formula of several paragraphs, no more code counts.
#include "exact_code.hpp"

#include <algorithm>

#include "letters.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

constexpr std::size_t shortest_fence = 3;
constexpr std::string_view environment = "\\begin";

/// The number of bytes equal to the one at \p at.
std::size_t run_at(std::string_view text, std::size_t at) noexcept {
  return std::min(text.find_first_not_of(text[at], at), text.size()) - at;
}

}  // namespace

void exact_code::read(std::string_view text) noexcept {
  for (const char c : text) read(c);
}

void exact_code::doubt(certainty how) noexcept {
  certainty_ = std::max(certainty_, how);
}

void exact_code::read(char c) noexcept {
  if (is_line_break(c)) {
    if (!(c == '\n' && last_ == '\r')) {
      if (line_.blank && certainty_ == certainty::not_in_paragraph) certainty_ = certainty::certain;
      line_ = {true, true, line_.blank};
    }
  } else {
    line_.at_start = false;
    line_.blank = line_.blank && (c == ' ' || c == '\t');
    constexpr std::string_view doubtful = "`~$|\\<";
    const bool link = last_ == ']' && (c == '(' || c == ':');
    if (link || doubtful.find(c) != std::string_view::npos) doubt(certainty::not_in_paragraph);
  }
  run_ = c == last_ ? run_ + 1 : 1;
  environment_ = c == environment[environment_] ? environment_ + 1 : c == '\\' ? 1 : 0;
  const bool formula = (last_ == '$' && (c == '$' || is_line_break(c))) || (last_ == '\\' && c == '[') ||
                       environment_ == environment.size();
  if (formula || ((c == '`' || c == '~') && run_ == shortest_fence)) doubt(certainty::not_in_text);
  if (environment_ == environment.size()) environment_ = 0;
  last_ = c;
}

std::optional<code_piece> exact_code::next(const text_ahead& text) {
  if (in_fence()) return fence_line(text);
  const char first = text.bytes.front();
  if ((first != '`' && first != '~') || certainty_ == certainty::not_in_text) return std::nullopt;
  if (line_.at_start) {
    const std::size_t length = run_at(text.bytes, 0);
    if (length == text.bytes.size() && text.may_continue()) return code_piece{};
    if (length >= shortest_fence) return open_fence(text);
  }
  return first == '`' && last_ != '`' && certainty_ == certainty::certain ? span(text) : std::nullopt;
}

code_piece exact_code::take(std::string_view bytes, std::string replacement) {
  line_.at_start = is_line_break(bytes.back());
  last_ = bytes.back();
  run_ = 1;
  return {bytes.size(), std::move(replacement)};
}

std::optional<code_piece> exact_code::open_fence(const text_ahead& text) {
  const std::string_view bytes = text.bytes;
  const std::size_t length = run_at(bytes, 0);
  const auto in_info = [](char c) {
    return is_alphanumeric(c) || c == ' ' || c == '-' || c == '+' || c == '#';
  };
  const auto end =
      std::find_if_not(bytes.begin() + static_cast<std::ptrdiff_t>(length), bytes.end(), in_info);
  if (end == bytes.end() && text.may_continue()) return code_piece{};
  if (end == bytes.end() || !is_line_break(*end)) return std::nullopt;
  const std::string_view opening = bytes.substr(0, static_cast<std::size_t>(end - bytes.begin()));
  fence_ = {bytes.front(), length};
  const std::string blank_line = line_.after_blank ? "" : "\n";
  return take(opening, blank_line + std::string(opening));
}

/// Takes a part of a line in a fence.
code_piece exact_code::fence_line(const text_ahead& text) {
  const std::string_view bytes = text.bytes;
  if (is_line_break(bytes.front())) return take(bytes.substr(0, 1), std::string(1, bytes.front()));
  if (line_.at_start) {
    const std::size_t begin = text.skip(" \t", 0);
    if (begin == bytes.size() && text.may_continue()) return {};
    const bool marked = begin < bytes.size() && bytes[begin] == fence_.mark;
    const std::size_t length = marked ? run_at(bytes, begin) : 0;
    if (marked && begin + length == bytes.size() && text.may_continue()) return {};
    if (length >= shortest_fence) {
      const std::size_t end = text.skip(" \t", begin + length);
      if (end == bytes.size() && text.may_continue()) return {};
      const bool ends_line = end == bytes.size() || is_line_break(bytes[end]);
      const std::size_t next_line = end + (bytes.substr(end).starts_with("\r\n") ? 2U : 1U);
      const bool seen = next_line < bytes.size() || text.end != text_end::beyond_limit;
      if (length >= fence_.length && ends_line && seen) {
        if (next_line >= bytes.size() && text.may_continue()) return {};
        const bool blank_follows = next_line >= bytes.size() || is_line_break(bytes[next_line]);
        const std::string run(length, fence_.mark);
        fence_ = {};
        certainty_ = certainty::certain;
        line_ = {true, true, true};
        return take(bytes.substr(0, end), run + (blank_follows ? "" : "\n"));
      }
      return take(bytes.substr(0, end), "\u200B" + std::string(bytes.substr(0, end)));
    }
  }
  const std::string_view rest = bytes.substr(0, bytes.find_first_of("\n\r"));
  return take(rest, std::string(rest));
}

std::optional<code_piece> exact_code::span(const text_ahead& text) {
  const std::string_view bytes = text.bytes;
  const std::size_t end = bytes.find_first_of("`\n\r|$\\", 1);
  if (end == std::string_view::npos || end + 1 >= bytes.size()) {
    if (text.may_continue()) return code_piece{};
    if (end == std::string_view::npos || text.end == text_end::beyond_limit) return std::nullopt;
  }
  const std::string_view inside = bytes.substr(1, end - 1);
  const bool closed = bytes[end] == '`' && !bytes.substr(end + 1).starts_with('`');
  if (!closed || inside.find_first_not_of(" \t") == std::string_view::npos) return std::nullopt;
  // A link text that started earlier could end inside the span.
  const bool ends_label =
      inside.find("](") != std::string_view::npos || inside.find("]:") != std::string_view::npos;
  if (ends_label) return std::nullopt;
  line_.blank = false;
  return take(bytes.substr(0, end + 1), std::string(bytes.substr(0, end + 1)));
}

}  // namespace citestream
