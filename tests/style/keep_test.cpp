#include <string_view>

#include "style/printed.hpp"

TEST_CASE("keep passes the text unchanged and holds none of it") {
  citestream::session_options options;
  options.style = &citestream::keep_style;
  citestream::answer text(options);
  std::string_view in = "grew ([Financial_Report.pdf](id1)), [x](y";
  std::string out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    text.push(in.substr(i, 1), out);
    CHECK(out == in.substr(0, i + 1));
    CHECK(text.held() == 0);
  }
  text.finish(out);
  CHECK(out == in);
  REQUIRE(text.cites().all().size() == 1);
  CHECK(text.cites().all().front().start.utf8 == 6);
  CHECK(text.cites().all().front().end.utf8 == 33);
}
