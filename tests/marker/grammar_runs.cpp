#include "marker/grammar_runs.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "marker/scanner.hpp"

namespace citestream_tests {
namespace {

using citestream::answer;
using citestream::grammar;
using list = std::vector<std::string>;

/// Complete markers of a grammar. Every continuation is the end of one of them.
const list& samples(const grammar* one) {
  static const std::map<std::string_view, list> all{
      {"numeric", {"[1]", "[1, 2]", "[^1]", "［1］", "【1】", "[1–2]", "[[1]](u)"}},
      {"link", {"[y](x)"}},
      {"source", {"[src_1]", "[doc1]", "[doc:0]", "[Source 1]", "[source 1]", "[doc1, doc2]"}},
      {"ref", {"[REF|d_1]", "[REF|d_1|a_2]", "[REF\\|d_1\\|a_2]"}},
      {"file", {"<|file-1|>", "<|file-1>"}},
      {"lenticular", {"【4:0†s】", "【4†s】"}},
      {"cite", {"[cite: 1]", "[cite: 1, 3-4]", "[cite_start]", "[cite_end]"}},
      {"private",
       {"\uE200cite\uE202k\uE201", "\\ue200cite\\ue202k\\ue201", "\uE200cite\uE202k\uE202l\uE201",
        "\uE200filecite\uE202k\uE201"}},
      {"tag",
       {"<co>t</co: 0>", "<co: 1>t</co: 0,1>", "<co>t</co: 0:[1,2]>", "<citation>k, l</citation>",
        "<co></co: 0>"}}};
  return all.at(one->name);
}

/// Pieces of texts in addition to complete markers.
const list& parts(const grammar* one) {
  static const std::map<std::string_view, list> all{
      {"numeric", {"[",   "[[",  "]",      "]]",       "](",       ")",       "(",      "1",      "12",
                   "70",  ", ",  ";",      "-",        "–",        "^",       "[^1]:",  "[1",     "［",
                   "］",  "【",  "![1](",  "![",       "![[",      "![[1]](", "\n[1]:", "\n> [2", "】",
                   "［2", "【3", "[[1]](", "\xE3\x80", "\xEF\xBC", "\xE2",    "u"}},
      {"link", {"[", "]", "](", "](x)", ")", "(", "!"}},
      {"source",
       {"[", "[src_", "src_a-B", "[doc", "doc", ":", "[Source ", "[s", "[so", "1", "23", ",", ";", " ", "]",
        "![doc1](", "!["}},
      {"ref", {"[", "[REF", "[REF|", "|", "\\", "\\|", "d_", "a_", "1", "23", "]", "_", "![REF|d_1](", "!["}},
      {"file", {"<", "<|", "|", ">", "|>", "<|file-", "file-", "a1", "-", "_"}},
      {"cite",
       {"[", "[cite", "[cite:", "cite", "_start]", "[cite_", "_end]", "start", ":", " ", "1", "23", "-", ", ",
        "]", "![cite: 1](", "!["}},
      {"lenticular",
       {"【", "】", "†", "4", ":", "0", "【4", "【4†", "s", "[", "\xE3", "\x80", "\xE2\x80", "\\*"}},
      {"private",
       {"\uE200", "\uE201", "\uE202", "\\ue200", "\\ue201", "\\ue202", "cite", "file", "\uE200cite\uE202",
        "\\", "\\ue2", "\xEE", "\x88", "\x80", "k", "turn0"}},
      {"tag", {"<",     "<c",         "<co",         "<co>", "<co>", "<co: ", "</co", "</co: ",
               "</co>", "<citation>", "</citation>", "</",   "0",    "1",     ",",    ", ",
               ":[",    "]",          ">",           "t",    "(",    ")",     ".",    "</co: 0>"}}};
  return all.at(one->name);
}

const list common{"a",   " ",  "  ", ", ", ".", "\n", "\n\n", "> ", "`", "``",
                  "```", "\\", "!",  "(",  ")", ";",  "é",    "😀",  ":"};

bool has_links(const grammar_list& on) {
  return std::find(on.begin(), on.end(), &citestream::link_grammar) != on.end();
}

bool has_tags(const grammar_list& on) {
  return std::find(on.begin(), on.end(), &citestream::tag_grammar) != on.end();
}

bool has_brackets(const grammar_list& on) {
  return std::any_of(on.begin(), on.end(), [](const grammar* one) { return one->starts.starts_with('['); });
}

std::string names(const grammar_list& on) {
  std::string out;
  for (const grammar* one : on) out += std::string(one->name) + " ";
  return out;
}

/// Ends of the incomplete number or range in \p text.
void add_numbers(std::string_view text, std::set<std::string>& out) {
  const std::string_view digits = "0123456789";
  std::set<std::string> ends{"0", "00", "000", "9", "99"};
  for (std::size_t at = text.find_first_of(digits); at < text.size(); at = text.find_first_of(digits, at)) {
    const std::size_t end = std::min(text.find_first_not_of(digits, at), text.size());
    for (; at < end; ++at) ends.insert(std::string(text.substr(at, end - at)));
  }
  for (const std::string& end : ends) {
    for (const char* close : {"]", "］", "】", "]](u)"}) {
      out.insert(end + close);
      out.insert("\x80\x93" + end + close);  // after a dash that is cut
      out.insert("\x93" + end + close);
    }
  }
}

std::set<std::string> completions(std::string_view text, const grammar_list& on) {
  std::set<std::string> out{""};
  for (const grammar* one : on) {
    for (const std::string& sample : samples(one)) {
      for (std::size_t at = 0; at < sample.size(); ++at) out.insert(sample.substr(at));
    }
    if (one == &citestream::numeric_grammar) add_numbers(text, out);
  }
  for (const char* end : {")", "))", "\x81", "01"}) out.insert(end);
  return out;
}

/// Continuations of \p text.
list ways_on(std::string_view text, const grammar_list& on, printing how) {
  list after{"", "a", ":"};
  if (has_brackets(on)) after.emplace_back("(");  // an image
  list before{""};
  if (how == printing::strip) {
    for (const char* more : {")", ")a", " ", ",", "."}) after.emplace_back(more);
    for (const char* more : {" ", "(", ", ", ")", "a", "\x80\x82", "\x82", "\xbc\x8c", "\x8c"})
      before.emplace_back(more);
    after.push_back(samples(on.front()).front());
  }
  if (has_links(on)) {
    for (const char* more : {"](x)", "]](x)", "](x)](x)", "(x)", "]]](x)"}) after.emplace_back(more);
    before.insert(before.end(), {"]", "a", "](x", "x)", "\"t\")"});
  }
  const std::size_t ticks =
      std::min<std::size_t>(3, static_cast<std::size_t>(std::count(text.begin(), text.end(), '`')));
  if (has_links(on) || has_tags(on)) {
    for (std::size_t n = 1; n <= ticks; ++n) before.push_back("a" + std::string(n, '`'));
    before.emplace_back("`");
  }
  list out;
  for (const std::string& first : before) {
    for (const std::string& end : completions(text, on)) {
      for (const std::string& last : after) out.push_back(first + end + last);
    }
  }
  return out;
}

std::string certain(std::string_view text, const grammar_list& on, printing how) {
  std::string out = print_grammars(text, on, how).text;
  for (const std::string& more : ways_on(text, on, how)) {
    const std::string other = print_grammars(std::string(text) + more, on, how).text;
    const auto differ = std::mismatch(out.begin(), out.end(), other.begin(), other.end());
    out.erase(differ.first, out.end());
  }
  return out;
}

void check_same(const grammar_output& got, const grammar_output& expected, const std::string& text,
                const grammar_list& on) {
  if (got == expected) {
    SUCCEED();
    return;
  }
  CAPTURE(names(on), text, got.text, expected.text, got.records.size(), expected.records.size());
  for (std::size_t i = 0; i < std::min(got.records.size(), expected.records.size()); ++i) {
    const grammar_record& g = got.records[i];
    const grammar_record& e = expected.records[i];
    CAPTURE(i, g.key, e.key, g.label, e.label, g.marker, e.marker, g.number, e.number, g.start, e.start,
            g.end, e.end, g.claim, e.claim);
    CHECK(g == e);
  }
  FAIL("not what the reference says");
}

list record_names(const grammar_output& from) {
  list out;
  for (const grammar_record& r : from.records) out.push_back(r.label.empty() ? r.key : r.key + "=" + r.label);
  return out;
}

/// Checks every cut in two, and in three for short texts.
void check_cuts(const grammar_list& on, const std::string& text, printing how) {
  answer a(grammar_run_options(on, how));
  const std::string_view view = text;
  const grammar_output expected = print_grammars(text, on, how);
  check_same(run_grammars(a, {view}), expected, text, on);
  check_same(run_grammars(a, single_bytes(text)), expected, text, on);
  const bool three = text.size() < 80;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    for (std::size_t j = three ? i : text.size(); j <= text.size(); ++j) {
      const auto got = run_grammars(a, {view.substr(0, i), view.substr(i, j - i), view.substr(j)});
      check_same(got, expected, text, on);
    }
  }
}

std::string scanned_text(const grammar_list& on, std::string_view text, std::size_t bound, std::size_t size) {
  citestream::scanner_options options;
  options.grammars = on;
  options.markers.bounds.max_marker_bytes = bound;
  citestream::marker_scanner scanner(options);
  std::string out;
  std::size_t given = 0;
  const auto take = [&] {
    for (citestream::marker_token token; scanner.next(token);) out += token.text;
  };
  while (given < text.size()) {
    const std::string_view delta = text.substr(given, size);
    scanner.feed(delta);
    take();
    given += delta.size();
    REQUIRE(out.size() + scanner.held() == given);
    REQUIRE(scanner.held() <= bound);
  }
  scanner.finish();
  take();
  return out;
}

}  // namespace

void check_examples(const grammar_list& on, const std::vector<grammar_example>& examples) {
  for (const grammar_example& one : examples) {
    CAPTURE(one.text);
    answer strips(grammar_run_options(on, printing::strip));
    answer numbers(grammar_run_options(on, printing::numeric));
    const grammar_output stripped = run_grammars(strips, {one.text});
    CHECK(stripped.text == one.strip);
    CHECK(record_names(stripped) == one.records);
    CHECK(run_grammars(numbers, {one.text}).text == one.numeric);
    for (const printing how : {printing::strip, printing::numeric}) check_cuts(on, one.text, how);
  }
}

void check_false_friends(const grammar_list& on, const list& texts) {
  std::vector<grammar_example> examples;
  for (const std::string& text : texts) examples.push_back({text, text, text, {}});
  check_examples(on, examples);
}

std::string pieces_text(random_source& random, const grammar_list& on, std::size_t pieces) {
  std::string out;
  for (std::size_t i = 0; i < pieces; ++i) {
    const grammar* one = on[below(random, on.size())];
    const std::size_t kind = below(random, 10);
    const list& from = kind < 3 ? samples(one) : kind < 8 ? parts(one) : common;
    out += from[below(random, from.size())];
  }
  return out;
}

void check_invariance(const grammar_list& on, std::size_t rounds, unsigned seed) {
  random_source random(seed);
  const grammar_list reversed(on.rbegin(), on.rend());
  for (const printing how : {printing::strip, printing::numeric}) {
    answer a(grammar_run_options(on, how));
    answer b(grammar_run_options(reversed, how));
    for (std::size_t i = 0; i < scaled(rounds); ++i) {
      const std::string text = pieces_text(random, on, 1 + below(random, 16));
      const grammar_output whole = run_grammars(a, {text});
      const grammar_output expected = is_contested(text, on) ? whole : print_grammars(text, on, how);
      check_same(whole, expected, text, on);
      check_same(run_grammars(a, single_bytes(text)), expected, text, on);
      check_same(run_grammars(a, cut(text, random, 7)), expected, text, on);
      check_same(run_grammars(b, cut(text, random, 5)), expected, text, on);
    }
  }
}

namespace {

/// Returns true if \p expected is longer than \p left because cited text starts with the same bytes as its
/// tag:
/// `<co><c` prints `<c` even if the tag is not removed.
bool happens_to_stay(const std::string& text, const grammar_list& on, const std::string& left,
                     const std::string& expected) {
  if (!has_tags(on) || !expected.starts_with(left) || text.find("><") == std::string::npos) return false;
  const std::string same = expected.substr(left.size());
  return std::string("<co").starts_with(same) || std::string("<citation").starts_with(same);
}

}  // namespace

void check_hold(const grammar_list& on, const std::string& text, printing how,
                std::optional<std::size_t> phase) {
  constexpr std::size_t short_text = 32;
  if (!phase && (sanitized || text.size() > short_text)) phase = text.size();
  answer a(grammar_run_options(on, how));
  std::string left;
  for (std::size_t at = 0; at < text.size(); ++at) {
    a.push(std::string_view(text).substr(at, 1), left);
    if (phase && !sampled(at, *phase)) continue;
    const std::string expected = certain(text.substr(0, at + 1), on, how);
    if (left == expected || happens_to_stay(text.substr(0, at + 1), on, left, expected)) continue;
    CAPTURE(names(on), text.substr(0, at + 1), expected, left);
    FAIL((left.size() < expected.size() ? "withheld too long" : "left too early"));
  }
  SUCCEED();
}

void check_holds(const grammar_list& on, std::size_t rounds, unsigned seed, printing how) {
  random_source random(seed);
  for (std::size_t i = 0; i < scaled(rounds); ++i) {
    const std::string text = pieces_text(random, on, 1 + below(random, 8));
    if (!is_contested(text, on)) check_hold(on, text, how, seed + i);
  }
}

void check_bounds(const grammar_list& on, std::size_t rounds, unsigned seed) {
  random_source random(seed);
  for (std::size_t i = 0; i < scaled(rounds); ++i) {
    const std::string text = pieces_text(random, on, 1 + below(random, 30));
    for (const std::size_t bound : {1U, 2U, 5U, 16U, 40U}) {
      for (const std::size_t size : {std::size_t{1}, std::size_t{3}, text.size()}) {
        REQUIRE(scanned_text(on, text, bound, size) == text);
      }
    }
  }
}

void check_lossless(const grammar_list& on, std::size_t rounds, unsigned seed) {
  random_source random(seed);
  for (std::size_t i = 0; i < scaled(rounds); ++i) {
    const std::string text = pieces_text(random, on, 1 + below(random, 30));
    for (const std::size_t size : {std::size_t{1}, std::size_t{4}, text.size()}) {
      REQUIRE(scanned_text(on, text, 4096, size) == text);
    }
  }
}

void check_promises(const grammar_list& on, unsigned seed) {
  check_invariance(on, 1500, seed);
  check_holds(on, 7, seed + 1);
  check_holds(on, 2, seed + 2, printing::strip);
  check_bounds(on, 150, seed + 3);
  check_lossless(on, 300, seed + 4);
}

}  // namespace citestream_tests
