#include "marker/link_reference.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cite/url.hpp"

namespace citestream_tests {

bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

namespace {

using citestream::grammar_options;
using citestream::identifier_kind;
using citestream::limits;

constexpr std::size_t npos = std::string_view::npos;

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_break(char c) {
  return c == '\n' || c == '\r';
}
bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// The length of the run of \p c at \p at.
std::size_t run_length(std::string_view text, std::size_t at, char c) {
  std::size_t end = at;
  while (end < text.size() && text[end] == c) ++end;
  return end - at;
}

std::size_t skip_any_of(std::string_view text, std::size_t at, std::string_view bytes) {
  const std::size_t end = text.find_first_not_of(bytes, at);
  return end == npos ? text.size() : end;
}

/// The end of the line that holds \p at, its break not included.
std::size_t line_end(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_of("\r\n", at);
  return end == npos ? text.size() : end;
}

/// Past the line break at \p at, if there is one.
std::size_t past_break(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "\r\n") return at + 2;
  return at < text.size() ? at + 1 : at;
}

bool starts_line(std::string_view text, std::size_t at) {
  if (at == 0 || text[at - 1] == '\n') return true;
  return text[at - 1] == '\r' && text[at] != '\n';
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

bool is_url(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == npos || text.substr(colon, 3) != "://" || text.size() <= colon + 3) return false;
  std::string scheme(text.substr(0, colon));
  for (char& c : scheme) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return scheme == "http" || scheme == "https";
}

bool is_of_kind(std::string_view identifier, identifier_kind kind) {
  if (kind == identifier_kind::uuid) return is_uuid(identifier);
  return kind == identifier_kind::any || is_url(identifier);
}

/// The text between `](` and `)`.
struct destination {
  bool complete{};
  std::size_t next{};  ///< where normal text continues
  std::string_view identifier;
};

destination failed(std::size_t next) {
  return {false, next, {}};
}

/// `)`, or a title and `)`, at \p at.
destination read_tail(std::string_view text, std::size_t at, std::string_view identifier,
                      const limits& bounds) {
  if (at == text.size()) return failed(at);
  if (text[at] == ')') return {true, at + 1, identifier};
  if (text[at] != ' ') return failed(at);
  const std::size_t quote = skip_any_of(text, at, " ");
  if (quote == text.size()) return failed(quote);
  if (text[quote] != '"') return failed(at);

  std::size_t end = quote + 1;
  while (end < text.size() && text[end] != '"') {
    const bool escapes = text[end] == '\\' && end + 1 < text.size() && !is_break(text[end + 1]);
    if (is_break(text[end])) return failed(quote);
    end += escapes ? 2U : 1U;
    if (end - (quote + 1) > bounds.max_title_bytes) return failed(quote);
  }
  if (end + 1 >= text.size()) return failed(quote);  // the answer ended inside it
  return text[end + 1] == ')' ? destination{true, end + 2, identifier} : failed(quote);
}

/// `<identifier>` whose `<` is at \p at.
destination read_angle(std::string_view text, std::size_t at, const limits& bounds) {
  const std::size_t begin = at + 1;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '>' && i > begin) return read_tail(text, i + 1, text.substr(begin, i - begin), bounds);
    if (c == '>' || c == '<' || c == '[') return failed(i);
    if (is_control(c) && c != '\t') return failed(i);
    if (i - begin == bounds.max_identifier_bytes) return failed(i);
  }
  return failed(text.size());
}

destination read_destination(std::string_view text, std::size_t begin, const limits& bounds) {
  if (begin < text.size() && text[begin] == '<') return read_angle(text, begin, bounds);
  std::size_t depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (depth == 0 && i > begin && (c == ')' || c == ' ')) {
      return read_tail(text, i, text.substr(begin, i - begin), bounds);
    }
    if (c == ' ' || c == '[' || is_control(c)) return failed(i);
    if (c == ')' && depth == 0) return failed(i);
    if (c == '(' && depth == bounds.max_parentheses) return failed(i);
    if (i - begin == bounds.max_identifier_bytes) return failed(i);
    if (c == '(') ++depth;
    if (c == ')') --depth;
  }
  return failed(text.size());
}

/// Reads a whole text from its start to its end.
class reader {
 public:
  reader(std::string_view text, const grammar_options& options) : text_(text), options_(options) {}

  std::vector<found_marker> run() {
    while (at_ < text_.size()) {
      if (starts_line(text_, at_) && skip_fence()) continue;
      read_text();
    }
    return std::move(found_);
  }

 private:
  struct opener {
    std::size_t position{};
    bool image{};
  };

  /// Reads one byte of normal text, or an escape, a code span or a complete link.
  void read_text() {
    const char c = text_[at_];
    const bool bang = bang_;
    bang_ = false;
    if (c == '\\') return skip_escape();
    if (c == '`') return skip_span();
    if (c == ']') return close();
    if (c == '[') open_.push_back({at_, bang || (at_ > 0 && at_ == raw_end_ && text_[at_ - 1] == '!')});
    if (c == '!') bang_ = true;
    if (is_break(c)) open_.clear();
    ++at_;
  }

  void skip_escape() { at_ += at_ + 1 < text_.size() && is_punctuation(text_[at_ + 1]) ? 2U : 1U; }

  /// A fenced block, if one starts with the line at `at_`.
  bool skip_fence() {
    const std::size_t start = skip_any_of(text_, at_, " \t>");
    if (start == text_.size() || (text_[start] != '`' && text_[start] != '~')) return false;
    const char mark = text_[start];
    const std::size_t count = run_length(text_, start, mark);
    std::size_t end = line_end(text_, start);
    if (count < 3) return false;
    if (mark == '`' && text_.substr(start + count, end - start - count).find('`') != npos) return false;
    while (end < text_.size()) {
      const std::size_t line = past_break(text_, end);
      end = line_end(text_, line);
      const std::size_t run = skip_any_of(text_, line, " \t>");
      const std::size_t length = run_length(text_, run, mark);
      if (length >= count && skip_any_of(text_, run + length, " \t") == end) break;
    }
    at_ = end;
    return true;
  }

  /// The code span that opens with the backticks at `at_`.
  void skip_span() {
    const std::size_t count = run_length(text_, at_, '`');
    at_ += count;
    while (at_ < text_.size()) {
      if (text_[at_] == '`') {
        const std::size_t length = run_length(text_, at_, '`');
        at_ += length;
        if (length == count) return;
      } else if (is_break(text_[at_])) {
        open_.clear();
        at_ = past_break(text_, at_);
        const std::size_t end = skip_any_of(text_, at_, " \t");
        if (end < text_.size() && is_break(text_[end])) {
          at_ = past_break(text_, end);
          return;
        }
      } else {
        ++at_;
      }
    }
  }

  /// A `]` at `at_`.
  void close() {
    const std::size_t end = at_++;
    std::erase_if(open_,
                  [&](const opener& o) { return end - (o.position + 1) > options_.bounds.max_label_bytes; });
    if (open_.empty()) return;
    const opener from = open_.back();
    open_.pop_back();
    const std::string_view label = text_.substr(from.position + 1, end - from.position - 1);
    if (at_ == text_.size() || text_[at_] != '(' || (label.empty() && !from.image)) return;

    const destination to = read_destination(text_, at_ + 1, options_.bounds);
    at_ = to.next;
    raw_end_ = at_;
    if (!to.complete || from.image || !is_of_kind(to.identifier, options_.identifiers)) return;
    found_.push_back({from.position, at_, std::string(label), std::string(to.identifier)});
    open_.clear();
  }

  std::string_view text_;
  const grammar_options& options_;
  std::size_t at_ = 0;
  bool bang_ = false;           ///< the byte before is an unescaped `!`
  std::size_t raw_end_ = npos;  ///< the end of the last destination, complete or not
  std::vector<opener> open_;
  std::vector<found_marker> found_;
};

/// The numbers of sources, by first appearance.
class numbering {
 public:
  std::uint32_t number_of(const std::string& identifier) {
    const std::string source = source_of(identifier, false);
    const auto known = std::find(sources_.begin(), sources_.end(), source);
    if (known != sources_.end()) return static_cast<std::uint32_t>(known - sources_.begin() + 1);
    sources_.push_back(source);
    return static_cast<std::uint32_t>(sources_.size());
  }

 private:
  std::vector<std::string> sources_;
};

printed_citation cite(std::string_view text, const found_marker& marker, numbering& numbers) {
  printed_citation out;
  out.number = numbers.number_of(marker.identifier);
  out.label = marker.label;
  out.identifier = marker.identifier;
  out.marker = text.substr(marker.begin, marker.end - marker.begin);
  return out;
}

/// The start of the blanks directly before \p end, at least \p floor.
std::size_t blanks_before(std::string_view text, std::size_t floor, std::size_t end) {
  while (end > floor && is_blank(text[end - 1])) --end;
  return end;
}

printed_text print_in_place(std::string_view text, const std::vector<found_marker>& markers, printing how) {
  printed_text out;
  numbering numbers;
  std::size_t at = 0;
  for (const found_marker& marker : markers) {
    const std::size_t end = how == printing::mark_goes ? blanks_before(text, at, marker.begin) : marker.begin;
    out.text += text.substr(at, end - at);
    printed_citation citation = cite(text, marker, numbers);
    citation.start = out.text.size();
    if (how == printing::keep) out.text += citation.marker;
    if (how == printing::numeric) out.text += '[' + std::to_string(citation.number) + ']';
    if (how == printing::mark_stays || how == printing::mark_goes) out.text += '\x01';
    citation.end = out.text.size();
    out.citations.push_back(std::move(citation));
    at = marker.end;
  }
  out.text += text.substr(at);
  return out;
}

/// Adjacent markers, and the parentheses around them.
struct group {
  std::size_t begin{};
  std::size_t end{};
  std::vector<const found_marker*> markers;
};

/// `[ \t]*[,;]?[ \t]*`
bool joins(std::string_view between) {
  std::size_t at = skip_any_of(between, 0, " \t");
  if (at < between.size() && (between[at] == ',' || between[at] == ';')) ++at;
  return skip_any_of(between, at, " \t") == between.size();
}

bool is_escaped(std::string_view text, std::size_t at) {
  std::size_t backslashes = 0;
  while (backslashes < at && text[at - backslashes - 1] == '\\') ++backslashes;
  return backslashes % 2 == 1;
}

void take_parentheses(std::string_view text, group& g) {
  const std::size_t left = blanks_before(text, 0, g.begin);
  const std::size_t right = skip_any_of(text, g.end, " \t");
  if (left == 0 || text[left - 1] != '(' || is_escaped(text, left - 1)) return;
  if (right == text.size() || text[right] != ')') return;
  g.begin = left - 1;
  g.end = right + 1;
}

std::vector<group> group_markers(std::string_view text, const std::vector<found_marker>& markers) {
  std::vector<group> groups;
  for (const found_marker& marker : markers) {
    const bool first =
        groups.empty() || !joins(text.substr(groups.back().end, marker.begin - groups.back().end));
    if (first) groups.push_back({marker.begin, marker.end, {}});
    groups.back().end = marker.end;
    groups.back().markers.push_back(&marker);
  }
  for (group& g : groups) take_parentheses(text, g);
  return groups;
}

/// Returns true if no space is inserted before \p text: it starts with white space or closing punctuation, or
/// is empty.
bool needs_no_space(std::string_view text) {
  static constexpr std::array marks = std::to_array<std::string_view>(
      {" ",      "\t",     "\n",     "\r",     "\v",     "\f",     "\u0085", "\u00a0", "\u1680", "\u2000",
       "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
       "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", ".",      ",",      ";",      ":",      "!",
       "?",      ")",      "]",      "}",      "\"",     "'",      "’",      "”",      "»",      "…",
       "›",      "．",     "，",     "；",     "：",     "！",     "？",     "）",     "］",     "｝",
       "＂",     "＇",     "。",     "、",     "」",     "』",     "】",     "》",     "〉"});
  return text.empty() || std::any_of(marks.begin(), marks.end(),
                                     [&](std::string_view mark) { return text.starts_with(mark); });
}

/// Whether the last line of \p out is blank.
bool at_line_start(std::string_view out) {
  const std::size_t end = blanks_before(out, 0, out.size());
  return end == 0 || is_break(out[end - 1]);
}

/// Collects the rest of a text from which groups are removed.
struct stripped {
  std::string text;
  bool blanks_went = false;  ///< blanks were removed since the last byte of output

  void append(std::string_view more) {
    if (more.empty()) return;
    if (blanks_went && !needs_no_space(more)) text += ' ';
    blanks_went = false;
    text += more;
  }
};

printed_text print_stripped(std::string_view text, const std::vector<found_marker>& markers) {
  printed_text out;
  stripped rest;
  numbering numbers;
  std::size_t at = 0;
  for (const group& g : group_markers(text, markers)) {
    const std::size_t blanks = blanks_before(text, at, g.begin);
    rest.append(text.substr(at, blanks - at));
    at = g.end;
    if (at_line_start(rest.text)) {
      rest.append(text.substr(blanks, g.begin - blanks));
      at = skip_any_of(text, at, " \t");
    } else if (blanks < g.begin) {
      rest.blanks_went = true;
    }
    for (const found_marker* marker : g.markers) {
      printed_citation citation = cite(text, *marker, numbers);
      citation.start = citation.end = rest.text.size();
      out.citations.push_back(std::move(citation));
    }
  }
  rest.append(text.substr(at));
  out.text = std::move(rest.text);
  return out;
}

}  // namespace

std::string source_of(const std::string& identifier, bool from_zero) {
  std::string page;
  if (is_url(identifier)) {
    citestream::normalize_url(identifier, page);
    return page;
  }
  for (const std::string prefix : {"", "Source ", "source ", "src_", "src", "doc:", "doc"}) {
    if (!identifier.starts_with(prefix)) continue;
    const std::string rest = identifier.substr(prefix.size());
    if (rest.empty() || rest.find_first_not_of("0123456789") != std::string::npos) continue;
    if (rest.size() > 18)
      return prefix.empty() && from_zero ? "from 0: " + rest : rest;  // no place in any list
    const long long place = std::stoll(rest) + ((prefix.empty() && from_zero) || prefix == "doc:" ? 1 : 0);
    if (place > 0) return "place " + std::to_string(place);
  }
  return identifier;
}

std::vector<found_marker> find_markers(std::string_view text, const grammar_options& options) {
  return reader(text, options).run();
}

printed_text print_markers(std::string_view text, const std::vector<found_marker>& markers, printing how) {
  return how == printing::strip ? print_stripped(text, markers) : print_in_place(text, markers, how);
}

printed_text print(std::string_view text, const grammar_options& options, printing how) {
  return print_markers(text, find_markers(text, options), how);
}

}  // namespace citestream_tests
