// Patterns given at run time: `[ref:{key}]`.
#include <citestream/marker/pattern.hpp>
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "base/code_point.hpp"
#include "marker/grammar_runs.hpp"
#include "marker/scanner.hpp"
#include "marker/texts.hpp"

using namespace citestream_tests;

namespace {

using citestream::compile_marker_pattern;
using citestream::marker_pattern;
using citestream::pattern_error;
using citestream::pattern_problem;

using list = std::vector<std::string>;

marker_pattern compiled(std::string_view pattern) {
  pattern_error why;
  const auto out = compile_marker_pattern(pattern, why);
  CAPTURE(pattern, message(why.problem));
  REQUIRE(out);
  return *out;
}

/// `key` or `key=label` of each record, then the text.
list answered(const std::string& pattern, const std::vector<std::string_view>& deltas, bool others = false) {
  citestream::session_options options;
  options.style = &citestream::numeric_style;
  options.grammars = {&citestream::file_grammar};
  if (others) options.grammars.assign(citestream::grammars().begin(), citestream::grammars().end());
  options.patterns.push_back(compiled(pattern));
  auto a = std::make_unique<citestream::answer>(options);
  options.patterns.clear();  // the answer keeps what it needs
  const grammar_output got = run_grammars(*a, deltas);
  list out;
  for (const grammar_record& r : got.records) out.push_back(r.label.empty() ? r.key : r.key + "=" + r.label);
  out.push_back(got.text);
  return out;
}

void check(const std::string& pattern, const std::string& text, const list& expected, bool others = false) {
  CAPTURE(pattern, text);
  const std::string_view view = text;
  CHECK(answered(pattern, {view}, others) == expected);
  CHECK(answered(pattern, single_bytes(text), others) == expected);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    CHECK(answered(pattern, {view.substr(0, at), view.substr(at)}, others) == expected);
  }
}

// --- an independent matcher

/// A generated pattern with its parts: text, field, text, field, text.
struct made {
  list texts;
  list fields;

  [[nodiscard]] std::string pattern() const {
    std::string out = texts[0];
    for (std::size_t i = 0; i < fields.size(); ++i) out += "{" + fields[i] + "}" + texts[i + 1];
    return out;
  }
};

/// The characters of a text. Bytes that are not UTF-8 are characters above 0x110000.
std::wstring characters_of(std::string_view text) {
  std::wstring out;
  while (!text.empty()) {
    const auto [value, length] = citestream::first_code_point(text);
    const auto byte = static_cast<unsigned char>(text.front());
    out += static_cast<wchar_t>(length > 0 ? value : 0x110000U + byte);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::wstring quoted(const std::wstring& text) {
  static const std::wregex special(LR"([.^$|()\[\]{}*+?\\])");
  return std::regex_replace(text, special, LR"(\$&)");
}

std::wregex regex_of(const made& from) {
  const std::wstring opening = characters_of(from.texts[0]);
  std::wstring out = quoted(opening);
  for (std::size_t i = 0; i < from.fields.size(); ++i) {
    const std::wstring text = characters_of(from.texts[i + 1]);
    const std::wstring never = quoted(opening.substr(0, 1)) + quoted(text.substr(0, 1)) + L"\\n";
    const std::string& kind = from.fields[i];
    const std::wstring item = L" *[^" + never + L", ][^" + never + L",]*";
    out += kind == "number"       ? L"([0-9]{1,10}(?:, *[0-9]{1,10})*)"
           : kind == "key"        ? L"(" + item + L"(?:," + item + L")*)"
           : kind == "identifier" ? L"([^" + never + L" ]+)"
                                  : L"(?=[^" + never + L"]*[^ " + never + L"])([^" + never + L"]+)";
    out += quoted(text);
  }
  return std::wregex(out);
}

/// \p bytes with each marker replaced by 0x01, from left to right.
std::string marked(const std::string& bytes, const std::wregex& pattern) {
  const std::wstring text = characters_of(bytes);
  std::string out;
  std::size_t byte = 0;  // of `bytes`, at character `at`
  const auto size_at = [&] {
    return std::max<std::size_t>(citestream::first_code_point(bytes.substr(byte)).length, 1);
  };
  for (std::size_t at = 0; at < text.size();) {
    std::wsmatch found;
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(at);
    const auto is_image = [&](const std::wstring& whole) {
      return at > 0 && text[at - 1] == L'!' && whole.front() == L'[' && whole.back() == L']' &&
             text.substr(at + whole.size(), 1) == L"(";
    };
    if (std::regex_search(from, text.end(), found, pattern, std::regex_constants::match_continuous) &&
        !is_image(found.str(0))) {
      out += '\x01';
      for (const std::size_t end = at + static_cast<std::size_t>(found.length(0)); at < end; ++at)
        byte += size_at();
    } else {
      const std::size_t size = size_at();
      out += bytes.substr(byte, size);
      byte += size;
      ++at;
    }
  }
  return out;
}

std::string scanned(citestream::marker_scanner& scanner, const std::vector<std::string_view>& deltas) {
  std::string out;
  const auto take = [&] {
    for (citestream::marker_token token; scanner.next(token);) {
      token.kind == citestream::token_kind::text ? out += token.text : out += '\x01';
    }
  };
  scanner.reset();
  for (const std::string_view delta : deltas) {
    scanner.feed(delta);
    take();
  }
  return out;
}

std::string with_end(citestream::marker_scanner& scanner, std::string out) {
  scanner.finish();
  for (citestream::marker_token token; scanner.next(token);) {
    token.kind == citestream::token_kind::text ? out += token.text : out += '\x01';
  }
  return out;
}

const list openings{"[", "[r:", "[[", "<<", "(s ", "|", "【", "[a[b", "((s", "<r><", "%", "あ", "《《"};
const list middles{":", "](", "|", "†", ") (", "] [", "[c", "/", "][", "】（", "あ"};
const list closings{"]", "]]", ")", ">>", "】", "[/r]", "|", ")[r]", "%", "](", "))s", "い", "）【"};

const std::string& any(random_source& random, const list& from) {
  return from[below(random, from.size())];
}

made make(random_source& random) {
  static const list citing{"key", "identifier", "number"};
  made out{{any(random, openings)}, {any(random, citing)}};
  if (below(random, 2) == 0) {
    out.texts.push_back(any(random, middles));
    out.fields.insert(out.fields.begin() + static_cast<std::ptrdiff_t>(below(random, 2)), "label");
  }
  out.texts.push_back(any(random, closings));
  return out;
}

std::string text_for(random_source& random, const made& of) {
  std::string out;
  for (std::size_t n = 1 + below(random, 14); n > 0; --n) {
    const std::string& text = any(random, of.texts);
    const std::size_t kind = below(random, 8);
    if (kind < 3) {
      out += text;
    } else if (kind < 5) {
      out += text.substr(0, 1 + below(random, text.size()));
    } else {
      out += any(random, {"k", "1", "23", ",", ", ", " ", "é", "う", "r", "a", "\n", "!", "!", "(", "("});
    }
  }
  return out;
}

/// Continuations that complete a marker.
list ends_of(const made& of) {
  list out;
  for (const std::string value : {"1", "1,2", "k"}) {
    std::string whole = of.texts[0];
    for (std::size_t i = 0; i < of.fields.size(); ++i) whole += value + of.texts[i + 1];
    for (std::size_t at = 0; at < whole.size(); ++at) out.push_back(whole.substr(at));
  }
  return out;
}

}  // namespace

TEST_CASE("a pattern finds its markers with their keys and labels") {
  check("[ref:{key}]", "a [ref:x] b [ref:y, z].", {"x", "y", "z", "a [1] b [2][3]."});
  check("<<{label}|{identifier}>>", "a <<A b|http://c/d,e>>", {"http://c/d,e=A b", "a [1]"});
  check("⟦{number}⟧", "a ⟦1⟧ ⟦2, 3⟧ ⟦x⟧", {"1", "2", "3", "a [1] [2][3] ⟦x⟧"});
  check("{{{key}}}", "a {k} {{k}}", {"k", "k", "a [1] {[1]}"});
  check("[ref:{key}]", "[ref:[ref:x] [re[ref:y]", {"x", "y", "[ref:[1] [re[2]"});
  check("[ref:{key}]", "[ref:] [ref: ] [ref:,a] [ref:a,] [ref:a\nb] [ref:a[b]",
        {"[ref:] [ref: ] [ref:,a] [ref:a,] [ref:a\nb] [ref:a[b]"});
}

TEST_CASE("a field ends at a whole character and not at its first byte") {
  check("【{label}|{identifier}】", "A 【レポート|id1】 b", {"id1=レポート", "A [1] b"});
  check("【{key}】", "【あ】【【い】", {"あ", "い", "[1]【[2]"});
  check("«{label}|{key}»", "«10 £ report|id1»", {"id1=10 £ report", "[1]"});
  check("[ref:{label}→{key}]", "[ref:“Q1 – Q2”→id1]", {"id1=“Q1 – Q2”", "[1]"});
  std::string cut;  // characters that lack their last byte count, too
  for (int i = 0; i < 200; ++i) cut += "\xE3\x80";
  CHECK(answered("【{key}】", {"【" + cut + "】"}) == list{"【" + cut + "】"});
}

TEST_CASE("an image is not a marker of a pattern in brackets") {
  check("[ref:{key}]", "![ref:x](u) Great![ref:x] \\![ref:x](u)",
        {"x", "x", "![ref:x](u) Great![1] \\![1](u)"});
  check("[{key}[/]", "![k[/](u[/]", {"/](u", "![k[1]"});
  check("[{key}]", "![x](u) ![x][y] ![y]", {"x", "y", "y", "![x](u) ![1][2] ![2]"});
  check("[{key}](see)", "![x](see)", {"x", "![1]"});
  check("[{key}]", "![x](u) [1](v)", {"v=1", "![x](u) [1]"}, true);
}

TEST_CASE("code and escapes contain no markers of a pattern") {
  check("[ref:{key}]", "`[ref:x]` \\[ref:y] [ref:\\]] [ref:`z`] [ref:z]",
        {"z", "`[ref:x]` \\[ref:y] [ref:\\]] [ref:`z`] [1]"});
}

TEST_CASE("a pattern competes with other grammars by start and then length and then table") {
  check("[{number}](see {label})", "[1](see a) [2] [3](u)", {"1=a", "2", "u=3", "[1] [2] [3]"}, true);
  check("[[{key}]]", "[[1]] [[1]](u) [[k]]", {"1", "u=1", "k", "[1] [2] [3]"}, true);
  check("[{key}]", "[1] [x] [y](z) <co>[k]</co: 0>", {"1", "x", "z=y", "0", "[1] [2] [3] [k][1]"}, true);
}

TEST_CASE("random patterns find in random texts what a plain search finds for every cut") {
  random_source random(800);
  std::size_t accepted = 0;
  std::size_t markers = 0;
  for (std::size_t round = 0; round < scaled(2500); ++round) {
    const made one = make(random);
    pattern_error why;
    const auto pattern = compile_marker_pattern(one.pattern(), why);
    if (!pattern) continue;
    ++accepted;
    const std::wregex plain = regex_of(one);
    citestream::scanner_options options;
    options.grammars = {&pattern->as_grammar()};
    citestream::marker_scanner scanner(options);
    for (int i = 0; i < 6; ++i) {
      const std::string text = text_for(random, one);
      const std::string expected = marked(text, plain);
      CAPTURE(one.pattern(), text);
      markers += static_cast<std::size_t>(std::count(expected.begin(), expected.end(), '\x01'));
      REQUIRE(with_end(scanner, scanned(scanner, {text})) == expected);
      REQUIRE(with_end(scanner, scanned(scanner, single_bytes(text))) == expected);
      for (std::size_t at = 0; at <= text.size(); ++at) {
        const std::string_view view = text;
        REQUIRE(with_end(scanner, scanned(scanner, {view.substr(0, at), view.substr(at)})) == expected);
      }
    }
  }
  CHECK(accepted > scaled(600));
  CHECK(markers > scaled(600));
}

TEST_CASE("a random pattern holds only text that may become its marker") {
  random_source random(801);
  for (std::size_t round = 0; round < scaled(250); ++round) {
    const made one = make(random);
    pattern_error why;
    const auto pattern = compile_marker_pattern(one.pattern(), why);
    if (!pattern) continue;
    const std::wregex plain = regex_of(one);
    citestream::scanner_options options;
    options.grammars = {&pattern->as_grammar()};
    citestream::marker_scanner scanner(options);
    const list ends = ends_of(one);
    const std::string text = text_for(random, one);
    for (std::size_t size = 1; size <= text.size(); ++size) {
      const std::string so_far = text.substr(0, size);
      std::string certain = marked(so_far, plain);
      for (const std::string& end : ends) {
        for (const char* before : {"", "k", "1", "("}) {
          const std::string other = marked(so_far + before + end, plain);
          certain.erase(std::mismatch(certain.begin(), certain.end(), other.begin(), other.end()).first,
                        certain.end());
        }
      }
      CAPTURE(one.pattern(), so_far);
      REQUIRE(scanned(scanner, single_bytes(so_far)) == certain);
    }
  }
}

TEST_CASE("a pattern that needs unbounded memory is rejected with its position") {
  struct example {
    std::string pattern;
    pattern_problem problem;
    std::size_t offset;
    std::size_t column;
  };
  for (const example& one : {
           example{"", pattern_problem::empty, 0, 1},
           example{std::string(257, '['), pattern_problem::too_long, 256, 257},
           example{"[a\n{key}]", pattern_problem::control_byte, 2, 3},
           example{"é[\x80{key}]", pattern_problem::not_utf8, 3, 3},
           example{"[\xC0\x80{key}]", pattern_problem::not_utf8, 1, 2},
           example{"`{key}`", pattern_problem::code_or_escape, 0, 1},
           example{"[é\\{key}]", pattern_problem::code_or_escape, 3, 3},
           example{"[{key]", pattern_problem::brace, 1, 2},
           example{"[key}]", pattern_problem::brace, 4, 5},
           example{"[{url}]", pattern_problem::unknown_field, 1, 2},
           example{"[{}]", pattern_problem::unknown_field, 1, 2},
           example{"[{key}|{number}]", pattern_problem::second_field, 7, 8},
           example{"[{label}|{label}]", pattern_problem::second_field, 9, 10},
           example{"{key}]", pattern_problem::starts_with_field, 0, 1},
           example{"[{label}{key}]", pattern_problem::adjacent_fields, 8, 9},
           example{"【{key}", pattern_problem::ends_with_field, 3, 2},
           example{"ref:{key};", pattern_problem::letter_at_edge, 0, 1},
           example{"[{key} ]", pattern_problem::letter_at_edge, 6, 7},
           example{"[{number}1]", pattern_problem::letter_at_edge, 9, 10},
           example{"[{key},{label}]", pattern_problem::letter_at_edge, 6, 7},
           example{"[a{label}:[a{key}]", pattern_problem::overlaps_start, 9, 10},
           example{"[a[{key}]", pattern_problem::overlaps_start, 0, 1},
           example{"[a]", pattern_problem::cites_nothing, 0, 1},
           example{"[{label}]", pattern_problem::cites_nothing, 0, 1},
       }) {
    CAPTURE(one.pattern);
    pattern_error why;
    CHECK_FALSE(compile_marker_pattern(one.pattern, why));
    CHECK(message(why.problem) == message(one.problem));
    CHECK(why.offset == one.offset);
    CHECK(why.column == one.column);
  }
}

TEST_CASE("a field that is too long is released as text immediately") {
  struct example {
    const char* pattern;
    std::size_t most;
  };
  for (const example& one : {example{"[r:{key}]", 256}, example{"[r:{identifier}]", 2048}}) {
    for (const std::size_t bytes : {one.most - 1, one.most, one.most + 1}) {
      const std::string key(bytes, 'k');
      const list got = answered(one.pattern, single_bytes("[r:" + key + "]"));
      CHECK((got.size() == 2) == (bytes <= one.most));
    }
    citestream::scanner_options options;
    const marker_pattern pattern = compiled(one.pattern);
    options.grammars = {&pattern.as_grammar()};
    citestream::marker_scanner scanner(options);
    CHECK(scanned(scanner, {"[r:" + std::string(one.most, 'k')}).empty());
    CHECK(scanned(scanner, {"[r:" + std::string(one.most + 1, 'k')}).size() == one.most + 4);
  }
  check("[r{number}]", "[r1234567890] [r12345678901]", {"1234567890", "[1] [r12345678901]"});
}
