// Skipping events that the caller already knows.
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "framing/sse_decoder.hpp"
#include "support/decoded_events.hpp"

using citestream::frame;
using citestream::frame_kind;
using citestream::sse_decoder;
using citestream_tests::cut_every;
using citestream_tests::decode;
using citestream_tests::joined;
using citestream_tests::owned;
using citestream_tests::owned_item;

namespace {

std::string random_stream(std::mt19937& random) {
  static constexpr std::string_view parts[] = {"data: x",
                                               "\n",
                                               "\r",
                                               "\r\n",
                                               "\n\n",
                                               "\r\n\r\n",
                                               "event: e\n",
                                               ":c\n",
                                               "\xEF\xBB\xBF",
                                               "x",
                                               "data: {\"a\":1}\n\n",
                                               "data: y\r\n\r\n"};
  std::string out;
  for (auto left = 1 + random() % 14; left > 0; --left) out += parts[random() % std::size(parts)];
  return out;
}

/// Appends a frame, of a foreign line as a part of it.
void add(const frame& item, std::vector<owned_item>& items) {
  items.push_back(owned(item));
  items = joined(std::move(items));
}

/// Decodes, and randomly skips whole events that the decoder offers.
std::vector<owned_item> decode_with_skips(const std::string& stream, std::size_t size,
                                          const std::vector<owned_item>& expected, std::mt19937& random) {
  sse_decoder decoder;
  std::vector<owned_item> items;
  const auto skip = [&] {
    while (items.size() < expected.size() && random() % 3 != 0) {
      const owned_item& next = expected[items.size()];
      const std::string_view in = decoder.unread();
      if (in.size() < next.raw.size() || next.kind != frame_kind::event) return;
      REQUIRE(in.substr(0, next.raw.size()) == next.raw);
      items.push_back(next);
      std::size_t count = next.raw.size();
      // With the LF that ends a CRLF, which is an item of its own.
      if (in.substr(count).starts_with('\n') && next.raw.ends_with('\r')) {
        items.push_back(expected[items.size()]);
        ++count;
      }
      decoder.skip(count);
    }
  };
  const auto drain = [&] {
    frame item;
    for (skip(); decoder.next(item); skip()) add(item, items);
  };
  for (const std::string_view piece : cut_every(stream, size)) {
    const std::string borrowed(piece);
    decoder.feed(borrowed);
    drain();
  }
  decoder.finish();
  drain();
  return items;
}

/// Decodes the fed bytes and defers an incomplete item at their end.
void drain_or_defer(sse_decoder& decoder, const std::vector<owned_item>& expected,
                    std::vector<owned_item>& items, std::string& kept) {
  while (true) {
    const std::string_view in = decoder.unread();
    if (!in.empty() && items.size() < expected.size() && in.size() < expected[items.size()].raw.size()) {
      kept = in;
      decoder.defer();
    }
    frame item;
    if (!decoder.next(item)) return;
    add(item, items);
  }
}

/// Decodes. If a piece ends inside an item, its bytes are deferred, and later skipped as the start of an
/// event or fed again.
std::vector<owned_item> decode_with_delays(const std::string& stream, std::size_t size,
                                           const std::vector<owned_item>& expected, std::mt19937& random) {
  sse_decoder decoder;
  std::vector<owned_item> items;
  std::string kept;
  const auto drain = [&] {
    frame item;
    while (decoder.next(item)) add(item, items);
  };
  for (const std::string_view piece : cut_every(stream, size)) {
    std::string fed(piece);
    if (!kept.empty()) {
      const owned_item& next = expected[items.size()];
      const std::string whole = kept + fed;
      const bool ends = whole.size() >= next.raw.size();
      if (!ends && random() % 2 == 0) {
        kept = whole;
        continue;
      }
      if (ends && next.kind == frame_kind::event && random() % 2 == 0) {
        items.push_back(next);
        decoder.feed(fed);
        decoder.skip(next.raw.size() - kept.size(), kept.size());
      } else {
        decoder.feed(kept);
        drain();
        decoder.feed(fed);
      }
      kept.clear();
    } else {
      decoder.feed(fed);
    }
    drain_or_defer(decoder, expected, items, kept);
  }
  if (!kept.empty()) decoder.feed(kept);
  decoder.finish();
  drain();
  return items;
}

}  // namespace

TEST_CASE("a decoder resumes after an event whose start was deferred or fed again") {
  std::mt19937 random(8);
  for (int round = 0; round < 3000; ++round) {
    const std::string stream = random_stream(random);
    const std::vector<owned_item> expected = decode({stream});
    for (const std::size_t size : {1U, 2U, 3U, 5U, 9U}) {
      CAPTURE(stream, size);
      REQUIRE(decode_with_delays(stream, size, expected, random) == expected);
    }
  }
}

TEST_CASE("a decoder resumes after skipped events as if it had returned them") {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    const std::string stream = random_stream(random);
    const std::vector<owned_item> expected = decode({stream});
    for (const std::size_t size : {std::size_t{5}, stream.size()}) {
      CAPTURE(stream, size);
      REQUIRE(decode_with_skips(stream, size, expected, random) == expected);
    }
  }
}

TEST_CASE("a decoder offers its input only at items that earlier bytes do not affect") {
  sse_decoder decoder;
  frame item;
  CHECK(decoder.unread().empty());
  decoder.feed("data: a\n\ndata: b\r\n\r");
  CHECK(decoder.unread().empty());  // at the start a byte order mark has a meaning
  REQUIRE(decoder.next(item));
  CHECK(decoder.unread() == "data: b\r\n\r");
  REQUIRE(decoder.next(item));
  CHECK_FALSE(decoder.next(item));
  decoder.feed("\ndata: c");
  CHECK(decoder.unread().empty());  // the LF belongs to the line before
  REQUIRE(decoder.next(item));
  CHECK(item.raw == "\n");
  CHECK(decoder.unread() == "data: c");
  CHECK_FALSE(decoder.next(item));
  decoder.feed("\n\n");
  CHECK(decoder.unread().empty());  // inside an event
  REQUIRE(decoder.next(item));
  CHECK(item.data == "c");
}
