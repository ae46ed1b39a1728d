#include "check/prose.hpp"

#include <algorithm>

#include "base/web_url.hpp"

namespace citestream::check_detail {
namespace {

[[nodiscard]] std::string_view trimmed(std::string_view line) noexcept {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

/// Returns the number of \p c at the start of \p line.
[[nodiscard]] std::size_t run_of(std::string_view line, char c) noexcept {
  return std::min(line.find_first_not_of(c), line.size());
}

[[nodiscard]] bool is_heading(std::string_view line) noexcept {
  const std::size_t marks = run_of(line, '#');
  return marks >= 1 && marks <= 6 && (marks == line.size() || line[marks] == ' ' || line[marks] == '\t');
}

[[nodiscard]] bool is_link_definition(std::string_view line) noexcept {
  if (line.starts_with('[')) line.remove_prefix(std::min(line.find(']'), line.size() - 1) + 1);
  if (!line.starts_with(':')) return false;
  line = trimmed(line.substr(1));
  if (line.starts_with('<')) line.remove_prefix(1);
  if (web_scheme(line).empty()) return false;
  const std::string_view title = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
  return title.empty() || title[0] == '"' || title[0] == '\'' || title[0] == '(';
}

/// Returns true for the row below the head of a table: `|---|:-:|`.
[[nodiscard]] bool is_table_rule(std::string_view line) noexcept {
  return line.find('|') != std::string_view::npos && line.find('-') != std::string_view::npos &&
         line.find_first_not_of("|:- \t") == std::string_view::npos;
}

}  // namespace

std::string_view prose_lines::line_at(std::size_t at) const noexcept {
  return text_.substr(at, std::min(text_.find('\n', at), text_.size()) - at);
}

/// Follows CommonMark 0.31, 4.5, except that fences may have any indentation, because lists indent them.
bool prose_lines::in_code(std::string_view line) noexcept {
  if (fence_ != 0) {
    const std::size_t marks = run_of(line, fence_);
    if (marks >= fence_count_ && marks == line.size()) fence_ = 0;
    return true;
  }
  if (!line.starts_with("```") && !line.starts_with("~~~")) return false;
  const std::size_t marks = run_of(line, line[0]);
  if (line[0] == '`' && line.find('`', marks) != std::string_view::npos) return false;  // inline code
  fence_ = line[0];
  fence_count_ = marks;
  return true;
}

bool prose_lines::next(text_line& out) noexcept {
  if (at_ >= text_.size()) return false;
  out.text = line_at(at_);
  at_ += out.text.size();
  out.ended = at_ < text_.size();
  if (out.ended) ++at_;
  const std::string_view line = trimmed(out.text);
  const bool table_head =
      line.find('|') != std::string_view::npos && at_ < text_.size() && is_table_rule(trimmed(line_at(at_)));
  out.prose =
      !in_code(line) && !is_heading(line) && !is_link_definition(line) && !is_table_rule(line) && !table_head;
  return true;
}

}  // namespace citestream::check_detail
