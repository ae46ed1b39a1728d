#include <string>

#include <catch2/catch.hpp>

#include "rewrite/splice.hpp"
#include "support/counted_new.hpp"

using citestream_tests::allocations;

TEST_CASE("a warm splicer does not allocate") {
  const std::string payload = R"({"choices":[{"delta":{"content":"x"},"message":{"content":"x"}}]})";
  const std::size_t delta = payload.find("{\"content");
  citestream::splicer edits;
  std::string out;
  const auto round = [&] {
    edits.begin(payload);
    out.clear();
    edits.insert_member({0, payload.size()}, "citestream", R"({"version":1})");
    for (std::size_t at = payload.find("\"x\""); at != std::string::npos;
         at = payload.find("\"x\"", at + 1)) {
      edits.replace({at, at + 3}, "\"longer than before\"");
    }
    edits.insert_member({delta, payload.find('}') + 1}, "annotations", "[]");
    edits.apply(out);
  };
  round();
  CHECK(out == R"({"choices":[{"delta":{"content":"longer than before","annotations":[]},)"
               R"("message":{"content":"longer than before"}}],"citestream":{"version":1}})");
  const std::size_t before = allocations;
  for (int i = 0; i < 100; ++i) round();
  const std::size_t after = allocations;
  CHECK(after == before);
  CHECK(before > 0);
}
