#include <citestream/base/version.hpp>

#include <regex>
#include <string>

#include <catch2/catch.hpp>

#include "support/data.hpp"

TEST_CASE("the version is the one that the project file declares") {
  const std::string project = citestream_tests::read_file(CITESTREAM_SOURCE_DIR "/CMakeLists.txt");
  std::smatch found;
  REQUIRE(std::regex_search(project, found,
                            std::regex(R"(project\(citestream VERSION ([0-9]+\.[0-9]+\.[0-9]+) )")));
  CHECK(found[1].str() == citestream::version());
}
