#include "style/spacer.hpp"

#include <string>

#include <catch2/catch.hpp>

using citestream::spacer;
using citestream::spacing;
using citestream::text_offset;

TEST_CASE("at the limit the edits of markers that cite nothing are final") {
  constexpr std::size_t bound = 8;
  spacer tidied(spacing::tidy, false, bound, false);
  std::string out;
  tidied.text("x", false, out);
  text_offset at{1, 1, 1};
  const text_offset marker{10, 10, 10};
  for (int i = 0; i < 100; ++i) {
    tidied.text(" ", false, out);
    at = at + text_offset{1, 1, 1};
    tidied.remove({at, at + marker});
    at = at + marker;
    CHECK(tidied.decided() + bound * 11 >= at.utf8);
  }
  tidied.flush(out);
  CHECK(out == "x" + std::string(100, ' '));
  CHECK(tidied.written(at) == text_offset{101, 101, 101});
}
