#include "framing/eventstream_decoder.hpp"

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "framing/divided_streams.hpp"
#include "support/data.hpp"
#include "support/messages.hpp"

using namespace citestream;
using namespace citestream_tests;

namespace {

using items = std::vector<owned_item>;

/// A message with these headers, which need not be valid.
std::string raw_message(std::string_view headers, std::string_view payload) {
  std::string out;
  append_message(headers, payload, out);
  return out;
}

std::string exception(std::string_view type) {
  std::string out;
  append_exception_message(type, R"({"message":"no"})", out);
  return out;
}

/// One header of each kind.
std::string all_headers() {
  std::string out;
  const auto add = [&](std::string_view name, char kind, std::string_view value) {
    out.append(1, static_cast<char>(name.size())).append(name).append(1, kind).append(value);
  };
  const auto counted = [](std::string_view value) {
    return std::string(1, '\0').append(1, static_cast<char>(value.size())).append(value);
  };
  add("a", 0, "");
  add("b", 1, "");
  add("c", 2, "1");
  add("d", 3, "12");
  add("e", 4, "1234");
  add("f", 5, "12345678");
  add("g", 6, counted("bytes"));
  add(":event-type", 7, counted("messageStop"));
  add("h", 8, "12345678");
  add("i", 9, "1234567890123456");
  return out;
}

items items_of(std::string_view stream, std::size_t bound = limits{}.max_event_bytes) {
  return decode_every_way(stream, [&](const std::vector<std::string_view>& parts) {
    return decode<eventstream_decoder>(parts, bound);
  });
}

}  // namespace

TEST_CASE("the CRC is that of zlib") {
  CHECK(crc32("123456789") == 0xCBF43926);
  CHECK(crc32("") == 0);
}

TEST_CASE("each message is an event with its type and payload") {
  const std::string stream = message("messageStart", R"({"role":"assistant"})") +
                             raw_message(all_headers(), "{}") + message("x", "");
  const items got = items_of(stream);
  REQUIRE(got.size() == 3);
  CHECK(got[0].kind == frame_kind::event);
  CHECK(got[0].event == "messageStart");
  CHECK(got[0].data == R"({"role":"assistant"})");
  CHECK(data_is_in_place(got[0]));
  CHECK(got[1].event == "messageStop");
  CHECK(got[2].kind == frame_kind::other);
}

TEST_CASE("an exception is a failure even without a payload") {
  eventstream_decoder decoder;
  const std::string stream = exception("throttlingException") +
                             raw_message(std::string("\x0d:message-type\x07\0\x05"
                                                     "error",
                                                     22),
                                         "") +
                             message("e", "{}");
  decoder.feed(stream);
  frame item;
  REQUIRE(decoder.next(item));
  CHECK(item.failure);
  CHECK(item.event == "throttlingException");
  CHECK(item.data == R"({"message":"no"})");
  REQUIRE(decoder.next(item));
  CHECK(item.failure);
  CHECK(item.kind == frame_kind::event);
  REQUIRE(decoder.next(item));
  CHECK_FALSE(item.failure);
}

TEST_CASE("the data of a chunk is the event that it encodes") {
  CHECK(message_data(message("chunk", R"({"type":"message_stop"})")).front() == R"({"type":"message_stop"})");
  const auto data_of_chunk = [](std::string_view payload) {
    eventstream_decoder decoder;
    std::string stream;
    const std::string typed = message("chunk", "{}");
    decoder.feed(typed);
    frame item;
    REQUIRE(decoder.next(item));
    append_message(item.message->headers, payload, stream);
    return message_data(stream).front();
  };
  CHECK(data_of_chunk(R"({ "p" : "ab" , "bytes" : "e30=" , "n" : 1.5, "t":true } )") == "{}");
  for (const char* other : {R"({"bytes":"e30"})", R"({"bytes":"e3 ="})", R"({"bytes":"YQ=="})",
                            R"({"bytes":""})", R"({"bytes":"e30=","bytes":"e30="})",
                            R"({"bytes":"e30=","a":{}})", R"({"bytes":"e30=")", R"({"bytes":"e30="}x)",
                            R"({"bytes":"e30\u003d"})", R"({"bytes":1})", R"({"a":"e30="})", "{}", "[", "x"})
    CHECK(data_of_chunk(other) == other);
  CHECK(message_data(message("output", R"({"bytes":"e30="})")).front() == R"({"bytes":"e30="})");
}

TEST_CASE("a changed event keeps headers and padding and is encoded as before") {
  std::string padded;
  append_message(all_headers(), R"({"p":"abc","bytes":"e30=","q":1})", padded);
  eventstream_message parts = *read_message(padded, *read_prelude(padded));
  parts.encoded = encoded_event(parts.payload);
  REQUIRE(parts.encoded == "e30=");
  std::string changed;
  append_message(parts, R"({"a":1})", changed);
  std::string expected;
  append_message(all_headers(), R"({"p":"abc","bytes":"eyJhIjoxfQ==","q":1})", expected);
  CHECK(changed == expected);
  parts.encoded = {};
  changed.clear();
  append_message(parts, "{}", changed);
  CHECK(changed == raw_message(all_headers(), "{}"));
}

TEST_CASE("after a damaged message everything passes") {
  const std::string good = message("e", R"({"a":1})");
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 1 << bit);
      const std::string stream = good + bad + good;
      eventstream_decoder decoder;
      decoder.feed(stream);
      frame item;
      REQUIRE(decoder.next(item));
      CHECK(item.kind == frame_kind::event);
      std::string passed;
      while (decoder.next(item)) {
        CHECK(item.kind == frame_kind::oversize);
        passed += item.raw;
      }
      CHECK(passed == bad + good);
      CHECK(decoder.error().code == errc::damaged_message);
      CHECK(decoder.error().offset == good.size());
      decoder.finish();
      CHECK_FALSE(decoder.cut_off());
    }
  }
  std::string bad = good;
  bad.back() = static_cast<char>(~bad.back());
  items_of(good + bad + good);
}

TEST_CASE("lengths that lie are found before their bytes are awaited") {
  const auto with_lengths = [](std::uint32_t total, std::uint32_t headers) {
    std::string out;
    for (const std::uint32_t value : {total, headers}) {
      for (const unsigned shift : {24U, 16U, 8U, 0U}) out += static_cast<char>(value >> shift & 255U);
    }
    const std::uint32_t crc = crc32(out);
    for (const unsigned shift : {24U, 16U, 8U, 0U}) out += static_cast<char>(crc >> shift & 255U);
    return out;
  };
  constexpr std::uint32_t mega = 1024 * 1024;
  for (const auto& [total, headers] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0},
                                                            {15, 0},
                                                            {16, 1},
                                                            {100, 99},
                                                            {mega, 128 * 1024 + 1},
                                                            {24 * mega + 17, 0},
                                                            {~0U, 0},
                                                            {~0U, ~0U}}) {
    CHECK_FALSE(read_prelude(with_lengths(total, headers)));
    items_of(with_lengths(total, headers) + "rest");
  }
  CHECK(read_prelude(with_lengths(16, 0)));
  CHECK(read_prelude(with_lengths(24 * mega + 128 * 1024 + 16, 128 * 1024)));
  // Headers that end elsewhere.
  for (const std::string& headers : {std::string("\x05"
                                                 "ab"),
                                     std::string("\x01"
                                                 "a\x0a"),
                                     std::string("\x01"
                                                 "a\x07\0\x09z",
                                                 6)}) {
    CHECK_FALSE(read_headers(headers));
    items_of(raw_message(headers, "{}") + message("e", "{}"));
  }
}

TEST_CASE("a message over the limit passes and the next one is read") {
  const std::string large = message("e", std::string(300, ' '));
  const std::string small = message("e", "{}");
  const items got = items_of(small + large + small, 200);
  REQUIRE(got.size() == 3);
  CHECK(got[1].kind == frame_kind::oversize);
  CHECK(got[2].kind == frame_kind::event);
  eventstream_decoder decoder(200);
  decoder.feed(std::string_view(large).substr(0, 100));
  frame item;
  REQUIRE(decoder.next(item));
  CHECK(decoder.error().code == errc::event_too_large);
  decoder.finish();
  CHECK(decoder.cut_off());
}

TEST_CASE("a message that the end cuts off is not an event") {
  const std::string stream = message("e", "{}") + message("e", "{}");
  for (std::size_t size = 1; size < stream.size(); ++size) {
    eventstream_decoder decoder;
    decoder.feed(std::string_view(stream).substr(0, size));
    frame item;
    std::string passed;
    while (decoder.next(item)) passed += item.raw;
    decoder.finish();
    while (decoder.next(item)) {
      CHECK(item.kind == frame_kind::cut);
      passed += item.raw;
    }
    CHECK(passed == stream.substr(0, size));
  }
}

TEST_CASE("random bytes and broken streams are decoded alike however they are cut") {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    std::string stream;
    for (auto left = random() % 6; left > 0; --left) stream += message("e", std::string(random() % 40, 'x'));
    for (auto left = random() % 3; left > 0 && !stream.empty(); --left)
      stream[random() % stream.size()] = static_cast<char>(random());
    if (random() % 4 == 0) stream.resize(random() % (stream.size() + 1));
    items_of(stream, random() % 2 == 0 ? 1000 : 60);
  }
}

TEST_CASE("recorded messages are decoded and written again without a change") {
  if (!have_data("recordings/providers/bedrock")) return;
  std::size_t streams = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir() / "recordings/providers/bedrock")) {
    if (entry.path().extension() != ".eventstream") continue;
    INFO(entry.path().string());
    const std::string bytes = read_file(entry.path());
    eventstream_decoder decoder;
    decoder.feed(bytes);
    std::string written;
    for (frame item; decoder.next(item);) {
      REQUIRE(item.kind == frame_kind::event);
      append_message(*item.message, item.data, written);
    }
    CHECK(written == bytes);
    CHECK_FALSE(decoder.error());
    ++streams;
  }
  CHECK(streams >= 7);
}
