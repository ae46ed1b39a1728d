#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <string>

#include <catch2/catch.hpp>

#include "support/counted_new.hpp"

using citestream_tests::allocations;
using citestream_tests::live_bytes;

TEST_CASE("a warm document allocates for neither valid nor invalid payloads") {
  const std::string event =
      R"({"id":"x","choices":[{"index":0,"delta":{"content":"Sure \u00e9","n":[1,2.5,true,null]}}],"usage":null})";
  const std::string longer = "{\"pad\":\"" + std::string(2000, 'x') + "\",\"e\":" + event + "}";
  const std::string broken = longer.substr(0, longer.size() - 1);
  const std::string deep(500, '[');
  citestream::document doc;
  const auto round = [&] {
    std::size_t found = 0;
    for (const std::string* json : {&event, &longer, &broken, &deep}) {
      if (doc.parse(*json)) continue;
      const citestream::json_value content = doc.root()["choices"][0]["delta"]["content"];
      found += content.string().size() + content.raw().size();
    }
    return found;
  };
  const std::size_t expected = round();
  CHECK(expected > 0);
  const std::size_t before = allocations;
  std::size_t total = 0;
  for (int i = 0; i < 100; ++i) total += round();
  const std::size_t after = allocations;
  CHECK(after == before);
  CHECK(total == 100 * expected);
  CHECK(before > 0);
}

TEST_CASE("a document frees the memory of a huge payload at the next small one") {
  const std::string small = R"({"a":"b"})";
  std::string huge = "[0";
  while (huge.size() < 8'000'000) huge += ",0";
  huge += ']';
  citestream::document doc;
  REQUIRE_FALSE(doc.parse(small));
  const std::size_t before = live_bytes;
  REQUIRE_FALSE(doc.parse(huge));
  CHECK(live_bytes > before + huge.size());
  REQUIRE_FALSE(doc.parse(small));
  CHECK(live_bytes <= before);
  CHECK(doc.root()["a"].string() == "b");
}
