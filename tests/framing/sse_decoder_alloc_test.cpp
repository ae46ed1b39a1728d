// A warm decoder does not allocate. The program counts every call of operator new.
#include <cstddef>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "framing/sse_decoder.hpp"
#include "support/counted_new.hpp"

using citestream_tests::allocations;

namespace {

std::size_t decode(citestream::sse_decoder& decoder, std::string_view stream, std::size_t piece) {
  std::size_t events = 0;
  citestream::frame item;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    decoder.feed(stream.substr(at, piece));
    while (decoder.next(item)) events += item.kind == citestream::frame_kind::event ? 1 : 0;
  }
  decoder.finish();
  while (decoder.next(item)) events += item.kind == citestream::frame_kind::unterminated ? 1 : 0;
  return events;
}

}  // namespace

TEST_CASE("a warm decoder does not allocate") {
  std::string stream;
  for (int i = 0; i < 200; ++i) {
    stream += "id: a-rather-long-event-id-beyond-any-small-string\r\nevent: some_event_type\r\n";
    stream += "data: {\"choices\":[{\"delta\":{\"content\":\"some text\"}}]}\r\n\r\n: ping\n\n";
    stream += "data: one line\ndata: and another\n\n";
  }
  stream += "data: [DONE]";
  citestream::sse_decoder decoder;
  for (const std::size_t piece : {stream.size(), std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
    REQUIRE(decode(decoder, stream, piece) == 401);
    decoder.reset();
    const std::size_t before = allocations;
    const std::size_t events = decode(decoder, stream, piece);
    const std::size_t after = allocations;
    decoder.reset();
    INFO("pieces of " << piece);
    CHECK(events == 401);
    CHECK(after - before == 0);
  }
  CHECK(allocations > 0);  // the counter does count
}
