// Lines do not depend on how their bytes were cut.
#include "tools/line_splitter.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

namespace {

std::vector<std::string> lines_of(const std::vector<std::string_view>& parts) {
  citestream::tools::line_splitter lines;
  std::vector<std::string> out;
  for (const std::string_view part : parts) {
    lines.feed(part);
    for (std::string_view line; lines.next(line);) out.emplace_back(line);
  }
  out.emplace_back(lines.last());
  return out;
}

}  // namespace

TEST_CASE("bytes in up to three parts have the same lines") {
  constexpr std::string_view text = "ab\n\n\r\nc\nde";
  const std::vector<std::string> expected{"ab", "", "\r", "c", "de"};
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); ++second) {
      INFO(first << ' ' << second);
      CHECK(lines_of({text.substr(0, first), text.substr(first, second - first), text.substr(second)}) ==
            expected);
    }
  }
  CHECK(lines_of({"a\n"}) == std::vector<std::string>{"a", ""});
  CHECK(lines_of({}) == std::vector<std::string>{""});
}
