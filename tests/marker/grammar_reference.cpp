#include "marker/grammar_reference.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <tuple>

namespace citestream_tests {
namespace {

using citestream::grammar;
using match_result = std::match_results<std::string_view::const_iterator>;

/// The positions in a text at which a marker may start: those at which the link reference would find a link.
class places {
 public:
  places(std::string_view text, bool links) : text_(text), links_(links) {}

  /// Returns true if a marker may start at \p at. None starts inside a link's destination, complete or not.
  [[nodiscard]] bool free(std::size_t at) const {
    return finds_link(at, "") && (text_[at] == '[' || !raw(at));
  }

  /// Returns true if \p at, inside a marker that starts at \p begin, is code or escaped.
  [[nodiscard]] bool literal(std::size_t begin, std::size_t at) const {
    if (raw(at)) return false;
    if (text_[at] == '`') return true;
    std::size_t backslashes = 0;
    while (at - backslashes > begin && text_[at - backslashes - 1] == '\\') ++backslashes;
    return is_punctuation(text_[at]) && backslashes % 2 == 1;
  }

  /// Returns true if \p at is code or escaped, inside any construct.
  [[nodiscard]] bool inert(std::size_t at) const { return !raw(at) && !finds_link(at, ""); }

  /// Returns true if \p at is inside a link's destination, where a backtick does not open code.
  [[nodiscard]] bool raw(std::size_t at) const { return links_ && finds_link(at, "`"); }

  [[nodiscard]] bool any_literal(std::size_t begin, std::size_t end) const {
    if (text_.substr(begin, end - begin).find_first_of("`\\") == std::string_view::npos) return false;
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (literal(begin, i)) return true;
    }
    return false;
  }

  /// Returns true if the text between \p begin and \p end is the description of an image: `![…](`.
  [[nodiscard]] bool is_image(std::size_t begin, std::size_t end) const {
    const bool bang = begin > 0 && text_[begin - 1] == '!' && !inert(begin - 1);
    return bang && text_[begin] == '[' && text_[end - 1] == ']' && text_.substr(end).starts_with('(');
  }

  /// Returns true if the text between \p begin and \p end is in the description `![[…]](` of an image.
  [[nodiscard]] bool is_in_image(std::size_t begin, std::size_t end) const {
    const bool doubled = begin > 0 && text_[begin - 1] == '[' && text_.substr(end).starts_with(']');
    return doubled && is_image(begin - 1, end + 1);
  }

  /// Returns true if only blanks and `>` precede \p at on its line.
  [[nodiscard]] bool starts_line(std::size_t at) const {
    while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t' || text_[at - 1] == '>')) --at;
    return at == 0 || text_[at - 1] == '\n' || text_[at - 1] == '\r';
  }

 private:
  [[nodiscard]] bool finds_link(std::size_t at, std::string_view before) const {
    std::string probe(text_.substr(0, at));
    if (!links_) {
      for (char& c : probe) c = c == '[' || c == ']' || c == '!' ? '*' : c;
    }
    if (!probe.empty() && probe.back() == '!') probe.back() = '*';  // `![` would be an image
    // Only punctuation can be escaped; the inserted prefix must not be.
    const bool escapes = before.empty() && is_punctuation(text_[at]);
    if (!probe.empty() && probe.back() == '\\' && !escapes) probe.back() = 'x';
    probe += before;
    const std::size_t begin = probe.size();
    probe += "[q](u)\n";
    const auto found = find_markers(probe, {});
    return std::any_of(found.begin(), found.end(), [&](const found_marker& m) { return m.begin == begin; });
  }

  std::string_view text_;
  bool links_;
};

std::optional<match_result> match(std::string_view text, std::size_t at, const std::regex& pattern) {
  constexpr std::string_view starts = "[<\xe3\xee\xef";  // of every pattern
  if (at >= text.size() || starts.find(text[at]) == std::string_view::npos) return {};
  match_result found;
  const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
  if (!std::regex_search(from, text.end(), found, pattern, std::regex_constants::match_continuous)) return {};
  return found;
}

/// The parts of \p text between separators, without an empty part at the end. With \p blanks the spaces after
/// a separator are part of it. A regular expression would take a third of these tests' time.
std::vector<std::string> split(std::string_view text, std::initializer_list<std::string_view> separators,
                               bool blanks) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto one = std::find_if(separators.begin(), separators.end(), [&](std::string_view separator) {
      return text.substr(at).starts_with(separator);
    });
    if (one == separators.end()) {
      ++at;
      continue;
    }
    out.emplace_back(text.substr(begin, at - begin));
    at += one->size();
    while (blanks && at < text.size() && text[at] == ' ') ++at;
    begin = at;
  }
  if (begin < text.size() || out.empty()) out.emplace_back(text.substr(begin));
  return out;
}

using found = std::optional<grammar_marker>;

grammar_marker marker_of(std::size_t at, const match_result& m, std::vector<std::string> keys) {
  return {at, at + static_cast<std::size_t>(m.length(0)), "", std::move(keys)};
}

// --- numeric

const std::string list_pattern = "([0-9]{1,10}(?:(?:[,;-]|\u2013) *[0-9]{1,10})*)";

/// The numbers of `1, 3-5`, or nothing if a range is invalid.
std::optional<std::vector<std::string>> numbers_of(const std::string& list) {
  if (list.size() > 64) return {};
  std::vector<std::string> out;
  for (const std::string& item : split(list, {",", ";"}, true)) {
    const std::vector<std::string> ends = split(item, {"-", "\u2013"}, true);
    const unsigned long long first = std::stoull(ends.front());
    const unsigned long long last = std::stoull(ends.back());
    if (ends.size() > 2 || last < first || last - first > 63) return {};
    for (unsigned long long n = first; n <= last; ++n) out.push_back(std::to_string(n));
  }
  return out;
}

/// The position of the `)` after a URL that starts at \p at.
std::optional<std::size_t> url_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  if (text.substr(at).starts_with('<')) return {};
  for (std::size_t i = at; i < text.size() && i - at <= 2048; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == ')' && depth == 0) return i > at ? std::optional(i) : std::nullopt;
    const std::string_view rest = text.substr(i);
    if (c <= 0x20 || c == 0x7f || c == '[' || rest.starts_with("【") || rest.starts_with("［")) return {};
    if (c == '(' && ++depth > 32) return {};
    if (c == ')') --depth;
  }
  return {};
}

found match_double(std::string_view text, const places& where, std::size_t at) {
  static const std::regex pattern("\\[\\[" + list_pattern + "\\]\\]\\(");
  const auto m = match(text, at, pattern);
  if (!m || !numbers_of(m->str(1))) return {};
  const std::size_t url = at + static_cast<std::size_t>(m->length(0));
  const auto end = url_end(text, url);
  if (where.is_image(at, url - 1)) return {};
  if (!end || where.any_literal(at, *end + 1)) return {};
  return grammar_marker{at, *end + 1, m->str(1), {std::string(text.substr(url, *end - url))}};
}

found match_numeric(std::string_view text, const places& where, std::size_t at) {
  static const std::regex plain("(?:\\[" + list_pattern + "\\]|［" + list_pattern + "］|【" + list_pattern +
                                "】)");
  static const std::regex footnote("\\[\\^([0-9]{1,10})\\]");
  if (auto twice = match_double(text, where, at)) return twice;
  if (const auto m = match(text, at, footnote)) {
    grammar_marker out = marker_of(at, *m, {std::to_string(std::stoull(m->str(1)))});
    if (where.starts_line(at) && text.substr(out.end).starts_with(':')) return {};
    return where.is_image(out.begin, out.end) || where.is_in_image(out.begin, out.end) ? found() : found(out);
  }
  const auto m = match(text, at, plain);
  if (!m) return {};
  const std::size_t end = at + static_cast<std::size_t>(m->length(0));
  const bool single = m->str(1).find_first_not_of("0123456789") == std::string::npos && text[at] == '[';
  if (single && where.starts_line(at) && text.substr(end).starts_with(':')) return {};
  if (where.is_image(at, end) || where.is_in_image(at, end)) return {};
  const auto numbers = numbers_of(m->str(1) + m->str(2) + m->str(3));
  return numbers ? found(marker_of(at, *m, *numbers)) : found();
}

// --- source, ref, file

found match_source(std::string_view text, const places& where, std::size_t at) {
  static const std::string item = "(?:src_[A-Za-z0-9_-]+|(?:doc:?|[sS]ource )[0-9]+)";
  static const std::regex pattern("\\[(" + item + "(?:[,;] *" + item + ")*)\\]");
  static const std::regex prefix("src_|doc:?|[sS]ource ");
  const auto m = match(text, at, pattern);
  if (!m || m->length(0) > 512) return {};
  if (where.is_image(at, at + static_cast<std::size_t>(m->length(0)))) return {};
  const auto keys = split(m->str(1), {",", ";"}, true);
  for (const std::string& key : keys) {
    if (std::regex_replace(key, prefix, "", std::regex_constants::format_first_only).size() > 64) return {};
  }
  return marker_of(at, *m, keys);
}

found match_ref(std::string_view text, const places& where, std::size_t at) {
  static const std::regex pattern(R"(\[REF\\?\|([da]_[0-9a-f]{1,16}(?:\\?\|[da]_[0-9a-f]{1,16})*)\])");
  const auto m = match(text, at, pattern);
  if (!m || m->length(0) > 512) return {};
  if (where.is_image(at, at + static_cast<std::size_t>(m->length(0)))) return {};
  return marker_of(at, *m, split(m->str(1), {"\\|", "|"}, false));
}

found match_file(std::string_view text, const places&, std::size_t at) {
  static const std::regex pattern("<\\|(file-[A-Za-z0-9_-]+)\\|?>");
  const auto m = match(text, at, pattern);
  return m && m->length(1) <= 5 + 128 ? found(marker_of(at, *m, {m->str(1)})) : found();
}

// --- lenticular, private

found match_lenticular(std::string_view text, const places& where, std::size_t at) {
  static const std::regex pattern("【([0-9]{1,9}(?::[0-9]{1,9})?)†");
  const auto m = match(text, at, pattern);
  if (!m) return {};
  const std::size_t begin = at + static_cast<std::size_t>(m->length(0));
  const std::size_t end = text.find("】", begin);
  if (end == std::string_view::npos) return {};
  const std::string label(text.substr(begin, end - begin));
  const bool control = std::any_of(label.begin(), label.end(), is_control);
  const std::size_t after = end + std::string_view("】").size();
  if (control || label.size() > 256 || label.find("【") != std::string::npos) return {};
  if (where.any_literal(at, after)) return {};
  return grammar_marker{at, after, label, {m->str(1)}};
}

/// Past \p character at \p at, in UTF-8 or typed.
std::optional<std::size_t> past(std::string_view text, std::size_t at, char character) {
  const std::string encoded = std::string("\xEE\x88") + static_cast<char>(0x80 + (character - '0'));
  const std::string typed = std::string("\\ue20") + character;
  if (text.substr(at).starts_with(encoded)) return at + encoded.size();
  if (text.substr(at).starts_with(typed)) return at + typed.size();
  return {};
}

found match_private(std::string_view text, const places& where, std::size_t at) {
  auto next = past(text, at, '0');
  if (!next) return {};
  if (text.substr(*next).starts_with("file")) *next += 4;
  if (text.substr(*next, 4) != "cite") return {};
  grammar_marker out{at, 0, "", {}};
  std::size_t here = *next + 4;
  while ((next = past(text, here, '2'))) {
    here = *next;
    while (here < text.size() && text[here] != '\xEE' && text[here] != '\\') ++here;
    const std::string key(text.substr(*next, here - *next));
    const bool control = std::any_of(key.begin(), key.end(), is_control);
    if (key.empty() || key.size() > 128 || control) return {};
    static const std::regex lines("L[0-9]+(-L[0-9]+)?");
    if (out.keys.empty() || !std::regex_match(key, lines)) out.keys.push_back(key);
  }
  next = past(text, here, '1');
  if (!next || out.keys.empty() || *next - at > 512 || where.any_literal(at, *next)) return {};
  out.end = *next;
  return out;
}

// --- cite

found match_cite(std::string_view text, const places& where, std::size_t at) {
  static const std::regex keyword("\\[cite_(?:start|end)\\]");
  static const std::regex list(
      "\\[cite: *([0-9]{1,9}(?:- *[0-9]{1,9})?(?:, *[0-9]{1,9}(?:- *[0-9]{1,9})?)*)\\]");
  if (auto m = match(text, at, keyword)) {
    grammar_marker out = marker_of(at, *m, {});
    out.silent = true;
    return where.is_image(out.begin, out.end) ? found() : found(out);
  }
  const auto m = match(text, at, list);
  if (!m || m->length(0) > 512) return {};
  std::vector<std::string> keys;
  for (const std::string& item : split(m->str(1), {","}, true)) {
    const std::vector<std::string> ends = split(item, {"-"}, true);
    const long long first = std::stoll(ends.front());
    const long long last = std::stoll(ends.back());
    if (ends.size() == 1 || last < first || last - first > 63) {
      keys.push_back(item);
    } else {
      for (long long n = first; n <= last; ++n) keys.push_back(std::to_string(n));
    }
  }
  const grammar_marker out = marker_of(at, *m, keys);
  return where.is_image(out.begin, out.end) ? found() : found(out);
}

// --- tag

const std::string key_list_pattern = [] {
  const std::string key = "[A-Za-z0-9_.-]+";
  const std::string item = " *" + key + "(?::\\[ *" + key + "(?:, *" + key + ")*\\])?";
  return "(" + item + "(?:," + item + ")*)";
}();

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// `0, 1:[2,3]` taken apart: commas in brackets separate results of one tool.
std::vector<std::string> tag_keys(const std::string& list) {
  static const std::regex item("([^,]*?):\\[([^\\]]*)\\](?=,|$)|([^,]+)");
  std::vector<std::string> out;
  for (std::sregex_iterator at(list.begin(), list.end(), item), end; at != end; ++at) {
    if ((*at)[3].matched) {
      out.push_back(trimmed(at->str(3)));
      continue;
    }
    for (const std::string& result : split(at->str(2), {","}, false)) {
      out.push_back(trimmed(at->str(1)) + ":" + trimmed(result));
    }
  }
  return out;
}

std::optional<match_result> opening_tag(std::string_view text, std::size_t at) {
  static const std::regex pattern("<co>|<co:" + key_list_pattern + ">|<citation>");
  const auto m = match(text, at, pattern);
  return m && m->length(1) <= 512 ? m : std::nullopt;
}

found match_citation(std::string_view text, const places& where, std::size_t at) {
  static const std::regex pattern("<citation>([^<]+)</citation>");
  const auto m = match(text, at, pattern);
  if (!m || m->length(1) > 512) return {};
  const std::string list = m->str(1);
  const bool control = std::any_of(list.begin(), list.end(), is_control);
  if (control || list.back() == ',') return {};
  std::string key;
  for (const std::string& one : split(list, {","}, false)) {
    if (trimmed(one).empty()) return {};
  }
  const std::size_t end = at + static_cast<std::size_t>(m->length(0));
  for (std::size_t i = at + 1; i < end; ++i) {
    if ((text[i] == '`' && !where.raw(i)) || (is_punctuation(text[i]) && where.inert(i))) return {};
  }
  return marker_of(at, *m, tag_keys(list));
}

found match_tag(std::string_view text, const places& where, std::size_t at) {
  static const std::regex closing("</co:" + key_list_pattern + ">");
  if (auto citation = match_citation(text, where, at)) return citation;
  const auto m = opening_tag(text, at);
  if (!m || m->str(0) == "<citation>") return {};
  const std::size_t begin = at + static_cast<std::size_t>(m->length(0));
  for (std::size_t i = begin; i < text.size() && i - begin <= 2048; ++i) {
    if (text[i] == '\n' || text[i] == '\r') return {};
    if (text[i] != '<') continue;
    const std::string_view rest = text.substr(i);
    const bool closes = rest.starts_with("</co>") || rest.starts_with("</co:");
    if ((!closes && !opening_tag(text, i)) || where.inert(i)) continue;
    const auto end = match(text, i, closing);
    if (!end || end->length(1) > 512) return {};
    const std::size_t after = i + static_cast<std::size_t>(end->length(0));
    return grammar_marker{at, after, "", tag_keys(end->str(1)), begin, i};
  }
  return {};
}

// --- all of them

using matcher = found (*)(std::string_view, const places&, std::size_t);

matcher matcher_of(const grammar* one) {
  const std::string_view name = one->name;
  if (name == "numeric") return &match_numeric;
  if (name == "source") return &match_source;
  if (name == "ref") return &match_ref;
  if (name == "file") return &match_file;
  if (name == "lenticular") return &match_lenticular;
  if (name == "cite") return &match_cite;
  return name == "private" ? &match_private : &match_tag;
}

std::vector<grammar_marker> links(std::string_view text) {
  std::vector<grammar_marker> out;
  for (const found_marker& m : find_markers(text, {}))
    out.push_back({m.begin, m.end, m.label, {m.identifier}});
  return out;
}

std::vector<grammar_marker> markers_of(const grammar* one, std::string_view text, const places& where) {
  if (one == &citestream::link_grammar) return links(text);
  std::vector<grammar_marker> out;
  for (std::size_t at = 0; at < text.size();) {
    const bool starts = one->starts.find(text[at]) != std::string_view::npos;
    const found hit = starts ? matcher_of(one)(text, where, at) : found();
    const bool counts = hit && where.free(at);
    if (counts) out.push_back(*hit);
    at = counts ? hit->end : at + 1;
  }
  return out;
}

struct reference_numbers {
  std::vector<std::string> sources;
  std::uint32_t number_of(const std::string& key) {
    const auto known = std::find(sources.begin(), sources.end(), key);
    const auto at = known - sources.begin();
    if (known == sources.end()) sources.push_back(key);
    return static_cast<std::uint32_t>(at + 1);
  }
};

}  // namespace

bool is_contested(std::string_view text, const grammar_list& on) {
  if (std::find(on.begin(), on.end(), &citestream::link_grammar) == on.end()) return false;
  if (text.find("![") != std::string_view::npos) return true;
  const places where(text, true);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto starts = [&](const grammar* one) {
      return one->starts.find(text[at]) != std::string_view::npos;
    };
    if (text[at] != '[' && std::any_of(on.begin(), on.end(), starts) && where.raw(at)) return true;
  }
  return false;
}

std::vector<grammar_marker> find_grammar_markers(std::string_view text, const grammar_list& on) {
  const places where(text, std::find(on.begin(), on.end(), &citestream::link_grammar) != on.end());
  struct ranked {
    grammar_marker marker;
    std::ptrdiff_t rank;
  };
  std::vector<ranked> all;
  const auto table = citestream::grammars();
  for (const grammar* one : on) {
    const auto rank = std::find(table.begin(), table.end(), one) - table.begin();
    for (grammar_marker& m : markers_of(one, text, where)) all.push_back({std::move(m), rank});
  }
  std::sort(all.begin(), all.end(), [](const ranked& a, const ranked& b) {
    return std::tuple(a.marker.begin, b.marker.end, a.rank) <
           std::tuple(b.marker.begin, a.marker.end, b.rank);
  });
  std::vector<grammar_marker> out;
  std::size_t end = 0;
  for (ranked& one : all) {
    if (one.marker.begin < end) continue;
    end = one.marker.end;
    // A link to a file in the sandbox of a tool is text, and so is all that is in it.
    const bool link = table[static_cast<std::size_t>(one.rank)] == &citestream::link_grammar;
    if (!link || !one.marker.keys.front().starts_with("sandbox:")) out.push_back(std::move(one.marker));
  }
  return out;
}

namespace {

std::string cited_text(std::string_view text, const grammar_marker& m) {
  return std::string(text.substr(m.cited_begin, m.cited_end - m.cited_begin));
}

/// Strips the markers, which are given as plain ones. Text that stays is in front of its marker then, and
/// made of bytes that nothing removes.
printed_text strip_all(std::string_view text, const std::vector<grammar_marker>& markers) {
  std::string flat;
  std::vector<found_marker> plain;
  std::size_t at = 0;
  for (const grammar_marker& m : markers) {
    flat += text.substr(at, m.begin - at);
    at = m.begin;
    for (const char c : cited_text(text, m)) {
      const bool closer = c == ' ' || c == '\t' || c == ',' || c == ';' || c == ')';
      flat += closer ? '.' : c == '(' || c == '\\' ? 'x' : c;
    }
    if (m.cited_begin != m.cited_end) at = m.cited_end;
    const std::size_t begin = flat.size();
    flat += text.substr(at, m.end - at);
    plain.push_back({begin, flat.size(), m.label, m.keys.front()});
    at = m.end;
  }
  flat += text.substr(at);
  printed_text out = print_markers(flat, plain, printing::strip);
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const std::string stays = cited_text(text, markers[i]);
    out.text.replace(out.citations[i].start - stays.size(), stays.size(), stays);
  }
  return out;
}

}  // namespace

/// Takes the silent markers out of \p text and \p markers.
std::string without_silent(std::string_view text, std::vector<grammar_marker>& markers) {
  std::string out;
  std::size_t at = 0;
  std::vector<grammar_marker> left;
  for (grammar_marker& m : markers) {
    const std::size_t removed = at - out.size();
    if (m.silent) {
      out += text.substr(at, m.begin - at);
      at = m.end;
      continue;
    }
    for (std::size_t* place : {&m.begin, &m.end, &m.cited_begin, &m.cited_end})
      *place -= std::min(*place, removed);
    left.push_back(std::move(m));
  }
  out += text.substr(at);
  markers = std::move(left);
  return out;
}

grammar_output print_grammars(std::string_view input, const grammar_list& on, printing how) {
  std::vector<grammar_marker> markers = find_grammar_markers(input, on);
  const std::string text = without_silent(input, markers);
  const printed_text stripped = strip_all(text, markers);
  grammar_output out;
  reference_numbers numbers;
  std::size_t at = 0;
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const grammar_marker& m = markers[i];
    const std::string stays = cited_text(text, m);
    out.text += text.substr(at, m.begin - at);
    out.text += stays;
    at = m.end;
    for (const std::string& key : m.keys) {
      // Cohere counts from 0: its 1 is not the 1 of others.
      const bool from_zero = std::string_view(text).substr(m.begin).starts_with("<co");
      const std::uint32_t number = numbers.number_of(source_of(key, from_zero));
      std::size_t start = out.text.size();
      out.text += how == printing::numeric ? '[' + std::to_string(number) + ']'
                  : m.label.empty()        ? "\x01"
                                           : '\x02' + m.label;
      std::size_t end = out.text.size();
      if (how == printing::strip) start = end = stripped.citations[i].start;
      out.records.push_back({number, key, m.label, text.substr(m.begin, m.end - m.begin), start, end, stays});
    }
  }
  out.text += text.substr(at);
  if (how == printing::strip) out.text = stripped.text;
  return out;
}

}  // namespace citestream_tests
