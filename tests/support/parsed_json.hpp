// Output of the binary, parsed as JSON.
#pragma once

#include <citestream/chunk/document.hpp>

#include <string_view>

#include <catch2/catch.hpp>

namespace citestream_tests {

inline citestream::document parsed(std::string_view json) {
  citestream::document out;
  const auto error = out.parse(json);
  INFO(json);
  REQUIRE_FALSE(error);
  return out;
}

}  // namespace citestream_tests
