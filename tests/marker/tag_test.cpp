// `<co>text</co: 0,1>` and `<citation>key</citation>`.
#include <string>

#include <catch2/catch.hpp>

#include "marker/grammar_runs.hpp"

using namespace citestream_tests;

namespace {
const grammar_list on{&citestream::tag_grammar};

/// Checks that \p text is a marker, or text if \p fits is false.
void check_bound(const std::string& text, bool fits) {
  citestream::answer a(grammar_run_options(on, printing::mark_stays));
  const grammar_output got = run_grammars(a, {text});
  CHECK(got.records.empty() != fits);
  CHECK(got == print_grammars(text, on, printing::mark_stays));
  CHECK(run_grammars(a, single_bytes(text)) == got);
}

/// The text released while \p text is fed byte by byte, before the end of the answer.
std::string left_after(const std::string& text) {
  citestream::answer a(grammar_run_options(on, printing::mark_stays));
  std::string left;
  for (const std::string_view byte : single_bytes(text)) a.push(byte, left);
  return left;
}

citestream::session_options options_of(const citestream::style& style) {
  citestream::session_options out;
  out.grammars = on;
  out.style = &style;
  return out;
}
}  // namespace

TEST_CASE("text between co tags is kept and followed by the printed citation") {
  check_examples(
      on,
      {
          {"It <co>grew by 20%</co: 0>.", "It grew by 20%.", "It grew by 20%[1].", {"0"}},
          {"It <co: 0>grew</co: 0> twice", "It grew twice", "It grew[1] twice", {"0"}},
          {"<co>a</co: 0,1>", "a", "a[1][2]", {"0", "1"}},
          {"<co>a</co: 0, 1>", "a", "a[1][2]", {"0", "1"}},
          {"<co>a</co:0>", "a", "a[1]", {"0"}},
          {"<co>a</co: 0:[1,2],1:[0]>", "a", "a[1][2][3]", {"0:1", "0:2", "1:0"}},
          {"<co>a</co: doc_0.b-1>", "a", "a[1]", {"doc_0.b-1"}},
          {"<co: 1>a</co: 0>", "a", "a[1]", {"0"}},
          {"<co>foo</co: 0> <co>bar</co: 0>", "foo bar", "foo[1] bar[1]", {"0", "0"}},
          {"<co>foo</co: 0><co>bar</co: 1>", "foobar", "foo[1]bar[2]", {"0", "1"}},
          {"<co>foo</co: 0>, <co>bar</co: 1>", "foo, bar", "foo[1], bar[2]", {"0", "1"}},
          {"**<co>foo</co: 0>** <co>**bar**</co: 1>", "**foo** **bar**", "**foo[1]** **bar**[2]", {"0", "1"}},
          {"(<co>foo</co: 0>)", "(foo)", "(foo[1])", {"0"}},
          {"a <co>use `x` here</co: 0>", "a use `x` here", "a use `x` here[1]", {"0"}},
          {"a <co>`</co: 1>` b</co: 0>", "a `</co: 1>` b", "a `</co: 1>` b[1]", {"0"}},
          {"a <co>\\</co: 1> b</co: 0>", "a \\</co: 1> b", "a \\</co: 1> b[1]", {"0"}},
          {"<co>a < b </code> <co d</co: 0>", "a < b </code> <co d", "a < b </code> <co d[1]", {"0"}},
          {"`<co>a</co: 0>` <co>b</co: 0>", "`<co>a</co: 0>` b", "`<co>a</co: 0>` b[1]", {"0"}},
          {"- <co>増加した</co: 0>。", "- 増加した。", "- 増加した[1]。", {"0"}},
      });
}

TEST_CASE("a complete inner tag replaces the outer one") {
  check_examples(on,
                 {
                     {"<co>a <co>b</co: 0> c</co: 1>", "<co>a b c</co: 1>", "<co>a b[1] c</co: 1>", {"0"}},
                     {"<co>a <co: 1>b</co: 0>", "<co>a b", "<co>a b[1]", {"0"}},
                     {"<co>a <citation>b</citation>", "<co>a", "<co>a [1]", {"b"}},
                     {"<citation>a<co>b</co: 0>", "<citation>ab", "<citation>ab[1]", {"0"}},
                     {"<co<co>b</co: 0>", "<cob", "<cob[1]", {"0"}},
                     {"<co>a <co: >b</co: 0>", "a <co: >b", "a <co: >b[1]", {"0"}},
                 });
}

TEST_CASE("nothing in cited text is removed") {
  check_examples(on, {
                         {"x <co>foo </co: 0>bar", "x foo bar", "x foo [1]bar", {"0"}},
                         {"x <co> foo</co: 0> bar", "x  foo bar", "x  foo[1] bar", {"0"}},
                         {"x <co>(</co: 0>) y", "x () y", "x ([1]) y", {"0"}},
                         {"( <co>a</co: 0> )", "( a )", "( a[1] )", {"0"}},
                         {"x <co>, </co: 0>y", "x , y", "x , [1]y", {"0"}},
                         {"<co>[1] [a](b)</co: 0>", "[1] [a](b)", "[1] [a](b)[1]", {"0"}},
                         {"x <co></co: 0> y", "x y", "x [1] y", {"0"}},
                     });
}

TEST_CASE("cited text keeps its order among markers of other grammars") {
  const grammar_list both{&citestream::tag_grammar, &citestream::numeric_grammar, &citestream::link_grammar};
  check_examples(both,
                 {
                     {"x [1] <co>foo</co: 0> [2].", "x foo.", "x [1] foo[1] [2].", {"1", "0", "2"}},
                     {"x [1]<co>foo</co: 0>", "x foo", "x [1]foo[1]", {"1", "0"}},
                     {"x [1]<co>.foo</co: 0>", "x.foo", "x [1].foo[1]", {"1", "0"}},
                     {"x ([1] <co>foo</co: 0>)", "x ( foo)", "x ([1] foo[1])", {"1", "0"}},
                     {"[1] <co>foo</co: 0>", "foo", "[1] foo[1]", {"1", "0"}},
                     {"<co>see [1] and [a](b)</co: 0>", "see [1] and [a](b)", "see [1] and [a](b)[1]", {"0"}},
                     {"<co>see [1] and [a](b)</co: >",
                      "<co>see and </co: >",
                      "<co>see [1] and [2]</co: >",
                      {"1", "b=a"}},
                     {"[a <co>b</co: 0>](c)", "", "[1]", {"c=a <co>b</co: 0>"}},
                 });
}

TEST_CASE("text between citation tags is keys") {
  check_examples(on, {
                         {"It grew <citation>doc_1</citation>.", "It grew.", "It grew [1].", {"doc_1"}},
                         {"a<citation>a b, http://c/d</citation>", "a", "a[1][2]", {"a b", "http://c/d"}},
                         {"a <citation> k </citation> b", "a b", "a [1] b", {"k"}},
                         {"a <citation>0:[1, 2]</citation>", "a", "a [1][2]", {"0:1", "0:2"}},
                         {"a <citation>x:[y</citation>", "a", "a [1]", {"x:[y"}},
                     });
}

TEST_CASE("text that only resembles a tag is not a marker") {
  check_false_friends(on, {"List<co>",
                           "1 < 2",
                           "<co>a</co>",
                           "<co>a</co> b</co: 0>",
                           "<co>a</co: >",
                           "<co>a</co: 0,>",
                           "<co>a</co: 0:[]>",
                           "<co>a</co: 0:1>",
                           "<co>a</co: 0 >",
                           "<co>a</co : 0>",
                           "<co>a</co: é>",
                           "</co: 0>",
                           "<CO>a</CO: 0>",
                           "<co>a\nb</co: 0>",
                           "<co>a\rb</co: 0>",
                           "<co >a</co: 0>",
                           "<code>a</code>",
                           "<col>",
                           "\\<co>a</co: 0>",
                           "`<co>a</co: 0>`",
                           "<co>a`</co: 0>",
                           "```\n<co>a</co: 0>\n```",
                           "<citation></citation>",
                           "<citation> </citation>",
                           "<citation>a,</citation>",
                           "<citation>,a</citation>",
                           "<citation>a,,b</citation>",
                           "<citation>a\nb</citation>",
                           "<citation>a\x7Fz</citation>",
                           "<citation>a</citations>",
                           "<citation>a<b</citation>",
                           "<citation>a`b`</citation>",
                           "<citation>a\\,b</citation>",
                           "<Citation>a</Citation>",
                           "<citations>a</citations>",
                           "</citation>",
                           "`<citation>a</citation>`",
                           "std::vector<citation>"});
}

TEST_CASE("cited text has at most 2048 bytes and the keys of one marker 512") {
  for (const std::size_t bytes : {2047U, 2048U, 2049U}) {
    const std::string text(bytes, 'x');
    check_bound("<co>" + text + "</co: 0>", bytes <= 2048);
    check_bound("<co>" + text.substr(3) + "`a`</co: 0>", bytes <= 2048);
    check_bound("<co>" + text.substr(2) + "\\<</co: 0>", bytes <= 2048);
  }
  for (const std::size_t bytes : {511U, 512U, 513U}) {
    const std::string key(bytes, 'k');
    check_bound("<co>a</co:" + key + ">", bytes <= 512);
    check_bound("<co>a</co:" + key.substr(4) + ":[0]>", bytes <= 512);
    check_bound("<co:" + key + ">a</co: 0>", bytes <= 512);
    check_bound("<citation>" + key + "</citation>", bytes <= 512);
    check_bound("<citation>" + key.substr(2) + ",k</citation>", bytes <= 512);
  }
}

TEST_CASE("cited text and keys are released once they cannot end within the limit") {
  const std::string text(2048, 'x');
  const std::string key(512, 'k');
  const auto check = [](const std::string& held, const std::string& byte, std::size_t still) {
    CAPTURE(held.substr(held.size() - 10), byte);
    CHECK(left_after(held).empty());
    CHECK(left_after(held + byte).size() == held.size() + byte.size() - still);
  };
  check("<co>" + text, "x", 0);
  check("<co>" + text, "`", 0);
  check("<co>" + text.substr(3) + "`a", "b", 0);
  check("<co>" + text.substr(1), "\\", 0);
  check("<co>" + text + "<", "c", 2);
  check("<co>" + text.substr(1) + "<", "c", 2);
  check("<co>" + text.substr(2) + "<c", "x", 0);
  check("<co>a</co:" + key, "k", 0);
  check("<co>a</co:" + key.substr(1), ",", 0);
  check("<co>a</co:" + key.substr(3), ":", 0);
  check("<citation>" + key, "k", 0);
  check("<citation>" + key.substr(1), ",", 0);
}

TEST_CASE("only text that may become a tag is held") {
  for (const char* text : {"a <b <c <co <co> <", "<co>a</co>", "<co>a</co: >", "<co>a</co: 0:[1, 2], 3:x",
                           "<co>a\nb</co: 0>", "<co>`a</co: 0>` \\<co", "<<co<co>a<co: 1, 2:[3]>b<citation>",
                           "<co: 1>a </code> b</co: 0", "<citation>a, b</x", "<citation>a<<co>b",
                           "<citation>a</<co>", "<citation> ,", "`<co>` <citation>`"}) {
    check_hold(on, text, printing::mark_stays);
  }
}

TEST_CASE("white space before cited text is released before the text") {
  for (const char* text :
       {"a  <co>b</co: 0> ", "a ( <co>b", "a (<co>b</co: 0>)", "a <co></co: 0> b", "a <co> b",
        "a <co><c<co>b", "<citation>k</citation>, <co>b", "<citation>k</citation><co>b",
        "<citation>k</citation><co>.", "a (<citation>k</citation> <co>b</co: 0>)",
        "  <citation>k</citation>  <co>b", "a <co>b </co: 0> , <co>"}) {
    check_hold(on, text, printing::strip);
  }
}

TEST_CASE("the claim of a tag is its cited text in every unit and in every style") {
  const std::string text = "é😀 <co: 1>増加 😀</co: 0>. x <co>b </co: 0,1> y";
  for (const citestream::style* style : citestream::styles()) {
    CAPTURE(style->name);
    citestream::answer a(options_of(*style));
    std::string out;
    a.push(text, out);
    a.finish(out);
    const bool keeps = style->space == citestream::spacing::untouched;
    REQUIRE(a.cites().all().size() == 3);
    if (keeps) CHECK(out == text);
    const std::size_t claim = out.find("増加");
    const std::size_t behind = keeps ? std::string("</co: 0>").size() : 0;
    const auto& first = a.cites().all()[0];
    CHECK(first.claim_start.utf8 == claim);
    CHECK(first.claim_end.utf8 == claim + 11);
    CHECK(first.claim_start.utf16 == (keeps ? 11 : 4));
    CHECK(first.claim_end.utf16 == first.claim_start.utf16 + 5);
    CHECK(first.claim_end.codepoint == first.claim_start.codepoint + 4);
    CHECK(first.marker == "<co: 1>増加 😀</co: 0>");
    CHECK(first.end.utf8 >= claim + 11 + behind);
    CHECK((keeps || first.start.utf8 == claim + 11));
    for (const std::size_t i : {1U, 2U}) {
      const auto& one = a.cites().all()[i];
      CHECK(out.substr(one.claim_start.utf8, one.claim_end.utf8 - one.claim_start.utf8) == "b ");
    }
  }
}

TEST_CASE("keep leaves tags unchanged and gives the claims of the other styles") {
  random_source random(701);
  citestream::answer keeps(options_of(citestream::keep_style));
  citestream::answer strips(options_of(citestream::strip_style));
  for (std::size_t i = 0; i < scaled(2000); ++i) {
    const std::string text = pieces_text(random, on, 1 + below(random, 12));
    const grammar_output kept = run_grammars(keeps, cut(text, random, 5));
    const grammar_output stripped = run_grammars(strips, {text});
    REQUIRE(kept.text == text);
    REQUIRE(kept.records.size() == stripped.records.size());
    for (std::size_t r = 0; r < kept.records.size(); ++r) {
      CHECK(kept.records[r].claim == stripped.records[r].claim);
      CHECK(text.substr(kept.records[r].start, kept.records[r].marker.size()) == kept.records[r].marker);
    }
  }
}

TEST_CASE("blanks before cited text reach the limit at the same byte for every cut") {
  citestream::session_options options = options_of(citestream::strip_style);
  options.bounds.max_marker_bytes = 20;
  citestream::answer a(options);
  random_source random(702);
  for (std::size_t i = 0; i < scaled(3000); ++i) {
    std::string text;
    for (std::size_t n = below(random, 4); n < 4; ++n) {
      text += std::string(below(random, 24), ' ') + pieces_text(random, on, 1 + below(random, 5));
    }
    const grammar_output whole = run_grammars(a, {text});
    CHECK(run_grammars(a, single_bytes(text)) == whole);
    CHECK(run_grammars(a, cut(text, random, 9)) == whole);
  }
}

TEST_CASE("tags meet the requirements of every grammar") {
  check_invariance(on, 1000, 703);
  check_holds(on, 6, 704);  // its markers have many continuations
  check_holds(on, 1, 705, printing::strip);
  check_bounds(on, 150, 706);
  check_lossless(on, 300, 707);
}

TEST_CASE("Cohere counts documents from 0") {
  citestream::answer a(options_of(citestream::strip_style));
  std::string out;
  a.push("<co>a</co: 0> <co>b</co: 2> <citation>1</citation>", out);
  a.finish(out);
  for (const char* id : {"x", "y", "z"}) {
    citestream::reference one;
    one.id = id;
    one.number = static_cast<std::int64_t>(1 + a.cites().references().size());
    a.add_reference(one);
  }
  a.resolve();
  std::string ids;
  for (const auto& cite : a.cites().all()) {
    REQUIRE(cite.references.size() == 1);
    ids += a.cites().references()[cite.references[0]].id;
  }
  CHECK(ids == "xzx");
}
