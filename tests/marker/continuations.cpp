#include "marker/continuations.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "support/strings.hpp"

namespace citestream_tests {
namespace {

using citestream::grammar_options;
using citestream::identifier_kind;

constexpr std::string_view some_uuid = "01234567-89ab-cdef-0123-456789abcdef";

std::size_t longest_run(std::string_view text, char c) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char byte : text) {
    run = byte == c ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::size_t count(std::string_view text, char c) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

bool has(std::string_view text, std::string_view what) {
  return text.find(what) != std::string_view::npos;
}

/// A valid identifier of that kind.
std::string valid_identifier(identifier_kind kind) {
  if (kind == identifier_kind::uuid) return std::string(some_uuid);
  return kind == identifier_kind::url ? "http://x" : "x";
}

using list = std::vector<continuation>;

/// Everything of \p left followed by everything of \p right.
list both(const list& left, const list& right) {
  list out;
  out.reserve(left.size() * right.size());
  for (const continuation& l : left) {
    for (const continuation& r : right) {
      out.push_back(
          {l.text + r.text, l.kind.empty() || r.kind.empty() ? l.kind + r.kind : l.kind + "+" + r.kind});
    }
  }
  return out;
}

void append(list& to, list more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Ends of an open code span or fence.
list code_closers(std::string_view text) {
  list out;
  const std::size_t longest = longest_run(text, '`');
  for (std::size_t n = 1; n <= longest; ++n) {
    out.push_back({repeated("`", n), "span"});
    out.push_back({"a" + repeated("`", n), "span"});
  }
  if (longest > 0) out.push_back({"\n\n", "blank line"});
  for (const char mark : {'`', '~'}) {
    const std::size_t run = longest_run(text, mark);
    if (run >= 3) out.push_back({"\n" + repeated(std::string(1, mark), run) + "\n", "fence"});
  }
  return out;
}

/// Ends of an open destination.
list destination_closers(std::string_view text, const grammar_options& options) {
  list out;
  if (!has(text, "](")) return out;
  const std::string whole = valid_identifier(options.identifiers);
  list identifiers{{"", ""}, {whole, "identifier"}};
  for (std::size_t i = 1; options.identifiers != identifier_kind::any && i < whole.size(); ++i) {
    identifiers.push_back({whole.substr(i), "identifier"});
  }
  if (options.identifiers == identifier_kind::url) {
    const std::string secure = "https://x";
    for (std::size_t i = 1; i < 6; ++i) identifiers.push_back({secure.substr(i), "identifier"});
  }
  const std::size_t depth = std::min<std::size_t>(count(text, '('), 5);
  list ends;
  for (std::size_t n = 1; n <= depth; ++n) ends.push_back({repeated(")", n), "destination"});
  if (has(text, "<")) ends.push_back({">)", "angle"});
  ends.push_back({" \"t\")", "title"});
  append(out, both(identifiers, ends));
  append(out, {{"<" + whole + ">)", "angle"}});
  if (has(text, " ")) append(out, {{"\"\")", "title"}, {"\"t\")", "title"}});
  if (has(text, "\"")) append(out, {{"\")", "title"}, {"a\")", "title"}, {"\"a", "failed title"}});
  for (const std::string_view byte : {"\t", " ", "<", "a", "\n"})
    out.push_back({std::string(byte), "failed destination"});
  return out;
}

/// `](x)` after as many `]` as brackets may be open.
list label_closers(std::string_view text, const grammar_options& options) {
  const std::string end = "](" + valid_identifier(options.identifiers) + ")";
  const std::size_t open = std::min<std::size_t>(count(text, '['), 12);
  list out;
  for (std::size_t n = 0; n < open; ++n) {
    out.push_back({repeated("]", n) + end, "label"});
    if (n < 2) out.push_back({"a" + repeated("]", n) + end, "label"});
    if (n > 0 && n < 4) out.push_back({repeated(end, n + 1), "labels"});
  }
  return out;
}

/// Continuations that do not depend on open constructs: more text and further markers.
list fresh(std::string_view text, const grammar_options& options) {
  const std::string marker = "[y](" + valid_identifier(options.identifiers) + ")";
  list out;
  for (const std::string_view more :
       {"a", ".", ",", "[", "(", "!", " ", " a", ")", ")a", " )", "\n", "\n\na", "\\"}) {
    out.push_back({std::string(more), "text"});
  }
  for (const std::string_view rest :
       {"\x80", "\x80\x99", "\x80\x82", "\x80\x83", "\x99", "\x82", "\xa6", "\xa9", "\x85", "\xa0", "\xbb",
        "\x9a\x80", "\x81\x9f", "\x9f", "\xbc\x8c", "\x8c", "\xbd\x9d", "\x9d"}) {
    out.push_back({std::string(rest), "rest of a code point"});
  }
  for (const std::string_view before : {"", " ", "\n", "\n\n", ",", ", ", "; ", "(", " (", ")", "a", "a "}) {
    for (const std::string_view after : {"", "a", ")", ")a", " )"}) {
      out.push_back({std::string(before) + marker + std::string(after), "marker"});
      // Inside a title that fails after them, markers are markers.
      if (has(text, "\"")) out.push_back({out.back().text + "\"a", "marker in a failed title"});
    }
  }
  return out;
}

void shorten(std::string& common, std::string_view other, const std::string& kind, decisive_kinds* decisive) {
  const std::size_t most = std::min(common.size(), other.size());
  std::size_t same = 0;
  while (same < most && common[same] == other[same]) ++same;
  if (same == common.size()) return;
  common.resize(same);
  if (decisive != nullptr) ++(*decisive)[kind];
}

}  // namespace

list continuations(std::string_view text, const grammar_options& options) {
  const list nothing{{"", ""}};
  list out = nothing;
  append(out, fresh(text, options));

  list inner = nothing;
  append(inner, code_closers(text));
  append(inner, destination_closers(text, options));
  if (text.ends_with(']')) {
    inner.push_back({"(" + valid_identifier(options.identifiers) + ")", "destination after a label"});
  }
  list closers = label_closers(text, options);
  append(closers, nothing);
  list closed = both(inner, closers);
  if (text.ends_with('\\')) closed = both({{"", ""}, {"a", "after a backslash"}}, closed);
  const std::string marker = "[y](" + valid_identifier(options.identifiers) + ")";
  list last{{"", ""}, {"a", ""}, {")", "wrap"}, {")a", "wrap"}, {marker, "marker"}};
  if (has(text, "\"")) append(last, {{"\"a", "failed title"}, {")\"a", "failed title"}});
  append(out, both(closed, last));
  return out;
}

std::vector<std::string> certain_text(std::string_view text, const grammar_options& options,
                                      const std::vector<printing>& styles, decisive_kinds* decisive) {
  std::vector<std::string> common;
  for (const continuation& more : continuations(text, options)) {
    const std::string whole = std::string(text) + more.text;
    const std::vector<found_marker> markers = find_markers(whole, options);
    for (std::size_t i = 0; i < styles.size(); ++i) {
      const std::string printed = print_markers(whole, markers, styles[i]).text;
      if (common.size() < styles.size()) {
        common.push_back(printed);
      } else {
        shorten(common[i], printed, more.kind, decisive);
      }
    }
  }
  return common;
}

}  // namespace citestream_tests
