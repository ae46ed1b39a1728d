// Users' patterns: a rejection gives the position; an accepted pattern finds what a plain search finds, for
// every cut. Input: cuts, a pattern, U+001E, text.
#include <citestream/marker/pattern.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_targets.hpp"
#include "fuzz/input.hpp"
#include "marker/scanner.hpp"

namespace citestream_tests {
namespace {

/// The parts of a pattern: text, field, text, field, text.
struct parts {
  std::vector<std::string> texts{""};
  std::vector<std::string> fields;
};

parts take_apart(std::string_view pattern) {
  parts out;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const bool brace = pattern[at] == '{' || pattern[at] == '}';
    const bool twice = brace && pattern.substr(at + 1, 1) == pattern.substr(at, 1);
    if (brace && !twice) {
      const std::size_t end = pattern.find('}', at);
      out.fields.emplace_back(pattern.substr(at + 1, end - at - 1));
      out.texts.emplace_back();
      at = end;
    } else {
      out.texts.back() += pattern[at];
      at += twice ? 1 : 0;
    }
  }
  return out;
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.size() <= 10 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Returns true if each element between commas, without blanks before it, is \p good.
template <typename Good>
bool all_between_commas(std::string_view list, Good good) {
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view one = list.substr(0, comma);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (!good(one)) return false;
    if (comma == list.size()) return true;
    list.remove_prefix(comma + 1);
  }
}

bool fits(std::string_view field, std::string_view value) {
  if (value.empty()) return false;
  if (field == "label") return value.size() <= 256 && value.find_first_not_of(' ') != std::string_view::npos;
  if (field == "identifier") return value.size() <= 2048 && value.find(' ') == std::string_view::npos;
  if (field == "key") {
    return value.size() <= 256 &&
           all_between_commas(value, [](std::string_view one) { return !one.empty(); });
  }
  return value.size() <= 64 && value.front() != ' ' && all_between_commas(value, is_digits);
}

/// The length of the marker at the start of \p text, or 0. A field ends at the first byte that it cannot
/// contain, so there is only one way to read it.
std::size_t marker_size(const parts& pattern, std::string_view text) {
  if (!text.starts_with(pattern.texts[0])) return 0;
  std::size_t at = pattern.texts[0].size();
  for (std::size_t i = 0; i < pattern.fields.size(); ++i) {
    const std::string& behind = pattern.texts[i + 1];
    const std::size_t begin = at;
    const auto holds = [&](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte >= 0x20 && byte != 0x7F && c != pattern.texts[0].front() && c != behind.front();
    };
    while (at < text.size() && holds(text[at])) ++at;
    if (!fits(pattern.fields[i], text.substr(begin, at - begin)) || !text.substr(at).starts_with(behind))
      return 0;
    at += behind.size();
  }
  return at;
}

/// \p text with markers as 0x01. A pattern in brackets between `!` and `(` is an image.
std::string plain_reading(const parts& pattern, std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = marker_size(pattern, text.substr(at));
    const std::string_view whole = text.substr(at, size);
    const bool image = at > 0 && text[at - 1] == '!' && whole.starts_with('[') && whole.ends_with(']') &&
                       text.substr(at + size, 1) == "(";
    if (size > 0 && !image) {
      out += '\x01';
      at += size;
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::string scanned(const citestream::marker_pattern& pattern, const std::vector<std::string_view>& deltas,
                    std::size_t bound) {
  citestream::scanner_options options;
  options.grammars = {&pattern.as_grammar()};
  options.markers.bounds.max_marker_bytes = bound;
  citestream::marker_scanner scanner(options);
  std::string out;
  const auto take = [&] {
    for (citestream::marker_token token; scanner.next(token);) {
      out += token.kind == citestream::token_kind::text ? token.text : std::string_view("\x01");
    }
  };
  for (const std::string_view delta : deltas) {
    scanner.feed(delta);
    take();
  }
  scanner.finish();
  take();
  return out;
}

std::string check_refusal(std::string_view pattern, const citestream::pattern_error& why) {
  if (why.problem == citestream::pattern_problem::none || message(why.problem).empty())
    return "refused without a word";
  return why.offset <= pattern.size() && why.column >= 1 && why.column <= why.offset + 1
             ? ""
             : "not a place of the text";
}

/// Returns true if the text may have code or escapes, which the plain reading does not support.
bool may_hold_code(std::string_view text) {
  return text.find_first_of("`\\") != std::string_view::npos || text.find("~~~") != std::string_view::npos;
}

}  // namespace

std::string check_pattern(std::string_view bytes, fuzz_run how) {
  fuzz_input input(bytes);
  const std::size_t seed = input.choice(251);
  const std::string_view pattern = input.until(part_end);
  const std::string_view text = input.rest();
  citestream::pattern_error why;
  const auto compiled = citestream::compile_marker_pattern(pattern, why);
  if (!compiled) return check_refusal(pattern, why);
  if (compiled->as_grammar().name != pattern) return "another name: " + shown(compiled->as_grammar().name);

  const std::size_t bound = how == fuzz_run::planted ? 6 : citestream::limits{}.max_marker_bytes;
  const std::string whole = scanned(*compiled, {text}, citestream::limits{}.max_marker_bytes);
  if (!may_hold_code(text)) {
    const std::string expected = plain_reading(take_apart(pattern), text);
    if (whole != expected) return shown(whole) + ", not " + shown(expected) + " by " + shown(pattern);
  }
  for (const std::size_t longest : {1U, 4U, 30U}) {
    const std::string cut = scanned(*compiled, cut_by(text, seed, longest), bound);
    if (cut != whole) return "when cut " + shown(cut) + ", not " + shown(whole) + " by " + shown(pattern);
  }
  return {};
}

}  // namespace citestream_tests
