// The egress guard as a stage: what passes, what is withheld and for how long, and where text stands.
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "egress/guarded.hpp"
#include "egress/payloads.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

/// The bytes withheld after \p text.
std::size_t held_after(std::string_view text) {
  egress_guard by = guard();
  std::string out;
  by.feed(text, out);
  return by.held();
}

}  // namespace

TEST_CASE("benign answers stay byte for byte at every cut in two") {
  const std::vector<std::string> answers = benign_answers();
  CHECK(answers.size() >= 20);
  for (const std::string& text : answers) {
    CHECK(guarded(text) == text);
    std::size_t wrong = 0;
    for (std::size_t i = 1; i < text.size(); ++i) {
      egress_guard by = guard();
      const std::string_view all = text;
      wrong += guarded(by, {all.substr(0, i), all.substr(i)}) == text && by.recorded() == 0 ? 0U : 1U;
    }
    INFO(text);
    CHECK(wrong == 0);
  }
}

TEST_CASE("only what may still be part of an address is withheld") {
  for (const char* text : {"Plain words", "An end.", "a \\[", "`code` and", "```\nhttps://evil.example/",
                           "a (b) ", "1 / 2", "https", "f(x", "* a", "# b", "x] y", "`a b"}) {
    INFO(text);
    CHECK(held_after(text) == 0);
  }
  CHECK(held_after("see [the la") == 7);
  CHECK(held_after("see [a](https://e") == 13);
  CHECK(held_after("see [a](https://evil.example)") == 0);
  CHECK(held_after("a!") == 1);
  CHECK(held_after("x <img sr") == 7);
  CHECK(held_after("x < ") == 0);
  CHECK(held_after("a:") == 1);
  CHECK(held_after("`a [b") == 2);
  CHECK(held_after("`a [b`") == 3);
  CHECK(held_after("`a [b` ") == 0);
  CHECK(held_after("see https://a.good.example/x") == 19);
  CHECK(held_after("see https://a.good.example/x ") == 0);
}

TEST_CASE("never more than the bound is withheld and what passes it is inert") {
  limits bounds;
  bounds.max_marker_bytes = 64;
  const std::string filler(200, 'x');
  for (const std::string& start :
       {std::string("[a](https://evil.example/"), std::string("![a"), std::string("<img src=\""),
        std::string("[x]: https://evil.example/"), std::string("`<img src="),
        std::string("https://evil.example/"), std::string("<https://evil.example/")}) {
    INFO(start);
    const std::string text = start + filler + ")\">\n\n![b](https://evil.example/) [x]";
    egress_guard by = guard(egress_mode::enforce, bounds);
    std::string out;
    std::size_t most = 0;
    for (const char c : text) {
      by.feed(std::string_view(&c, 1), out);
      most = std::max(most, by.held());
    }
    by.finish(out);
    CHECK(most <= 64);
    CHECK(out.find("](https://") == std::string::npos);
    CHECK(out.find("<img") == std::string::npos);
    CHECK(out.find("https://evil") == std::string::npos);
    egress_guard whole = guard(egress_mode::enforce, bounds);
    CHECK(guarded(whole, {text}) == out);
  }
}

TEST_CASE("wherever the bound falls nothing goes on with what has left") {
  const std::string filler(60, 'p');
  for (const char* text :
       {"[P](javascript:x)", "![P](javascript:x)", "![P<img src=//e>", "[P\n<img src=//e>",
        "[P<javascript:x>", "[P![i](javascript:x)", "<img P[l](<javascript:x>)", "[y]:\n #P[l](javascript:x)",
        "https://a.good.example/P[l](javascript:x)", "`<P [l](javascript:x)", "[P `<img src=//e>",
        "[P\n[y]: javascript:x", "[Phttps&#58;//evil.example", "[Phttps://evil.example",
        "[a](#p \"P\")[l](javascript:x)", "[P[x !\\[i\\](javascript:x) y](#p)", "[Pwww.evil.example"}) {
    const std::string shape = text;
    const std::size_t at = shape.find('P');
    for (std::size_t bound = 16; bound < 40; ++bound) {
      limits bounds;
      bounds.max_marker_bytes = bound;
      for (std::size_t size = 0; size < filler.size(); ++size) {
        egress_guard by = guard(egress_mode::enforce, bounds);
        const std::string made = shape.substr(0, at) + filler.substr(0, size) + shape.substr(at + 1);
        const std::string out = guarded(by, {made});
        INFO(bound << ": " << made << " became " << out);
        // Escaped, a bracket begins nothing; a label that holds such a one is none.
        const bool inert = out.find("p](") == std::string::npos && out.find("l](") == std::string::npos &&
                           out.find("y](#") == std::string::npos && out.find("<i") == std::string::npos &&
                           out.find("<j") == std::string::npos && out.find("y]: j") == std::string::npos &&
                           out.find("&#58;") == std::string::npos && out.find("www.") == std::string::npos &&
                           out.find("s://evil") == std::string::npos;
        if (!inert) FAIL();
      }
    }
  }
}

TEST_CASE("however much white space is before a bracket it leaves the same for any cut") {
  for (std::size_t blanks = 0; blanks < 100; ++blanks) {
    const std::string text = "x]:" + std::string(blanks, ' ') + "[b](javascript:x)\n" +
                             std::string(blanks, '\n') + "[y]: javascript:x\n";
    INFO(blanks);
    const std::string whole = guarded(text);
    CHECK(whole.find("(javascript") == std::string::npos);
    egress_guard by = guard();
    std::vector<std::string_view> bytes;
    for (const char& c : text) bytes.emplace_back(&c, 1);
    CHECK(guarded(by, bytes) == whole);
    for (std::size_t i = 1; i < text.size(); i += 7) {
      egress_guard again = guard();
      CHECK(guarded(again, {std::string_view(text).substr(0, i), std::string_view(text).substr(i)}) == whole);
    }
  }
}

TEST_CASE("an interrupted text leaves nothing that what follows could complete") {
  for (const payload& one : payloads()) {
    for (std::size_t i = 0; i <= one.text.size(); ++i) {
      egress_guard by = guard();
      std::string out;
      by.feed(std::string_view(one.text).substr(0, i), out);
      by.finish(out);
      by.feed(std::string_view(one.text).substr(i), out);
      by.finish(out);
      INFO(one.name << " at " << i << ": " << out);
      const bool code = out.find('`') != std::string::npos || out.find("~~~") != std::string::npos;
      CHECK((out.find("](https://evil") == std::string::npos || code));
      CHECK(out.find("src=\"https://evil") == std::string::npos);
    }
  }
}

TEST_CASE("references are known from the moment they come") {
  egress_guard by(egress_mode::enforce, {}, {});
  std::string out;
  by.feed("[a](https://ref.example/p) ", out);
  reference ref;
  ref.url = "https://REF.example:443/p/";
  by.know(ref);
  by.feed("[a](https://ref.example/p) [b](https://ref.example/q)", out);
  by.finish(out);
  CHECK(out == "a [a](https://ref.example/p) b");
  CHECK(by.recorded() == 2);
}

TEST_CASE("a key of a reference is no foreign address") {
  egress_guard by(egress_mode::enforce, {}, {});
  reference ref;
  ref.cite = "6b2c/4f?";
  ref.id = "file 1";
  by.know(ref);
  CHECK(guarded(by, {"[a](6b2c-4f) [b](x?y)"}) == "[a](6b2c-4f) b");
}

TEST_CASE("records say what and why and where") {
  egress_guard by = guard();
  const std::string out =
      guarded(by, {"é 👍 ![a](https://evil.example/) [b](https&colon;//x) <img src=//x>!"});
  CHECK(out == "é 👍 a b !");
  REQUIRE(by.records().size() == 3);
  CHECK(name(by.records()[0].kind) == "image");
  CHECK(name(by.records()[0].reason) == "not_allowed");
  CHECK(by.records()[0].position == text_offset{8, 5, 4});
  CHECK(name(by.records()[1].kind) == "link");
  CHECK(name(by.records()[1].reason) == "unreadable");
  CHECK(by.records()[1].position == text_offset{10, 7, 6});
  CHECK(name(by.records()[2].kind) == "html");
  CHECK(by.records()[2].position == text_offset{12, 9, 8});
}

TEST_CASE("records are bounded and counted") {
  egress_guard by = guard();
  std::string text;
  const std::size_t most = limits().max_egress_records;
  for (std::size_t i = 0; i < most + 3; ++i) text += "![](//a) ";
  guarded(by, {text});
  CHECK(by.records().size() == most);
  CHECK(by.recorded() == most + 3);
}

TEST_CASE("positions follow the text around what was changed") {
  const std::string text =
      "a ![b](https://evil.example/x) c [d [e](//x) f](//y) g https://evil.example h\n[x]: //z\ni";
  egress_guard by = guard();
  const std::string out = guarded(by, {text});
  REQUIRE(out == "a b c d e f g https[://]evil[.]example h\n\ni");
  for (const char c : std::string_view("abcdefghi")) {
    std::size_t in = text.find(c);
    std::size_t expected = out.find(c);
    if (c == 'e') in = text.find("[e") + 1, expected = out.find(" e ") + 1;
    if (c == 'i' || c == 'h') in = text.rfind(c), expected = out.rfind(c);
    text_offset at;
    at.advance(std::string_view(text).substr(0, in));
    INFO(c);
    CHECK(by.placed(at));
    CHECK(by.place(at).utf8 == expected);
  }
}

TEST_CASE("a guard that was reset is as new") {
  egress_guard by = guard();
  std::string out;
  by.feed("[x]: a\n> ```\n[a `b <img", out);
  by.reset();
  CHECK(by.held() == 0);
  CHECK(guarded(by, {"`![a](https://evil.example/)` ![b](https://a.good.example/x)"}) ==
        "`![a](https://evil.example/)` ![b](https://a.good.example/x)");
  CHECK(by.recorded() == 0);
}

TEST_CASE("random bytes of markup give the same for any cut") {
  const std::string_view marks = "[]()!<>`~:/.&#\\\n\r w\"'=x-|> ";
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    const std::size_t size = random() % 60;
    for (std::size_t i = 0; i < size; ++i) text += marks[random() % marks.size()];
    limits bounds;
    bounds.max_marker_bytes = 16 + random() % 30;
    egress_guard whole = guard(egress_mode::enforce, bounds);
    egress_guard cut = guard(egress_mode::enforce, bounds);
    const std::string expected = guarded(whole, {text});
    std::string out;
    for (const char c : text) cut.feed(std::string_view(&c, 1), out);
    cut.finish(out);
    CHECK(out == expected);
  }
}
