#include <citestream/base/reference.hpp>

#include <catch2/catch.hpp>

using citestream::source_type;

TEST_CASE("a source type has its wire name") {
  CHECK(name(source_type::file) == "file");
  CHECK(name(source_type::web) == "web");
  CHECK(name(source_type::document) == "document");
  CHECK(name(source_type::agent) == "agent");
  CHECK(name(source_type::search_result) == "search_result");
  CHECK(name(source_type::tool) == "tool");
  CHECK(name(source_type::place) == "place");
}

TEST_CASE("references differ if any field differs") {
  citestream::reference one;
  one.id = "a";
  citestream::reference other = one;
  CHECK(one == other);
  other.page = 3;
  CHECK_FALSE(one == other);
}
