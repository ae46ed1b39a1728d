// Recordings: their files, their limits, and failures to write them.
#include "proxy/recorder.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "replay/recording.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream;
using citestream_tests::scratch_folder;

namespace {

record_options into(const scratch_folder& directory) {
  record_options options;
  options.directory = directory.path();
  return options;
}

recording_note note() {
  recording_note out;
  out.request_id = "id";
  out.content_type = "text/event-stream; charset=utf-8";
  return out;
}

void record(recorder& to, const std::string& bytes) {
  const auto now = recorder::clock::now();
  const auto stream = to.begin(note(), now);
  if (stream) stream->add(bytes, now + std::chrono::milliseconds(5));
}

recording load(const scratch_folder& directory, const std::string& name) {
  recording_error error;
  auto read = load_recording(directory.path(name), error);
  INFO(error.text());
  REQUIRE(read);
  return *read;
}

}  // namespace

TEST_CASE("recorded pieces have their times and any bytes") {
  const scratch_folder directory;
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
  {
    recorder to(into(directory));
    REQUIRE(to.start().empty());
    const auto start = recorder::clock::now();
    const auto stream = to.begin(note(), start);
    stream->add("one", start + std::chrono::milliseconds(250));
    stream->add({}, start + std::chrono::milliseconds(300));
    stream->add(every, start + std::chrono::milliseconds(500));
    CHECK(directory.files().size() <= 1);
  }
  REQUIRE(directory.files().size() == 1);
  const recording read = load(directory, directory.files()[0]);
  REQUIRE(read.pieces().size() == 2);
  CHECK(read.pieces()[0] == recording_piece{0.25, "one"});
  CHECK(read.pieces()[1] == recording_piece{0.5, every});
  CHECK(read.content_type() == "text/event-stream; charset=utf-8");
}

TEST_CASE("the oldest recordings are removed if there are too many or too large ones") {
  const scratch_folder directory;
  std::ofstream(directory.path("mine.ndjson")) << "not the recorder's";
  record_options options = into(directory);
  options.max_files = 3;
  std::vector<std::string> before;
  {
    recorder to(options);
    REQUIRE(to.start().empty());
    for (int i = 0; i < 5; ++i) record(to, "stream " + std::to_string(i));
    to.flush();
    CHECK(to.saved() == 5);
    before = directory.files();
    REQUIRE(before.size() == 4);
    CHECK(load(directory, before[0]).bytes() == "stream 2");
  }
  options.max_bytes = std::filesystem::file_size(directory.path(before[0])) + 10;
  recorder to(options);  // bounds hold for what an earlier process left
  REQUIRE(to.start().empty());
  CHECK(directory.files().size() == 2);
  record(to, "stream 5");
  to.flush();
  REQUIRE(directory.files().size() == 2);
  CHECK(load(directory, directory.files()[0]).bytes() == "stream 5");
  CHECK(directory.files()[1] == "mine.ndjson");
}

TEST_CASE("a stream that is too large or finds the queue full is not recorded") {
  const scratch_folder directory;
  record_options options = into(directory);
  options.max_stream_bytes = 1000;
  options.queue_bytes = 5000;
  recorder to(options);
  REQUIRE(to.start().empty());
  record(to, std::string(1000, 'x'));
  record(to, std::string(5001, 'x'));
  record(to, "fits");
  to.flush();
  CHECK(to.lost() == 2);
  CHECK(to.saved() == 1);
  CHECK(directory.files().size() == 1);
}

TEST_CASE("the number of streams recorded at the same time is limited") {
  const scratch_folder directory;
  record_options options = into(directory);
  options.max_open = 2;
  recorder to(options);
  REQUIRE(to.start().empty());
  auto one = to.begin(note(), {});
  const auto two = to.begin(note(), {});
  CHECK(two);
  CHECK_FALSE(to.begin(note(), {}));
  CHECK(to.lost() == 1);
  one.reset();
  to.flush();
  CHECK(to.begin(note(), {}));
}

TEST_CASE("unfinished recordings of dead processes are removed and others are kept") {
  const scratch_folder directory;
  std::ofstream(directory.path("20261121T193015.123Z-0000001-000000001.ndjson.part")) << "half";
  std::ofstream(directory.path("other.part")) << "not the recorder's";
  recorder first(into(directory));
  REQUIRE(first.start().empty());
  CHECK(directory.files() == std::vector<std::string>{"other.part"});
  auto running = first.begin(note(), {});
  first.flush();
  recorder second(into(directory));
  REQUIRE(second.start().empty());
  CHECK(directory.files().size() == 2);
  running.reset();
  first.flush();
  CHECK(first.saved() == 1);
}

TEST_CASE("headers are recorded by name and only harmless ones with their value") {
  http::fields fields{
      {"Authorization", "Bearer k"}, {"content-type", "text/plain"}, {"X-New", "v"}, {"X-New", "w"}};
  recording_note of = note();
  of.target = "/v1/chat?key=k";
  of.request = &fields;
  const std::string line = recording_header(of, {});
  CHECK(line.find("\"path\":\"/v1/chat\"") != std::string::npos);
  CHECK(
      line.find(
          R"("request_headers":{"Authorization":"[redacted]","content-type":"text/plain","X-New":"[redacted]"})") !=
      std::string::npos);
}

TEST_CASE("a directory that cannot be created or written is reported at the start") {
  record_options options;
  options.directory = "/nonexistent/a/b";
  recorder to(options);
  CHECK(to.start().find("/nonexistent/a/b") != std::string::npos);
}
