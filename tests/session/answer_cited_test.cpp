// Citations without a marker in the text: their positions for every cut.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "marker/texts.hpp"
#include "session/answer_harness.hpp"
#include "session/answer_stages.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// A text in parts, with a citation after each part except the last.
using parts = std::vector<std::string>;

std::string key_of(std::size_t place) {
  return "k" + std::to_string(place);
}

/// Feeds each part in the pieces that \p cut_up makes of it.
template <typename Cut>
answered run_parts(answer& one, const parts& text, Cut cut_up) {
  answered out;
  one.reset();
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const std::string_view piece : cut_up(std::string_view(text[i]))) one.push(piece, out.text);
    if (i + 1 < text.size()) one.cite(key_of(i));
  }
  one.finish(out.text);
  out.citations.assign(one.cites().all().begin(), one.cites().all().end());
  return out;
}

std::vector<std::string_view> bytes(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < text.size(); ++i) out.push_back(text.substr(i, 1));
  return out;
}

parts random_parts(random_source& random, bool hostile) {
  parts made;
  for (std::size_t left = 1 + below(random, 5); left > 0; --left) {
    made.push_back(hostile ? difficult_text(random, below(random, 20))
                           : composed_answer(random, below(random, 4)));
  }
  return made;
}

answered written(const parts& text, const session_options& options) {
  answer one(options);
  return run_parts(one, text, [](std::string_view part) { return std::vector{part}; });
}

}  // namespace

TEST_CASE("a citation without a marker has the same position for every cut") {
  random_source random(31);
  for (const printing how : {printing::strip, printing::keep, printing::numeric, printing::mark_goes}) {
    answer one(options_for(how));
    for (std::size_t round = 0; round < scaled(2000); ++round) {
      const parts text = random_parts(random, round % 2 == 0);
      const answered whole = written(text, options_for(how));
      CAPTURE(text, style_of(how).name, whole.text);
      REQUIRE(same(run_parts(one, text, bytes), whole));
      REQUIRE(same(run_parts(one, text, [&](std::string_view part) { return cut(part, random, 5); }), whole));
    }
  }
}

TEST_CASE("citations without markers do not change text if white space is kept") {
  random_source random(32);
  for (const printing how : {printing::keep, printing::mark_stays}) {
    answer one(options_for(how));
    for (std::size_t round = 0; round < scaled(2000); ++round) {
      const parts text = random_parts(random, round % 2 == 0);
      std::string joined;
      for (const std::string& part : text) joined += part;
      const answered plain = run(one, {joined});
      const answered got = written(text, options_for(how));
      std::string rest = got.text;
      std::size_t without_marker = 0;
      for (auto cite = got.citations.rbegin(); cite != got.citations.rend(); ++cite) {
        if (!cite->marker.empty()) continue;
        rest.erase(cite->start.utf8, cite->end.utf8 - cite->start.utf8);
        ++without_marker;
      }
      CAPTURE(text);
      CHECK(without_marker + 1 == text.size());
      CHECK(rest == plain.text);
      CHECK(got.citations.size() == plain.citations.size() + without_marker);
    }
  }
}

TEST_CASE("a citation without a marker has its key and no text") {
  const answered got = written({"It grew ", " by 20% [A](id1) ", "."}, options_for(printing::strip));
  CHECK(got.text == "It grew by 20%.");
  REQUIRE(got.citations.size() == 3);
  CHECK(got.citations[0].identifier == "k0");
  CHECK(got.citations[0].marker.empty());
  CHECK(got.citations[0].start.utf8 == 7);
  CHECK(got.citations[0].end.utf8 == 7);
  CHECK(got.citations[0].claim_end.utf8 == 7);
  CHECK(got.citations[1].marker == "[A](id1)");
  CHECK(got.citations[2].start.utf8 == 14);
  CHECK(got.citations[2].claim_start.utf8 == 8);
  CHECK(got.citations[2].number == 3);
}

TEST_CASE("list positions count from 0 without a marker and from 1 in a marker") {
  session_options options;
  options.grammars = {&numeric_grammar};
  answer one(options);
  for (std::int64_t number : {1, 2}) {
    reference ref;
    ref.title = "page " + std::to_string(number);
    ref.number = number;
    one.add_reference(ref);
  }
  std::string out;
  one.push("a", out);
  one.cite("1");
  one.cite("0");
  one.cite("2");
  one.push(" b [1].", out);
  one.finish(out);
  one.resolve();
  CHECK(out == "a b.");
  std::vector<std::string> titles;
  for (const citation& cite : one.cites().all()) {
    titles.emplace_back(cite.references.empty() ? "none" : one.cites().title(cite));
  }
  CHECK(titles == std::vector<std::string>{"page 2", "page 1", "none", "page 1"});
}

TEST_CASE("a key without a marker matches an id before a list position") {
  answer one(session_options{});
  for (const char* id : {"1", "0"}) {
    reference ref;
    ref.id = id;
    ref.number = one.cites().references().size() + 1;
    one.add_reference(ref);
  }
  one.cite("0");
  std::string out;
  one.finish(out);
  one.resolve();
  REQUIRE(one.cites().all().size() == 1);
  REQUIRE(one.cites().all()[0].references.size() == 1);
  CHECK(one.cites().references()[one.cites().all()[0].references[0]].id == "0");
}

TEST_CASE("citations without a marker have the limits of markers") {
  session_options options;
  options.bounds.max_citations = 3;
  answer_stages one(options, nullptr, options.check);
  for (int i = 0; i < 10; ++i) one.cite("k");
  CHECK(one.waiting());
  std::string out;
  one.push("text", out);
  CHECK(out == "text");
  CHECK_FALSE(one.waiting());
  CHECK(one.cites().all().size() == 3);
}

TEST_CASE("the citations of one marker are one group") {
  session_options options;
  options.grammars = {&numeric_grammar};
  for (const style* form : {&strip_style, find_style("numeric"), find_style("keep")}) {
    options.style = form;
    answer one(options);
    std::string text;
    for (const char c : std::string_view("One [1, 2][1, 2] two [3].")) one.push({&c, 1}, text);
    one.cite("0");
    one.finish(text);
    std::string seen;
    for (const citation& cite : one.cites().all())
      seen += std::to_string(cite.group) + " " + std::string(name(cite.origin)) + " " +
              std::string(name(cite.anchor)) + "\n";
    CHECK(seen ==
          "0 marker marker\n0 marker marker\n1 marker marker\n1 marker marker\n2 marker marker\n"
          "3 provider point\n");
  }
}

TEST_CASE("what a style prints for the citations of an answer is bounded") {
  session_options options;
  options.grammars = {&numeric_grammar};
  options.style = &footnote_style;
  options.bounds.max_printed_bytes = 5;
  for (const std::size_t size : {1U, 2U, 3U, 100U}) {
    answer one(options);
    const std::string_view text = "One [7, 8, 9] two [7].";
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += size) one.push(text.substr(at, size), out);
    one.finish(out);
    one.resolve();
    one.append_list(out);
    CHECK(out == "One[^1][^2] two [7].");
    std::string cited;
    for (const citation& cite : one.cites().all())
      cited += cite.identifier + " " + std::to_string(cite.number) + " " + std::to_string(cite.start.utf8) +
               "-" + std::to_string(cite.end.utf8) + "\n";
    CHECK(cited == "7 1 3-7\n8 2 7-11\n9 3 11-11\n");
    one.reset();
    out.clear();
    one.push("[7] ", out);
    CHECK(out == "[^1]");
  }
}

TEST_CASE("lists that repeat count as printed text") {
  session_options options;
  options.style = &footnote_style;
  options.bounds.max_printed_bytes = 30;
  answer_stages one(options, nullptr, options.check);
  std::string out;
  for (int i = 0; i < 3; ++i) {
    one.push("a [A](b)", out);
    one.finish(out);
    one.append_list(out);
    out += '|';
    one.begin_text();
  }
  CHECK(out == "a[^1]\n\n[^1]: **A**\n|a[^1]\n\n[^1]: **A**\n|a [A](b)|");
}
