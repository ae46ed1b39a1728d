// Which lines are items of a list or rows of a table. The mark of an item is a bullet, a letter or a number
// of up to three digits. Commas separate cells if an adjacent line has as many. Of each line at most
// `max_line_bytes` are read.
#include "check/table_row.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/characters.hpp"
#include "base/code_point.hpp"

namespace citestream::check_detail {
namespace {

/// Returns the line of \p text with byte \p at, or max_line_bytes or more of it if it is longer.
[[nodiscard]] std::string_view line_with(std::string_view text, std::size_t at) noexcept {
  constexpr std::size_t most = max_line_bytes;
  const std::size_t start = at > most ? at - most : 0;
  const std::size_t before = text.substr(start, at - start).rfind('\n');
  const std::size_t begin = before == std::string_view::npos ? start : start + before + 1;
  const std::string_view rest = text.substr(begin, at - begin + most);
  return rest.substr(0, std::min(rest.find('\n', at - begin), rest.size()));
}

/// Returns true if \p is_like is true for the line before or after the one with byte \p at.
template <typename IsLike>
[[nodiscard]] bool beside(std::string_view text, std::size_t at, const IsLike& is_like) {
  const std::string_view line = line_with(text, at);
  const auto begin = static_cast<std::size_t>(line.data() - text.data());
  const std::size_t next = begin + line.size() + 1;
  return (next < text.size() && is_like(line_with(text, next))) ||
         (begin > 0 && is_like(line_with(text, begin - 1)));
}

/// Returns true if the comma at \p i of \p line may be inside a number: `41,000`.
[[nodiscard]] bool may_be_in_number(std::string_view line, std::size_t i) noexcept {
  const auto is_digit = [&](std::size_t k) { return k < line.size() && ascii::is_digit(line[k]); };
  const bool before =
      i > 0 && is_digit(i - 1) && !(i > 3 && is_digit(i - 2) && is_digit(i - 3) && is_digit(i - 4));
  return before && is_digit(i + 1) && is_digit(i + 2) && is_digit(i + 3) && !is_digit(i + 4);
}

/// Returns true if all commas of \p line may be inside numbers.
[[nodiscard]] bool only_numbers(std::string_view line) noexcept {
  std::size_t comma = line.find(',');
  while (comma != std::string_view::npos && may_be_in_number(line, comma)) comma = line.find(',', comma + 1);
  return comma == std::string_view::npos;
}

/// Returns the number of commas. One that is the only comma of its line and ends it separates nothing.
[[nodiscard]] std::size_t commas_of(std::string_view line) noexcept {
  const std::size_t first = line.find(',');
  if (first == line.find_last_not_of(" \r")) return 0;
  return static_cast<std::size_t>(std::ranges::count(line, ','));
}

[[nodiscard]] bool has_comma_and_blank(std::string_view line) noexcept {
  return line.find(", ") != std::string_view::npos;
}

/// Returns how often \p mark, a comma or semicolon, is in \p line directly before a word and not in a number.
[[nodiscard]] std::size_t separators_of(std::string_view line, char mark) noexcept {
  if (line.empty()) return 0;
  const auto is_word = [](char c) { return ascii::is_alphanumeric(c) || c < 0; };
  std::size_t count = 0;
  for (std::size_t i = line.find(mark, 1); i < line.size() - 1; i = line.find(mark, i + 1)) {
    const bool in_number = mark == ',' && ascii::is_digit(line[i - 1]) && ascii::is_digit(line[i + 1]);
    count += is_word(line[i + 1]) && !in_number ? 1U : 0U;
  }
  return count;
}

[[nodiscard]] std::size_t separators_of(std::string_view line) noexcept {
  return separators_of(line, ',') + separators_of(line, ';');
}

/// Returns true if the line at \p at has_fields(), or as many separators as the line before or after it.
[[nodiscard]] bool is_csv_row(std::string_view text, std::size_t at) noexcept {
  if (has_fields(text, at)) return true;
  const std::size_t count = separators_of(line_from(text, at));
  return count > 0 && beside(text, at, [count](std::string_view other) {
           return separators_of(other.substr(0, max_line_bytes)) == count;
         });
}

/// Returns true for `<td>Basic</td>` and other lines that start with a tag of a table.
[[nodiscard]] bool has_table_tag(std::string_view line) noexcept {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || line[first] != '<') return false;
  constexpr std::string_view tags[] = {"tr", "td", "th", "table", "thead", "tbody"};
  std::string_view tag = line.substr(first + 1);
  if (tag.starts_with('/')) tag.remove_prefix(1);
  return ascii::is_one_of(tags, tag.substr(0, tag.find_first_of(" >")));
}

/// Returns the size of the bullet at the start of \p line; 0 without one.
[[nodiscard]] std::size_t bullet_size(std::string_view line) noexcept {
  if (line.empty()) return 0;
  const code_point first = first_code_point(line);
  return is_bullet(first.value) ? first.length : 0;
}

/// Returns true for `- Monday: 8 to 16`.
[[nodiscard]] bool is_labelled_item(std::string_view line) noexcept {
  constexpr std::size_t longest_label = 48;  // bytes
  const std::size_t mark = line.find_first_not_of(' ');
  if (mark == std::string_view::npos) return false;
  const std::string_view item = line.substr(mark);
  const std::size_t bullet = bullet_size(item);
  if (bullet == 0 || !item.substr(bullet).starts_with(' ')) return false;
  return item.substr(0, longest_label).find(": ") != std::string_view::npos &&
         item.find(". ") == std::string_view::npos;
}

[[nodiscard]] bool has(std::string_view line, char mark) noexcept {
  return line.find(mark) != std::string_view::npos;
}

}  // namespace

std::string_view line_from(std::string_view text, std::size_t at) noexcept {
  const std::string_view start = text.substr(std::min(at, text.size()), max_line_bytes);
  return start.substr(0, start.find('\n'));
}

std::size_t item_mark(std::string_view line) noexcept {
  std::size_t size = bullet_size(line);
  if (line.starts_with("o  ")) size = 1;  // a bullet of a manual page; one blank: the Spanish "or"
  constexpr std::size_t most_digits = 3;
  const std::size_t digits = line.substr(0, most_digits).find_first_not_of("0123456789");
  const bool letter = !line.empty() && ascii::is_letter(line.front());
  const std::size_t counter = letter ? 1 : std::min(digits, most_digits);
  if (counter > 0 && counter < line.size() && (line[counter] == '.' || line[counter] == ')'))
    size = counter + 1;
  if (size == 0 || size >= line.size() || line[size] != ' ') return 0;
  return std::min(line.find_first_not_of(' ', size), line.size());
}

bool has_fields(std::string_view text, std::size_t at) noexcept {
  const std::string_view line = line_with(text, at);
  if (line.size() >= max_line_bytes || has_comma_and_blank(line)) return false;
  const std::size_t count = commas_of(line);
  if (count == 0) return false;
  if (line.find_first_of(";|\t") != std::string_view::npos) return false;
  const bool numbers = only_numbers(line);
  return beside(text, at, [&](std::string_view other) {
    return commas_of(other) == count && !has_comma_and_blank(other) && !(numbers && only_numbers(other));
  });
}

bool is_table_row(std::string_view text, std::size_t at) noexcept {
  const std::string_view line = line_from(text, at);
  // Two searches for one byte: find_first_of() is slower and took a fifth of the time of a claim.
  return has_table_tag(line) || has(line, '|') || has(line, '\t') || is_labelled_item(line) ||
         is_csv_row(text, at);
}

char cell_separator(std::string_view row) noexcept {
  if (is_labelled_item(row)) return '\0';
  if (has(row, '|')) return '|';
  if (has(row, '\t')) return '\t';
  return separators_of(row, ';') > 0 ? ';' : ',';
}

}  // namespace citestream::check_detail
