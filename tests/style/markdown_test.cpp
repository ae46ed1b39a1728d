#include "style/printed.hpp"

using namespace citestream;
using citestream_tests::printed;

namespace {

const style& markdown = *find_style("markdown");

reference page(std::string id, std::string url) {
  reference made;
  made.id = std::move(id);
  made.url = std::move(url);
  return made;
}

}  // namespace

TEST_CASE("markdown links the number of a reference that has a web address") {
  const citestream_tests::sources known{
      {page("a", "https://example.com/a_(b)"), page("b", "ftp://example.com/")}};
  CHECK(printed(markdown, "grew [A](a), shrank [B](b) [C](c).", known) ==
        "grew \\[[1](https://example.com/a_%28b%29)\\], shrank \\[2\\] \\[3\\].");
  CHECK(printed(markdown, "a [1, 2].", {}, {&numeric_grammar}) == "a \\[1\\]\\[2\\].");
}

TEST_CASE("markdown does not link a reference that comes after the marker") {
  CHECK(printed(markdown, "grew [A](a).", {{}, {page("a", "https://example.com/")}}) == "grew \\[1\\].");
}

TEST_CASE("markdown does not link an address that only the model wrote") {
  CHECK(printed(markdown, "grew [A](https://example.com/).") == "grew \\[1\\].");
}

TEST_CASE("markdown makes no image after an exclamation mark and no link after a bracket") {
  const citestream_tests::sources known{{page("1", "https://example.com/")}};
  CHECK(printed(markdown, "Grew![1] b[i][1]", known, {&numeric_grammar}) ==
        "Grew!\\[[1](https://example.com/)\\] b[i]\\[[1](https://example.com/)\\]");
}
