// How wrapped text is recognised.
//
// A line break is soft if the sentence goes on after it. The characters next to it decide most breaks, so few
// lines are read. A wrapped line is one after which the next word had no room. Lists without marks and forms
// look like that, too, if their lines are equally long. They differ in three ways: their lines are short, no
// sentence ends in them (has_sentence_end()), or the first starts in lower case below the end of a sentence
// (starts_list()). A break that may be either is not soft. Cost: a bounded part of two lines, and of the
// lines next to them, for each break.
#include "check/soft_break.hpp"

#include <citestream/base/offsets.hpp>

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "check/table_row.hpp"
#include "check/unicode_letters.hpp"

namespace citestream::check_detail {
namespace {

/// Returns true for `price: 5`.
[[nodiscard]] bool has_label(std::string_view line) noexcept {
  constexpr std::size_t longest = 48;  // bytes
  const std::size_t mark = line.substr(0, longest).find_first_of(":.,;");
  return mark != std::string_view::npos && line[mark] == ':';
}

/// Returns true if a sentence that \p before ends with the last character of may go on with \p line.
[[nodiscard]] bool may_continue(char before, std::string_view line) noexcept {
  const char first = line.front();
  if (ascii::is_letter(first) && ascii::lower(first) == first) return true;
  const bool number = ascii::is_digit(first) || first == '$' || first == '(' || line.starts_with("€") ||
                      line.starts_with("£");
  if (number) return ascii::is_letter(before) || before < 0;
  if (!starts_letter(first)) return false;
  const letter found = first_letter(line);
  return found.kind == letter_kind::letter && !found.capital;
}

/// Returns true if the line at \p begin starts in lower case below the end of a sentence: it starts a list.
[[nodiscard]] bool starts_list(std::string_view text, std::size_t begin) noexcept {
  const std::size_t first = text.find_first_not_of(' ', begin);
  const std::size_t before = text.substr(0, begin).find_last_not_of("\r\n ");
  return before != std::string_view::npos &&
         std::string_view(".!?:").find(text[before]) != std::string_view::npos && text[first] >= 'a' &&
         text[first] <= 'z';
}

/// Returns true if the sentence of a paragraph ends in \p text.
[[nodiscard]] bool has_sentence_end(std::string_view text) noexcept {
  for (std::size_t at = text.find_first_of(".!?"); at != std::string_view::npos;
       at = text.find_first_of(".!?", at + 1)) {
    if (at + 1 == text.size() || !ascii::is_alphanumeric(text[at + 1])) return true;
  }
  return false;
}

/// Returns true if the line feed at \p at of \p text may be inside a sentence: a letter, digit, comma,
/// percent sign or closing quote or parenthesis is before it, and a lower-case letter or, after a letter, a
/// number or an opening parenthesis after it. Returns false
/// - before an item of a list, a label (`price: 5`) or a line with another indentation than the text of the
///   line before;
/// - after a heading, or a line that with the next word has less than 40 bytes or less than three quarters of
///   the next line, unless it ends with a comma;
/// - next to a row of a table or a line of max_line_bytes.
[[nodiscard]] bool is_soft_break(std::string_view text, std::size_t at) noexcept {
  std::size_t end = at;  // of the line, without a carriage return and one blank
  if (end > 0 && text[end - 1] == '\r') --end;
  if (end > 0 && text[end - 1] == ' ') --end;
  if (end == 0) return false;
  const char before = text[end - 1];
  if (!ascii::is_alphanumeric(before) && before >= 0 &&
      std::string_view(",)%\"'").find(before) == std::string_view::npos)
    return false;
  const std::size_t indentation = text.find_first_not_of(' ', at + 1);
  if (indentation == std::string_view::npos || !may_continue(before, text.substr(indentation))) return false;

  const std::size_t earliest = end > max_line_bytes ? end - max_line_bytes : 0;
  const std::size_t feed = text.substr(earliest, end - earliest).rfind('\n');
  if (feed == std::string_view::npos && earliest > 0) return false;
  const std::size_t begin = feed == std::string_view::npos ? 0 : earliest + feed + 1;
  const std::string_view line = text.substr(begin, end - begin);
  const std::size_t start = line.find_first_not_of(' ');
  if (start == std::string_view::npos || line[start] == '#') return false;
  text_offset mark;  // a bullet of several bytes is one column
  mark.advance(line.substr(start, item_mark(line.substr(start))));
  const std::size_t column = start + mark.codepoint;
  if (indentation - (at + 1) != column) return false;

  const std::string_view whole = line_from(text, at + 1);
  if (whole.size() == max_line_bytes) return false;
  const std::string_view next = whole.substr(column);
  if (item_mark(next) > 0 || has_label(next)) return false;
  constexpr std::size_t narrowest = 40;  // bytes: shorter lines are those of lists and forms
  const std::size_t with_word = line.size() + 1 + std::min(next.find(' '), next.size());
  if (before != ',' && (with_word < narrowest || with_word * 4 < whole.size() * 3))
    return false;  // lines of a document are not equally long
  return !is_table_row(text, begin) && !is_table_row(text, at + 1);
}

}  // namespace

void join_lines(std::string_view text, std::string& out) {
  out.assign(text);
  std::size_t begin = 0;  // of the paragraph
  bool wrapped = false;
  bool joins = false;  // the line before is joined with this one, or would be if it were not in a list
  bool list = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t line = at;
    at = std::min(text.find('\n', at), text.size());
    const bool joined = std::exchange(joins, at < text.size() && is_soft_break(text, at));
    if (joins) {
      if (!joined) list = starts_list(text, line);
      if (!list) out[at] = ' ';
      wrapped = wrapped || !list;
      continue;
    }
    const std::size_t next = text.find_first_not_of("\r ", at + 1);
    if (next != std::string_view::npos && text[next] != '\n') continue;
    const std::string_view paragraph = text.substr(begin, at - begin);
    if (wrapped && !has_sentence_end(paragraph)) out.replace(begin, paragraph.size(), paragraph);
    begin = at + 1;
    wrapped = false;
  }
}

}  // namespace citestream::check_detail
