#include "style/printed.hpp"

using citestream::reference;
using citestream::source_type;
using citestream_tests::printed;
using citestream_tests::sources;

namespace {

const citestream::style& how = citestream::footnote_style;

reference file(std::string cite, std::string title, std::string text = {}) {
  reference made;
  made.type = source_type::file;
  made.cite = std::move(cite);
  made.title = std::move(title);
  made.text = std::move(text);
  return made;
}

reference page(std::string url, std::string title) {
  reference made;
  made.type = source_type::web;
  made.url = std::move(url);
  made.title = std::move(title);
  return made;
}

/// The list after a text that cites `x`, without the mark.
std::string entry(const reference& ref) {
  const std::string all = printed(how, "a [1](x)", {{}, {ref}});
  REQUIRE(all.starts_with("a[^1]\n\n[^1]:"));
  return all.substr(12);
}

}  // namespace

TEST_CASE("footnote prints a mark without blanks before it and the sources at the end") {
  reference report = file("id1", "", "Revenue rose by a fifth.");
  report.page = 15;
  CHECK(printed(how, "grew by 20% [Financial_Report.pdf](id1).", {{}, {report}}) ==
        "grew by 20%[^1].\n\n[^1]: **Financial_Report.pdf** (p. 15) — _Revenue rose by a fifth._\n");
}

TEST_CASE("footnote lists each source once by number") {
  CHECK(printed(how, "[B](b) [A](a) [C](b)", {{}, {file("a", ""), file("b", "")}}) ==
        "[^1][^2][^1]\n\n[^1]: **B**\n[^2]: **A**\n");
}

TEST_CASE("footnote names the sources that were not found") {
  CHECK(printed(how, "x [A](a) [B](b)", {{file("a", "")}, {}}) ==
        "x[^1][^2]\n\n[^1]: **A**\n[^2]: **B** — unresolved: source not found\n");
  CHECK(printed(how, "x [A](a) [1](b)", {{file("a", "", "t")}, {}, false}) ==
        "x[^1][^2]\n\n[^1]: **A** — _t_\n[^2]: **b**\n");
}

TEST_CASE("an answer without citations gets no list") {
  CHECK(printed(how, "x [A] (a) ", {{file("a", "")}, {}}) == "x [A] (a) ");
  CHECK(printed(how, "") == "");
}

TEST_CASE("exactly one empty line precedes the list") {
  const std::string list = "[^1]: **A** — unresolved: source not found\n";
  CHECK(printed(how, "[A](a)") == "[^1]\n\n" + list);
  CHECK(printed(how, "[A](a)\n") == "[^1]\n\n" + list);
  CHECK(printed(how, "[A](a)\r\n") == "[^1]\r\n\n" + list);
  CHECK(printed(how, "[A](a)\n\n") == "[^1]\n\n" + list);
  CHECK(printed(how, "[A](a)\n\n\n") == "[^1]\n\n\n" + list);
  CHECK(printed(how, "[A](a)\n ") == "[^1]\n \n\n" + list);
}

TEST_CASE("an answer that ends inside code is not changed for the list") {
  const std::string list = "\n\n[^1]: **A** — unresolved: source not found\n";
  CHECK(printed(how, "[A](a)\n```\nx") == "[^1]\n```\nx" + list);
  CHECK(printed(how, "[A](a) `x") == "[^1] `x" + list);
}

TEST_CASE("a web source is a link in the list and one that was not found is not") {
  CHECK(printed(how, "a [T](http://x.example/a)", {{}, {page("http://x.example/a", "P")}}) ==
        "a[^1]\n\n[^1]: [**T**](http://x.example/a)\n");
  CHECK(printed(how, "a [T](http://x.example/a)") == "a[^1]\n\n[^1]: **T** — unresolved: source not found\n");
  reference numbered = page("https://x.example/?a=1&copy;=(2) <b>", "");
  numbered.number = 1;
  CHECK(printed(how, "a [1]", {{numbered}, {}}, {&citestream::numeric_grammar}) ==
        "a[^1]\n\n[^1]: [**https://x.example/?a=1&amp;copy;=\\(2\\) &lt;b&gt;**]"
        "(https://x.example/?a=1&amp;copy;=%282%29%20%3Cb%3E)\n");
}

TEST_CASE("only web addresses become links") {
  for (const char* url : {"javascript:alert(1)", "data:text/html,x", "HTTP:/x", "http://", "https:///x",
                          "http://[::1]/", " http://x.example", "//x.example", "mailto:a"}) {
    reference ref = file("x", "T");
    ref.url = url;
    CHECK(entry(ref) == " **T**\n");
  }
  reference ref = file("x", "T");
  ref.url = "http://x.example/" + std::string(8000 - 17, 'y');
  CHECK(entry(ref) == " [**T**](" + ref.url + ")\n");
  ref.url += "y";
  CHECK(entry(ref) == " **T**\n");
}

TEST_CASE("no byte of an address can end its link") {
  reference ref = file("x", "T");
  ref.url = "HTTPS://x.example/\n)(\\ \"'<>`*|[]^{}$\x01\u202E%41?a&amp;b&c#_~!";
  CHECK(entry(ref) ==
        " [**T**](HTTPS://x.example/%0A%29%28%5C%20%22%27%3C%3E%60%2A%7C%5B%5D%5E%7B%7D%24%01"
        "%E2%80%AE%41?a&amp;amp;b&c#_~!)\n");
}

TEST_CASE("a title is at most 1024 bytes and a text 200 characters") {
  CHECK(entry(file("x", std::string(1 << 20, 'z'))) == " **" + std::string(1021, 'z') + "…**\n");
  std::string text;
  for (int i = 0; i < 201; ++i) text += "é";
  CHECK(entry(file("x", "T", text)) == " **T** — _" + text.substr(0, 400) + "…_\n");
  CHECK(entry(file("x", "T", text.substr(2))) == " **T** — _" + text.substr(2) + "_\n");
}

TEST_CASE("the list is bounded and tells how many sources it omits") {
  citestream::session_options options;
  options.style = &how;
  options.bounds.max_list_bytes = 60;
  citestream::answer a(options);
  std::string out;
  a.push("[A](a)[B](b)[C](c)[D](d)", out);
  a.finish(out);
  a.append_list(out);
  CHECK(out.ends_with("[^4]: **D**\n"));
  a.reset();
  out.clear();
  a.push("[A](a)[B](b)[C](c)[D](d)", out);
  a.finish(out);
  a.resolve();
  a.append_list(out);
  CHECK(out.ends_with("[^2]: **B** — unresolved: source not found\n\n2 further sources are not listed.\n"));
}
