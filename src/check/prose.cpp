// How lines are classified.
//
// Each line is classified by its own text and by two states: the open fence (CommonMark 0.31, 4.5), and
// whether the line before it belongs to a list of references. A line introduces such a list if all of its
// words are known (heading_words, words_around): `Sources of revenue` does not.
#include "check/prose.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/web_url.hpp"
#include "check/table_row.hpp"
#include "check/vocabulary.hpp"
#include "cite/source_words.hpp"

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

/// Returns true for the definition of a footnote (`[^1]: Report`) or of a link to a URL.
[[nodiscard]] bool is_definition(std::string_view line) noexcept {
  const bool footnote = line.starts_with("[^");
  if (line.starts_with('[')) line.remove_prefix(std::min(line.find(']'), line.size() - 1) + 1);
  if (!line.starts_with(':')) return false;
  line = trimmed(line.substr(1));
  if (line.starts_with('<')) line.remove_prefix(1);
  if (footnote || web_scheme(line).empty()) return footnote;
  const std::string_view title = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
  return title.empty() || title[0] == '"' || title[0] == '\'' || title[0] == '(';
}

/// Returns true for the row below the head of a table: `|---|:-:|`.
[[nodiscard]] bool is_table_rule(std::string_view line) noexcept {
  return line.find('|') != std::string_view::npos && line.find('-') != std::string_view::npos &&
         line.find_first_not_of("|:- \t") == std::string_view::npos;
}

constexpr auto heading_words =
    list_of("references", "reference", "sources", "source", "bibliography", "citations", "cited", "footnotes",
            "endnotes", "literature", "reading", "quellen", "quelle", "quellenangaben", "quellenverzeichnis",
            "literatur", "literaturverzeichnis", "belege", "nachweise", "einzelnachweise", "fußnoten",
            "bibliografie", "références", "référence", "bibliographie", "fuentes", "fuente", "referencias",
            "bibliografía", "fonti", "riferimenti", "bibliografia", "fontes", "referências", "bronnen",
            "källor", "kilder", "źródła", "Źródła", "источники", "Источники", "литература", "Литература",
            "参考文献", "参考资料", "来源", "资料来源", "引用来源", "出典");
constexpr auto words_around =
    list_of("list", "of", "the", "and", "used", "works", "consulted", "in", "for", "this", "answer",
            "response", "all", "key", "main", "further", "additional", "&", "liste", "der", "und",
            "verwendete", "zitierte", "weitere", "des", "les", "et", "utilisées", "citées", "las", "de", "y",
            "utilizadas", "consultadas", "citadas", "usate");

/// Returns true if \p line only introduces a list of references: `## 4. References`, `**Sources used:**`.
[[nodiscard]] bool introduces_references(std::string_view line) noexcept {
  constexpr std::string_view wide_colon = "\uFF1A";
  constexpr std::string_view marks = "#*_>:. \t0123456789";
  constexpr std::size_t longest = 80;  // bytes
  if (line.ends_with(wide_colon)) line.remove_suffix(wide_colon.size());
  if (line.size() > longest || line.find_first_not_of(marks) == std::string_view::npos) return false;
  line.remove_prefix(line.find_first_not_of(marks));
  line = line.substr(0, line.find_last_not_of("*_: \t") + 1);
  bool named = false;
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    const bool names = ascii::is_one_of(heading_words, word);
    if (!names && !word.empty() && !ascii::is_one_of(words_around, word)) return false;
    named = named || names;
    line.remove_prefix(std::min(word.size() + 1, line.size()));
  }
  return named;
}

/// Returns true for a year in parentheses, as in `Smith, J. (2024a).`
[[nodiscard]] bool has_year(std::string_view line) noexcept {
  for (std::size_t at = line.find('('); at != std::string_view::npos; at = line.find('(', at + 1)) {
    if (is_year(line.substr(at + 1, 4))) return true;
  }
  return false;
}

}  // namespace

std::string_view prose_lines::line_at(std::size_t at) const noexcept {
  return text_.substr(at, std::min(text_.find('\n', at), text_.size()) - at);
}

/// Opens or closes the fence if \p line is one. Returns true if the line is code. Follows CommonMark
/// 0.31, 4.5, except that fences may have any indentation, because lists indent them.
bool prose_lines::update_fence(std::string_view line) noexcept {
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

/// Returns the kind of a line that starts at \p begin of the text and is neither code, a definition nor the
/// head of a table.
line_kind prose_lines::classify(std::string_view line, std::size_t begin) noexcept {
  while (!markers_.empty() && markers_.front().end.utf8 < begin) markers_ = markers_.subspan(1);
  const auto marker_at = [&](std::size_t first, std::size_t last) {
    return !markers_.empty() && markers_.front().start.utf8 >= first && markers_.front().start.utf8 <= last;
  };
  if (!marker_at(begin, begin + line.size()) && introduces_references(line)) {
    list_ = list_state::entry;
    return line_kind::other;
  }
  if (is_heading(line)) {
    list_ = list_state::none;
    return line_kind::other;
  }
  if (list_ == list_state::none) return line_kind::prose;
  const bool entry = item_mark(line) > 0 || marker_at(begin, begin) || line.starts_with('[') ||
                     line.starts_with('|') || has_year(line) || line.find("://") != std::string_view::npos;
  if (line.empty() && !entry) {
    list_ = list_state::after_blank;
  } else if (list_ == list_state::after_blank && !entry) {
    list_ = list_state::none;
  } else {
    list_ = list_state::entry;
  }
  return list_ == list_state::entry ? line_kind::reference : line_kind::prose;
}

bool prose_lines::next(text_line& out) noexcept {
  if (at_ >= text_.size()) return false;
  out.text = line_at(at_);
  const std::size_t begin = at_ + std::min(out.text.find_first_not_of(" \t\r"), out.text.size());
  at_ += out.text.size();
  out.ended = at_ < text_.size();
  if (out.ended) ++at_;
  const std::string_view line = trimmed(out.text);
  const bool table_head =
      line.find('|') != std::string_view::npos && at_ < text_.size() && is_table_rule(trimmed(line_at(at_)));
  const bool other = update_fence(line) || is_definition(line) || is_table_rule(line) || table_head;
  out.kind = other ? line_kind::other : classify(line, begin);
  return true;
}

}  // namespace citestream::check_detail
