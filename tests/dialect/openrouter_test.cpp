// OpenRouter. Its payloads are in golden/openrouter*.md.
#include <citestream/dialect/dialect.hpp>

#include <string>

#include <catch2/catch.hpp>

#include "dialect/stream_summary.hpp"

using namespace citestream;
using citestream_tests::stream_summary;
using citestream_tests::summarise;
using citestream_tests::total;

TEST_CASE("OpenRouter's recorded stream is read completely") {
  if (!citestream_tests::have_data("recordings")) return;
  const stream_summary stream = summarise("openrouter-01-annotations.sse");
  CHECK(stream.dialect == "openrouter");
  CHECK(stream.finished == 2);  // again in its usage event
  CHECK(stream.mirrored == 0);
  CHECK(stream.references > 1);
  CHECK(stream.unread == 0);
  CHECK(total(stream) >= 90);
}
