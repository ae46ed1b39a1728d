// Kinds of input by name and first bytes, of whole inputs and of those that arrive in pieces.
#include "replay/input_start.hpp"

#include <string>

#include <catch2/catch.hpp>

#include "support/messages.hpp"

using citestream::input_kind;
using citestream::input_start;

namespace {

struct sample {
  std::string bytes;
  input_kind kind;
  input_kind in_ndjson_file;
};

std::vector<sample> samples() {
  using kind = input_kind;
  const std::string recording = "{\"citestream_recording\":1}\n[0,\"x\"]\n";
  return {
      {recording, kind::recording, kind::recording},
      {"\xEF\xBB\xBF" + recording, kind::recording, kind::recording},
      {"\r\n" + recording, kind::recording, kind::recording},
      {"{ \"citestream_recording\" : 1}\n", kind::body, kind::recording},
      {"data: x\n\n", kind::events, kind::recording},
      {"\n: comment\n\n", kind::events, kind::recording},
      {"id", kind::text, kind::recording},
      {"identity", kind::text, kind::recording},
      {citestream_tests::message("chunk", "{}"), kind::messages, kind::recording},
      {std::string(12, '\0'), kind::text, kind::recording},
      {"[ \n{}]", kind::array, kind::recording},
      {"[1] Text", kind::other_array, kind::recording},
      {"[", kind::other_array, kind::recording},
      {"{\"done\":true}", kind::body, kind::ndjson},
      {"{\"done\":true}\n\n", kind::body, kind::ndjson},
      {"{\"a\":1}\n{\"a\":2}\n", kind::ndjson, kind::ndjson},
      {"\n{\"a\":1}\n{\"a\":2}", kind::ndjson, kind::ndjson},
      {"{\n\"a\":1}\n", kind::body, kind::recording},
      {"{\"choices\":[", kind::body, kind::recording},
      {"{curly}", kind::body, kind::recording},
      {"text", kind::text, kind::recording},
      {"", kind::text, kind::recording},
  };
}

input_kind in_pieces(const std::string& file, bool bodies, const std::string& bytes, std::size_t size) {
  input_start start(file, bodies);
  input_kind kind = input_kind::unknown;
  for (std::size_t at = 0; at < bytes.size() && kind == input_kind::unknown; at += size) {
    kind = start.take(bytes.substr(at, size));
  }
  return kind == input_kind::unknown ? start.take({}) : kind;
}

}  // namespace

TEST_CASE("an input is recognised by its name and start however it is divided") {
  for (const sample& each : samples()) {
    INFO(each.bytes);
    CHECK(input_start::kind_of("a", each.bytes) == each.kind);
    CHECK(input_start::kind_of("a.ndjson", each.bytes) == each.in_ndjson_file);
    for (std::size_t size = 1; size <= each.bytes.size(); ++size) {
      CHECK(in_pieces("a", true, each.bytes, size) == each.kind);
      CHECK(in_pieces("a.ndjson", true, each.bytes, size) == each.in_ndjson_file);
    }
  }
}

TEST_CASE("an input that cannot be a body is NDJSON at its second byte") {
  input_start start("a", false);
  CHECK(start.take("{") == input_kind::unknown);
  CHECK(start.take("\n") == input_kind::ndjson);
  CHECK(start.bytes() == "{\n");
}

TEST_CASE("blanks in single bytes are read in linear time") {
  constexpr int most = 500'000;  // searched again for each byte, they would take minutes
  input_start start("a", true);
  for (int i = 0; i < most; ++i) REQUIRE(start.take("\n") == input_kind::unknown);
  CHECK(start.take("[") == input_kind::unknown);
  for (int i = 0; i < most; ++i) REQUIRE(start.take(" ") == input_kind::unknown);
  CHECK(start.take("{") == input_kind::array);
}
