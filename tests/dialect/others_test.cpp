// Streams of other forms. Payloads are in golden/others.md.
#include <citestream/dialect/dialect.hpp>

#include <string>

#include <catch2/catch.hpp>

#include "dialect/stream_summary.hpp"

using namespace citestream;
using citestream_tests::stream_summary;
using citestream_tests::summarise;

TEST_CASE("recorded streams of other protocols are recognised by no dialect") {
  if (!citestream_tests::have_data("recordings")) return;
  std::size_t streams = 0;
  for (const auto& file : citestream_tests::recordings()) {
    const std::string name = file.filename().string();
    const bool other = name.find("writer-05") == 0;
    if (!other) continue;
    CAPTURE(name);
    const stream_summary stream = summarise(name);
    CHECK(stream.dialect.empty());
    CHECK(stream.unread > 0);
    ++streams;
  }
  CHECK(streams >= 1);
}
