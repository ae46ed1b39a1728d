// The memory for removing tags. The program counts every byte of operator new.
#include <citestream/provenance/provenance.hpp>

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "provenance/tags.hpp"
#include "support/counted_new.hpp"

TEST_CASE("removing tags takes a few bytes for each byte of brackets") {
  constexpr std::size_t size = 1'000'000;
  for (const std::string_view piece : {"[", "[R", "[REF|x", "\\u005b"}) {
    INFO(piece);
    std::string text = "[REF";
    while (text.size() < size) text += piece;
    std::string out;
    out.reserve(text.size());
    citestream_tests::most_live_bytes = citestream_tests::live_bytes;
    const std::size_t before = citestream_tests::live_bytes;
    citestream::provenance::strip_tags_in_json(text, out);
    CHECK(out == text);
    CHECK(citestream_tests::most_live_bytes - before < 8 * text.size());
  }
}
