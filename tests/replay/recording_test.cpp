// Recordings: what is read from files, and the messages for invalid ones.
#include "replay/recording.hpp"

#include <string>

#include <catch2/catch.hpp>

#include "support/ndjson_file.hpp"
#include "support/scratch_folder.hpp"

using citestream::load_recording;
using citestream::parse_recording;
using citestream::recording;
using citestream::recording_error;
using citestream::recording_piece;
using citestream_tests::to_ndjson;

namespace {

std::string refusal(const std::string& bytes) {
  recording_error error;
  const auto read = parse_recording("dir/a.ndjson", bytes, error);
  CHECK_FALSE(read.has_value());
  return error.text();
}

const std::string header = "{\"citestream_recording\":1}\n";

}  // namespace

TEST_CASE("a plain file is one piece without times and is called by its stem") {
  recording_error error;
  const std::string bytes("data: x\r\n\r\n\xFF\0y", 14);
  const auto read = parse_recording("dir/answer.one.sse", bytes, error);
  REQUIRE(read.has_value());
  CHECK(read->name() == "answer.one");
  CHECK(read->content_type() == "text/event-stream");
  CHECK_FALSE(read->timed());
  CHECK(read->pieces() == std::vector<recording_piece>{{0, bytes}});
  CHECK(read->bytes() == bytes);
}

TEST_CASE("an ndjson file gives pieces with their times") {
  recording_error error;
  const auto read =
      parse_recording("a.ndjson",
                      "{\"citestream_recording\":1,\"content_type\":\"text/plain\",\"model\":\"m\"}\r\n"
                      "[0,\"da\"]\r\n\r\n[0.25,\"ta: \\u00e9\\n\"]\n[2,\"4oKs\",\"base64\"]",
                      error);
  REQUIRE(read.has_value());
  CHECK(read->name() == "a");
  CHECK(read->content_type() == "text/plain");
  CHECK(read->timed());
  CHECK(read->pieces() == std::vector<recording_piece>{{0, "da"}, {0.25, "ta: é\n"}, {2, "€"}});
  CHECK(read->bytes() == "data: é\n€");
}

TEST_CASE("a time of negative zero is zero") {
  recording_error error;
  const auto read = parse_recording("a.ndjson", header + "[-0.0,\"x\"]\n", error);
  REQUIRE(read.has_value());
  CHECK(to_ndjson(*read).ends_with("\n[0,\"x\"]\n"));
}

TEST_CASE("a timed recording is recognised by its first line") {
  recording_error error;
  const auto read = parse_recording("a.sse", header + "[1,\"x\"]\n", error);
  REQUIRE(read.has_value());
  CHECK(read->timed());
}

TEST_CASE("a recording may begin with a byte order mark") {
  recording_error error;
  for (const char* file : {"a.ndjson", "a.sse"}) {
    const auto read = parse_recording(file, "\uFEFF" + header + "[1,\"x\"]\n", error);
    REQUIRE(read.has_value());
    CHECK(read->bytes() == "x");
  }
}

TEST_CASE("a recording written as ndjson reads back unchanged") {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  std::vector<recording_piece> pieces{
      {0, ""}, {0.1, "data: \"\\\n\t\x7F"}, {0.1, "\xE2\x82"}, {1.0 / 3, "\xAC"}};
  for (std::size_t size = 1; size < 7; ++size) pieces.push_back({2, every_byte.substr(200, size)});
  pieces.push_back({12345.678901234, every_byte});
  const recording written("some", pieces, true, "application/x-\"quoted\"");
  recording_error error;
  const auto read = parse_recording("some.ndjson", to_ndjson(written), error);
  INFO(error.text());
  REQUIRE(read.has_value());
  CHECK(read->pieces() == pieces);
  CHECK(read->content_type() == written.content_type());
  CHECK(to_ndjson(*read) == to_ndjson(written));
}

TEST_CASE("a piece that is UTF-8 is written as text and any other in base64") {
  CHECK(citestream::ndjson_line({0.5, "é\n"}) == "[0.5,\"é\\n\"]\n");
  CHECK(citestream::ndjson_line({0.5, "\xC3"}) == "[0.5,\"ww==\",\"base64\"]\n");
}

TEST_CASE("an answer in NDJSON is read as plain bytes whatever its name") {
  const std::string bytes = "{\"model\":\"m\",\"done\":false}\n{\"model\":\"m\",\"done\":true}\n";
  for (const char* name : {"dir/a.ndjson", "dir/a.jsonl", "dir/a"}) {
    citestream::recording_error error;
    const auto read = citestream::parse_recording(name, bytes, error);
    REQUIRE(read);
    CHECK(read->content_type() == "application/x-ndjson");
    CHECK_FALSE(read->timed());
    CHECK(read->bytes() == bytes);
  }
  citestream::recording_error error;
  const auto stream = citestream::parse_recording("dir/a.sse", "data: {}\n\n", error);
  REQUIRE(stream);
  CHECK(stream->content_type() == "text/event-stream");
  const auto cut_off = citestream::parse_recording("dir/a.json", "{\"choices\":[", error);
  REQUIRE(cut_off);
  CHECK(cut_off->content_type() == "application/json");
}

TEST_CASE("an unreadable recording gives file and line and reason") {
  CHECK(refusal("") == "dir/a.ndjson: empty: a recording starts with a line {\"citestream_recording\":1}");
  CHECK(refusal("data: x\n") == "dir/a.ndjson:1: the first line is not JSON");
  CHECK(refusal("[0,\"x\"]\n") == "dir/a.ndjson:1: the first line is not a JSON object");
  CHECK(refusal("{\"citestream_recording\":2}") == "dir/a.ndjson:1: format version 2 is not known, only 1");
  CHECK(refusal("{\"citestream_recording\":1,\"content_type\":7}") ==
        "dir/a.ndjson:1: \"content_type\" is not a string");
  CHECK(refusal("{\"citestream_recording\":1,\"content_type\":\"a\\r\\nb: c\"}") ==
        "dir/a.ndjson:1: \"content_type\" contains a line break or NUL");
  CHECK(refusal(header + "[0,\"x\"]\n[1,\"x\n") == "dir/a.ndjson:3: not JSON");
  CHECK(refusal(header + "\n{}\n") == "dir/a.ndjson:3: not an array [seconds, \"bytes\"]");
  CHECK(refusal(header + "[0]\n") == "dir/a.ndjson:2: not an array [seconds, \"bytes\"]");
  CHECK(refusal(header + "[\"0\",\"x\"]\n") == "dir/a.ndjson:2: the time is not a number");
  CHECK(refusal(header + "[-1,\"x\"]\n") == "dir/a.ndjson:2: the time is negative");
  CHECK(refusal(header + "[2,\"x\"]\n[1,\"x\"]\n") ==
        "dir/a.ndjson:3: the time is before that of the line above");
  CHECK(refusal(header + "[2,7]\n") == "dir/a.ndjson:2: the bytes are not a string");
  CHECK(refusal(header + "[2,\"x\",\"hex\"]\n") == "dir/a.ndjson:2: the third element is not \"base64\"");
  for (const std::string bad : {"eA", "eA=", "e===", "eB==", "e A=", "=eA=", "eA==eA=="}) {
    CHECK(refusal(header + "[2,\"" + bad + "\",\"base64\"]\n") == "dir/a.ndjson:2: the bytes are not base64");
  }
  CHECK(refusal(header + "[2,\"\",\"base64\",1]\n") == "dir/a.ndjson:2: more than three elements");
}

TEST_CASE("a file that cannot be loaded gives the reason") {
  const citestream_tests::scratch_folder folder;
  recording_error error;
  const auto read = load_recording(folder.write("b.ndjson", header + "[0,\"x\"]\n"), error);
  const auto missing = load_recording(folder.path("c.sse"), error);
  const std::string missing_why = error.text();
  const auto directory = load_recording(folder.path(), error);
  const std::string directory_why = error.text();

  REQUIRE(read.has_value());
  CHECK(read->name() == "b");
  CHECK_FALSE(missing.has_value());
  CHECK(missing_why == folder.path("c.sse") + ": No such file or directory");
  CHECK_FALSE(directory.has_value());
  CHECK(directory_why == folder.path() + ": is a directory");
}

TEST_CASE("one object is a body unless it is one line of NDJSON with done") {
  const auto type = [](const char* name, const std::string& bytes) {
    citestream::recording_error error;
    const auto read = citestream::parse_recording(name, bytes, error);
    REQUIRE(read);
    return read->content_type();
  };
  for (const char* name : {"a.ndjson", "a.json", "a.txt"}) {
    INFO(name);
    CHECK(type(name, "{\"choices\":[]}\n") == "application/json");
    CHECK(type(name, "\n{\"model\":\"m\",\"done\":true}\n") == "application/x-ndjson");
    CHECK(type(name, "{\"model\":\"m\",\"done\":false}") == "application/x-ndjson");
  }
  CHECK(type("a.json", "{\n\"model\":\"m\",\n\"done\":true}\n") == "application/json");
}

TEST_CASE("blanks and a byte order mark before the header of a recording are ignored") {
  for (const char* start : {" \n", "\n\xEF\xBB\xBF", "\n \t"}) {
    citestream::recording_error error;
    const std::string bytes = std::string(start) + "{\"citestream_recording\":1}\n[0,\"x\"]\n";
    const auto read = citestream::parse_recording("a.ndjson", bytes, error);
    REQUIRE(read);
    CHECK(read->bytes() == "x");
  }
}
