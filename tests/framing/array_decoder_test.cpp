// The elements of a streamed JSON array are frames, however the stream is cut.
#include "framing/array_decoder.hpp"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "framing/divided_streams.hpp"

using namespace citestream;
using citestream_tests::cut_every;
using citestream_tests::data_is_in_place;
using citestream_tests::decode_every_way;
using citestream_tests::decode_known;
using citestream_tests::owned_item;

namespace {

using frames = std::vector<owned_item>;

/// The frames of `parts`. Bytes between elements are joined, because their division depends on the reads.
frames decode(const std::vector<std::string_view>& parts, std::size_t limit = 1000) {
  frames out;
  for (owned_item& one : citestream_tests::decode<array_decoder>(parts, limit)) {
    const bool joins = one.kind == frame_kind::other && !out.empty() && out.back().kind == frame_kind::other;
    if (joins) {
      out.back().raw += one.raw;
    } else {
      out.push_back(std::move(one));
    }
  }
  return out;
}

std::string random_stream(std::mt19937& random) {
  static constexpr std::string_view parts[] = {
      "{\"a\":1}", "{\"b\":[{}]}", ",",  "\r\n", ",\r\n", "[",
      "]",         "\"s]}\\\"\"",  "\"", "\\",   "{",     "}",
      "1",         "null",         " ",  "\0",   "\xE2",  "{\"]\":\"}\"}"};
  std::string out = random() % 8 == 0 ? "" : "[";
  for (auto left = 1 + random() % 14; left > 0; --left) out += parts[random() % std::size(parts)];
  return out;
}

}  // namespace

TEST_CASE("each element is an event and the closing bracket is the end") {
  const frames got = decode({"[{\"a\":\"}]\\\"\"}\n,\r\n{\"b\":[1,{}]}\n]\n"});
  REQUIRE(got.size() == 7);
  CHECK(got[0].raw == "[");
  CHECK(got[1].kind == frame_kind::event);
  CHECK(got[1].data == "{\"a\":\"}]\\\"\"}");
  CHECK(got[1].offset == 1);
  CHECK(got[2].kind == frame_kind::other);
  CHECK(got[2].raw == "\n,\r\n");
  CHECK(got[3].data == "{\"b\":[1,{}]}");
  CHECK(got[5].kind == frame_kind::end);
  CHECK(got[5].raw == "]");
  CHECK(got[6].kind == frame_kind::other);
}

TEST_CASE("an array that is not closed is cut off") {
  for (const char* stream : {"[", "[{}", "[{},", "[{}\n", "[{\"a\":", "[\""}) {
    array_decoder decoder;
    decoder.feed(stream);
    for (frame item; decoder.next(item);) continue;
    decoder.finish();
    for (frame item; decoder.next(item);) CHECK(item.kind == frame_kind::unterminated);
    CAPTURE(stream);
    CHECK(decoder.cut_off());
  }
  array_decoder decoder;
  decoder.feed("[]");
  for (frame item; decoder.next(item);) continue;
  decoder.finish();
  CHECK_FALSE(decoder.cut_off());
}

TEST_CASE("what precedes an element is known while it is handled") {
  for (const std::size_t size : {1U, 2U, 100U}) {
    array_decoder decoder;
    std::vector<frame_gap> gaps;
    const auto drain = [&] {
      for (frame item; decoder.next(item);) {
        if (item.kind != frame_kind::other) gaps.push_back(decoder.gap());
      }
    };
    for (const std::string_view piece : cut_every("[{},\n{} ,{}\n]", size)) {
      decoder.feed(piece);
      drain();
    }
    CHECK(gaps == std::vector{frame_gap::none, frame_gap::comma, frame_gap::comma, frame_gap::element});
  }
}

TEST_CASE("an element over the limit passes in pieces and the next one is read") {
  for (const std::size_t size : {1U, 3U, 100U}) {
    const frames got = decode(cut_every("[{},{\"a\":\"]}}}}\"},{}]", size), 8);
    REQUIRE(got.size() == 7);
    CHECK(got[3].kind == frame_kind::oversize);
    CHECK(got[3].raw == "{\"a\":\"]}}}}\"}");
    CHECK(got[5].kind == frame_kind::event);
    CHECK(got[6].kind == frame_kind::end);
  }
}

TEST_CASE("elements do not depend on the reads and frames contain every byte once") {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::string stream = random_stream(random);
    const std::size_t bound = round % 2 == 0 ? 1000 : 4 + random() % 12;
    INFO(stream << " limit " << bound);
    for (const owned_item& one : decode_every_way(
             stream, [&](const std::vector<std::string_view>& parts) { return decode(parts, bound); }))
      CHECK(data_is_in_place(one));
  }
}

TEST_CASE("elements that the caller knows can be skipped even if a read cuts them") {
  std::string stream = "[";
  for (int i = 0; i < 50; ++i) stream += (i == 0 ? "{\"n\":" : ",\n{\"n\":") + std::to_string(i * i) + "}";
  stream += "]";
  std::vector<owned_item> expected;
  for (const owned_item& one : decode({stream})) {
    if (one.kind == frame_kind::event) expected.push_back(one);
  }
  std::mt19937 random(1);
  for (const std::size_t size : {1U, 3U, 7U, 20U, 1000U}) {
    const auto check_gap = [](const array_decoder& decoder, std::size_t before) {
      CHECK(decoder.gap() == (before == 0 ? frame_gap::none : frame_gap::comma));
    };
    CHECK(decode_known<array_decoder>(stream, size, expected, random, check_gap) == expected);
  }
}
