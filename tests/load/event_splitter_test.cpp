// The plain reader of event streams, compared with the library's decoder.
#include "load/event_splitter.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "framing/sse_decoder.hpp"
#include "support/strings.hpp"

using citestream::load::event_splitter;
using citestream::load::stream_item;
using citestream_tests::cut_every;

namespace {

constexpr std::string_view streams[] = {
    "data: a\n\ndata: b\n\n",
    "\xEF\xBB\xBF"
    "data: a\r\n\r\ndata:b\r\rdata\n\n",
    ": comment\nevent: error\ndata: {\ndata: }\n\nevent: x\n\ndata: after\n\n",
    "id: 1\nretry: 5\n\ndata: a\nid: 2\n: inside\ndata: b\r\n\r\ndata: cut",
    "\n\n\r\rdata:\n\ndata: \ndata:\n\nother: x\n\n"};

/// The events, as text, of a stream read \p size bytes at a time.
std::vector<std::string> split(std::string_view stream, std::size_t size) {
  event_splitter reader(1000);
  std::vector<std::string> out;
  for (const std::string_view piece : cut_every(stream, size)) {
    reader.feed(piece);
    for (stream_item item; reader.next(item);) {
      if (item.what == stream_item::kind::event)
        out.push_back(std::string(item.type) + "|" + std::string(item.data));
    }
  }
  return out;
}

std::vector<std::string> decoded(std::string_view stream) {
  citestream::sse_decoder decoder;
  std::vector<std::string> out;
  const auto take = [&] {
    for (citestream::frame item; decoder.next(item);) {
      if (item.kind == citestream::frame_kind::event)
        out.push_back(std::string(item.event) + "|" + std::string(item.data));
    }
  };
  decoder.feed(stream);
  take();
  decoder.finish();
  take();
  return out;
}

}  // namespace

TEST_CASE("the plain reader and the decoder see the same events however the stream is cut") {
  for (const std::string_view stream : streams) {
    INFO(stream);
    for (std::size_t size = 1; size <= stream.size(); ++size) {
      CHECK(split(stream, size) == decoded(stream));
    }
  }
}

TEST_CASE("comments are returned line by line and an oversize event once") {
  event_splitter reader(20);
  stream_item item;
  reader.feed(": one\n: two\ndata: 123456789012345\ndata: 1234567890\n\ndata: x\n\n");
  REQUIRE(reader.next(item));
  CHECK(item.data == ": one");
  REQUIRE(reader.next(item));
  CHECK(item.data == ": two");
  REQUIRE(reader.next(item));
  CHECK(item.what == stream_item::kind::too_large);
  REQUIRE(reader.next(item));
  CHECK(item.what == stream_item::kind::event);
  CHECK(item.data == "x");
  CHECK_FALSE(reader.next(item));
}

TEST_CASE("a comment over the limit is not an event and hides none") {
  event_splitter reader(20);
  stream_item item;
  reader.feed(": 1234567890123456789\ndata: 12345678901234\n: 1234567890\n\n");
  REQUIRE(reader.next(item));
  CHECK(item.what == stream_item::kind::comment);
  REQUIRE(reader.next(item));
  CHECK(item.what == stream_item::kind::comment);
  REQUIRE(reader.next(item));
  CHECK(item.what == stream_item::kind::event);
  CHECK(item.data == "12345678901234");
  CHECK_FALSE(reader.next(item));
}

TEST_CASE("lines of NDJSON are the events of a stream of lines") {
  for (const std::size_t size : {1U, 3U, 100U}) {
    const std::string_view stream = "{\"a\":1}\n\n{\"b\":2}\r\n {\"c\":3}\n{\"d\"";
    event_splitter reader(1000);
    reader.reset(true);
    std::vector<std::string> out;
    for (const std::string_view piece : cut_every(stream, size)) {
      reader.feed(piece);
      for (stream_item item; reader.next(item);) out.emplace_back(item.data);
    }
    CHECK(out == std::vector<std::string>{"{\"a\":1}", "{\"b\":2}", " {\"c\":3}"});
  }
}
