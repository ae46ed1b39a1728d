#include "framing/ndjson_decoder.hpp"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "framing/divided_streams.hpp"

using namespace citestream;
using citestream_tests::data_is_in_place;
using citestream_tests::decode;
using citestream_tests::decode_every_way;
using citestream_tests::decode_known;
using citestream_tests::owned_item;

namespace {

using lines = std::vector<owned_item>;

/// A random stream of lines and fragments.
std::string random_stream(std::mt19937& random) {
  static constexpr std::string_view parts[] = {"{\"a\":1}\n", "{\"b\":2}\r\n", "\n", "\r\n",          "\r",
                                               " ",           "{\"c\":",       "}",  "\xEF\xBB\xBF",  "x",
                                               "\n\n",        "\xE2\x82",      "\0", "{\"d\":null}\n"};
  std::string out;
  for (auto left = 1 + random() % 14; left > 0; --left) out += parts[random() % std::size(parts)];
  return out;
}

}  // namespace

TEST_CASE("each line is an event whose data lacks the line end") {
  const lines got = decode<ndjson_decoder>({"{\"a\":1}\n{\"b\":2}\r\n \t\r\n\n {\"c\":3}"});
  REQUIRE(got.size() == 5);
  CHECK(got[0].kind == frame_kind::event);
  CHECK(got[0].raw == "{\"a\":1}\n");
  CHECK(got[0].data == "{\"a\":1}");
  CHECK(got[1].raw == "{\"b\":2}\r\n");
  CHECK(got[1].data == "{\"b\":2}");
  CHECK(got[1].offset == 8);
  CHECK(got[2].kind == frame_kind::other);
  CHECK(got[2].raw == " \t\r\n");
  CHECK(got[3].kind == frame_kind::other);
  CHECK(got[4].kind == frame_kind::unterminated);
  CHECK(got[4].data == " {\"c\":3}");
}

TEST_CASE("a byte order mark is not data and counts only at the start of the stream") {
  const lines got = decode<ndjson_decoder>({"\xEF\xBB\xBF{}\n\xEF\xBB\xBF{}\n"});
  REQUIRE(got.size() == 2);
  CHECK(got[0].data == "{}");
  CHECK(got[0].places == std::vector<std::size_t>{3, 4});
  CHECK(got[1].data == "\xEF\xBB\xBF{}");
}

TEST_CASE("a line is given by the read that completes it") {
  ndjson_decoder decoder;
  frame line;
  decoder.feed("{\"a\":1}\r");
  CHECK_FALSE(decoder.next(line));
  decoder.feed("\n{");
  REQUIRE(decoder.next(line));
  CHECK(line.data == "{\"a\":1}");
  CHECK_FALSE(decoder.next(line));
  CHECK(decoder.unread().empty());
}

TEST_CASE("a line over the limit passes in pieces and the next one is read") {
  ndjson_decoder decoder(8);
  frame line;
  decoder.feed("{}\n{\"a\":1");
  REQUIRE(decoder.next(line));
  CHECK(line.kind == frame_kind::event);
  CHECK_FALSE(decoder.next(line));
  decoder.feed("2}\n{\"b\":1}\n");
  std::string passed;
  while (decoder.next(line) && line.kind == frame_kind::oversize) passed += line.raw;
  CHECK(passed == "{\"a\":12}\n");
  CHECK(line.kind == frame_kind::event);
  CHECK(line.data == "{\"b\":1}");
  CHECK(decoder.error().code == errc::event_too_large);
  CHECK(decoder.error().offset == 3);
  CHECK_FALSE(decoder.next(line));
  decoder.feed("{\"c\":1234");
  REQUIRE(decoder.next(line));
  decoder.finish();
  CHECK(decoder.cut_off());
}

TEST_CASE("lines do not depend on the reads and contain every byte once") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::string stream = random_stream(random);
    const std::size_t bound = round % 2 == 0 ? 1000 : 4 + random() % 12;
    INFO(stream << " limit " << bound);
    for (const owned_item& line : decode_every_way(stream, [&](const std::vector<std::string_view>& parts) {
           return decode<ndjson_decoder>(parts, bound);
         }))
      CHECK(data_is_in_place(line));
  }
}

TEST_CASE("lines that the caller knows can be skipped even if a read cuts them") {
  std::string stream;
  for (int i = 0; i < 50; ++i) stream += "{\"n\":" + std::to_string(i * i) + (i % 3 == 0 ? "}\r\n" : "}\n");
  const lines expected = decode<ndjson_decoder>({stream});
  std::mt19937 random(1);
  for (const std::size_t size : {1U, 3U, 7U, 20U, 1000U}) {
    CHECK(decode_known<ndjson_decoder>(stream, size, expected, random, [](const auto&...) {}) == expected);
  }
}
