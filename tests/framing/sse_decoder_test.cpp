#include "framing/sse_decoder.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/decoded_events.hpp"
#include "tools/utf8.hpp"

using citestream::errc;
using citestream::frame;
using citestream::frame_kind;
using citestream::sse_decoder;
using citestream_tests::cut_every;
using citestream_tests::decode;
using citestream_tests::owned_item;
using namespace std::string_view_literals;

namespace {

std::vector<frame_kind> kinds(const std::vector<owned_item>& items) {
  std::vector<frame_kind> out;
  for (const owned_item& item : items) out.push_back(item.kind);
  return out;
}

/// The items that feeding \p bytes completes.
std::vector<owned_item> after(sse_decoder& decoder, std::string_view bytes) {
  std::vector<owned_item> out;
  decoder.feed(bytes);
  citestream_tests::drain(decoder, out);
  return out;
}

/// A random stream of lines and fragments that cover every branch of the format.
std::string hostile_stream(std::mt19937& random) {
  static constexpr std::string_view parts[] = {"data",
                                               ":",
                                               " ",
                                               "\n",
                                               "\r",
                                               "\r\n",
                                               "\n\n",
                                               "\r\r",
                                               "\r\n\r\n",
                                               "id: 1\n",
                                               "data: x",
                                               "event: e\n",
                                               "retry: 12\n",
                                               ":ping\n",
                                               "\0"sv,
                                               "\xEF\xBB\xBF",
                                               "data: {\"a\":1}\n\n",
                                               "x",
                                               "id\n",
                                               "\xE2\x82"};
  std::uniform_int_distribution<std::size_t> which(0, std::size(parts) - 1);
  std::uniform_int_distribution<int> count(1, 12);
  std::string out;
  for (int left = count(random); left > 0; --left) out += parts[which(random)];
  return out;
}

}  // namespace

TEST_CASE("CR at the end of a read ends the line immediately") {
  sse_decoder decoder;
  const auto first = after(decoder, "data: a\r\n\r");
  REQUIRE(first.size() == 1);
  CHECK(first[0].kind == frame_kind::event);
  CHECK(first[0].data == "a");
  CHECK(first[0].raw == "data: a\r\n\r");
  const auto second = after(decoder, "\ndata: b\r\r");
  REQUIRE(second.size() == 2);
  CHECK(second[0].kind == frame_kind::other);
  CHECK(second[0].raw == "\n");
  CHECK(second[0].offset == 10);
  CHECK(second[1].data == "b");
}

TEST_CASE("a comment outside a block is emitted immediately") {
  sse_decoder decoder;
  const auto first = after(decoder, ": ping\n");
  REQUIRE(first.size() == 1);
  CHECK(first[0].kind == frame_kind::other);
  CHECK(first[0].raw == ": ping\n");
  CHECK(after(decoder, ": pi").empty());
  CHECK(after(decoder, "ng\r").size() == 1);
}

TEST_CASE("a line that cannot be a field passes at once before the first field") {
  sse_decoder decoder;
  const auto passes = [&](std::string_view bytes) { return citestream_tests::raw_of(after(decoder, bytes)); };
  for (const char* const piece : {"raw", " tokens", "\n", "\"token\"\n", "\"and", " more\n", " x"}) {
    CHECK(passes(piece) == piece);
  }
  CHECK(passes("\ndat") == "\n");  // `dat` may become `data`
  CHECK(passes("e: 1") == "date: 1");
  CHECK(kinds(after(decoder, "\n")) == std::vector{frame_kind::foreign});
  CHECK(kinds(after(decoder, "data: a\n\n")) == std::vector{frame_kind::event});
  CHECK(passes("raw").empty());
  CHECK(kinds(after(decoder, "\ndata: b\n\n")) == std::vector{frame_kind::event});
}

TEST_CASE("a comment inside an open block is part of the block's bytes") {
  const auto items = decode({"data: a\n: in\ndata: b\n\n: out\n"});
  REQUIRE(kinds(items) == std::vector{frame_kind::event, frame_kind::other});
  CHECK(items[0].raw == "data: a\n: in\ndata: b\n\n");
  CHECK(items[0].data == "a\nb");
}

TEST_CASE("a block without data is not an event but sets the id") {
  const auto items = decode({"id: 7\nevent: e\n\ndata: a\n\n"});
  REQUIRE(kinds(items) == std::vector{frame_kind::other, frame_kind::event});
  CHECK(items[1].id == "7");
  CHECK(items[1].event.empty());
}

TEST_CASE("a truncated last block is unterminated data or other bytes") {
  SECTION("a block without its blank line") {
    const auto items = decode({"data: [DONE]\n"});
    REQUIRE(kinds(items) == std::vector{frame_kind::unterminated});
    CHECK(items[0].data == "[DONE]");
  }
  SECTION("a line without its end") {
    const auto items = decode({"data: a\ndata: [DO", "NE]"});
    REQUIRE(kinds(items) == std::vector{frame_kind::unterminated});
    CHECK(items[0].data == "a\n[DONE]");
    CHECK(items[0].raw == "data: a\ndata: [DONE]");
  }
  SECTION("no data") {
    CHECK(kinds(decode({"event: x"})) == std::vector{frame_kind::cut});
    CHECK(kinds(decode({": comment"})) == std::vector{frame_kind::other});
    CHECK(kinds(decode({"\xEF\xBB\xBF"})) == std::vector{frame_kind::other});
  }
  SECTION("nothing") {
    CHECK(decode({""}).empty());
  }
}

TEST_CASE("an event fed in one piece is returned without a copy") {
  const std::string bytes = "data: first\n\ndata: second\n\n";
  sse_decoder decoder;
  decoder.feed(bytes);
  frame item;
  REQUIRE(decoder.next(item));
  CHECK(item.raw.data() == bytes.data());
  REQUIRE(decoder.next(item));
  CHECK(item.data.data() == bytes.data() + 19);
  CHECK(item.data_offset == 6);
  CHECK_FALSE(decoder.next(item));
}

TEST_CASE("raw_offset of joined data points into the byte's own line") {
  sse_decoder decoder;
  decoder.feed("data: {\r\n: c\ndata:1\rdata\ndata:}\n\n");
  frame item;
  REQUIRE(decoder.next(item));
  CHECK(item.data == "{\n1\n\n}");
  CHECK(item.data_offset == std::string_view::npos);
  REQUIRE(item.lines != nullptr);
  CHECK(item.lines->size() == 4);
  for (const std::size_t at : {0U, 2U, 5U}) CHECK(item.raw[item.raw_offset(at)] == item.data[at]);
}

TEST_CASE("raw_offset of an item without data is 0") {
  sse_decoder decoder;
  decoder.feed(": c\n");
  frame item;
  REQUIRE(decoder.next(item));
  CHECK(item.raw_offset(0) == 0);
}

TEST_CASE("retry is digits only and a number too large counts as the largest") {
  CHECK(decode({"retry: 0012\ndata\n\n"})[0].retry == 12U);
  CHECK(decode({"retry: 1e3\ndata\n\n"})[0].retry == std::nullopt);
  CHECK(decode({"retry: 18446744073709551615\ndata\n\n"})[0].retry == ~std::uint64_t{0});
  CHECK(decode({"retry: 99999999999999999999\ndata\n\n"})[0].retry == ~std::uint64_t{0});
  CHECK(decode({"retry: 5\ndata\n\ndata\n\n"})[1].retry == std::nullopt);
}

TEST_CASE("a block of exactly the maximum size is an event and one byte more is not") {
  const std::string fits = "data: 123\n\n";  // 11 bytes
  const std::string over = "data: 1234\n\n";
  CHECK(kinds(decode({fits + fits}, 11)) == std::vector{frame_kind::event, frame_kind::event});
  const auto items = decode({over + fits}, 11);
  REQUIRE(kinds(items) == std::vector{frame_kind::oversize, frame_kind::event});
  CHECK(items[0].raw == over);
  CHECK(items[1].offset == over.size());
}

TEST_CASE("bytes of an oversize block pass through immediately and are not stored") {
  sse_decoder decoder(16);
  CHECK(after(decoder, "data: 0123456789").empty());
  CHECK_FALSE(decoder.error());
  const auto items = after(decoder, "abc");
  CHECK(citestream_tests::raw_of(items) == "data: 0123456789abc");
  CHECK(decoder.error().code == errc::event_too_large);
  CHECK(decoder.error().offset == 0);
  const auto more = after(decoder, "def\ndata: x\n");
  REQUIRE(kinds(more) == std::vector{frame_kind::oversize});
  CHECK(kinds(after(decoder, "\ndata: ok\n\n")) == std::vector{frame_kind::oversize, frame_kind::event});
  CHECK(decoder.error().code == errc::event_too_large);
  decoder.reset();
  CHECK_FALSE(decoder.error());
}

TEST_CASE("the id of an oversize block is ignored") {
  const auto items = decode({"id: 1\ndata: a\n\nid: 2\ndata: 0123456789\n\ndata: b\n\n"}, 16);
  REQUIRE(kinds(items) == std::vector{frame_kind::event, frame_kind::oversize, frame_kind::event});
  CHECK(items[2].id == "1");
}

TEST_CASE("an oversize comment ends with its line") {
  const auto items = decode({":0123456789012345\ndata: a\n\n"}, 12);
  REQUIRE(kinds(items) == std::vector{frame_kind::oversize, frame_kind::event});
  CHECK(items[0].raw == ":0123456789012345\n");
}

TEST_CASE("hostile streams give the same items for every cut and every size limit") {
  std::mt19937 random(20240501);
  for (int round = 0; round < 1500; ++round) {
    const std::string text = hostile_stream(random);
    const std::string_view view = text;
    for (const std::size_t bound : {std::size_t{4}, std::size_t{9}, std::size_t{16}, std::size_t{100}}) {
      INFO("<" << text << "> bound " << bound);
      const auto whole = decode({view}, bound);
      REQUIRE(citestream_tests::raw_of(whole) == text);
      std::uint64_t offset = 0;
      for (const owned_item& item : whole) {
        REQUIRE(item.offset == offset);
        offset += item.raw.size();
      }
      REQUIRE(decode(cut_every(view, 1), bound) == whole);
      for (std::size_t cut = 1; cut < view.size(); ++cut) {
        REQUIRE(decode({view.substr(0, cut), view.substr(cut)}, bound) == whole);
      }
    }
  }
}

TEST_CASE("a decoder after reset behaves like a new one") {
  sse_decoder decoder(16);
  (void)after(decoder, "id: 1\ndata: a\n\ndata: 0123456789012345\r");
  decoder.reset();
  const auto items = after(decoder,
                           "\xEF\xBB\xBF"
                           "data: a\n\n\n");
  REQUIRE(kinds(items) == std::vector{frame_kind::event, frame_kind::other});
  CHECK(items[0].id.empty());
  CHECK(items[0].offset == 0);
}

TEST_CASE("invalid UTF-8 is replaced by maximal subparts") {
  using citestream::tools::valid_utf8;
  CHECK(valid_utf8("plain \xE2\x82\xAC \xF0\x9F\x98\x80") == "plain \xE2\x82\xAC \xF0\x9F\x98\x80");
  CHECK(valid_utf8("a\xFF\xFE"
                   "b") == "a\uFFFD\uFFFDb");
  CHECK(valid_utf8("\xE2\x82") == "\uFFFD");
  CHECK(valid_utf8("\xE2\x82z") == "\uFFFDz");
  CHECK(valid_utf8("\xF0\x9F\x98z") == "\uFFFDz");
  CHECK(valid_utf8("\xED\xA0\x80") == "\uFFFD\uFFFD\uFFFD");
  CHECK(valid_utf8("\xC0\x8A") == "\uFFFD\uFFFD");
  CHECK(valid_utf8("\xF4\x90\x80\x80") == "\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(valid_utf8("\xE2\xE2\x82\xAC") == "\uFFFD\xE2\x82\xAC");
  CHECK(valid_utf8(std::string_view("\0", 1)) == std::string(1, '\0'));
}
