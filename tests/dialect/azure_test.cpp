// Azure On Your Data. Its payloads are in golden/azure*.md.
#include <citestream/dialect/dialect.hpp>

#include <string>

#include <catch2/catch.hpp>

#include "dialect/stream_summary.hpp"

using namespace citestream;
using citestream_tests::stream_summary;
using citestream_tests::summarise;
using citestream_tests::total;

TEST_CASE("Azure's stream is read completely") {
  if (!citestream_tests::have_data("recordings")) return;
  const stream_summary stream = summarise("synthetic/azure-oyd-stub.sse");
  CHECK(stream.dialect == "azure");
  CHECK(stream.text.at(0) == "42 is the meaning of life");
  CHECK(stream.references == 1);
  CHECK(stream.finished == 1);
  CHECK(stream.unread == 0);
}
