// Recordings: their files, their limits, and failures to write them.
#include "proxy/recorder.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "replay/recording.hpp"
#include "support/scratch_folder.hpp"
#include "support/waiting.hpp"

using namespace citestream;
using citestream_tests::eventually;
using citestream_tests::scratch_folder;

namespace {

request_log no_log({});

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
    recorder to(into(directory), no_log);
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
    recorder to(options, no_log);
    REQUIRE(to.start().empty());
    for (int i = 0; i < 5; ++i) record(to, "stream " + std::to_string(i));
    REQUIRE(eventually([&] { return to.saved() == 5; }));
    before = directory.files();
    REQUIRE(before.size() == 4);
    CHECK(load(directory, before[0]).bytes() == "stream 2");
  }
  options.max_bytes = std::filesystem::file_size(directory.path(before[0])) + 10;
  recorder to(options, no_log);  // bounds hold for what an earlier process left
  REQUIRE(to.start().empty());
  CHECK(directory.files().size() == 2);
  record(to, "stream 5");
  REQUIRE(eventually([&] { return to.saved() == 1; }));
  REQUIRE(directory.files().size() == 2);
  CHECK(load(directory, directory.files()[0]).bytes() == "stream 5");
  CHECK(directory.files()[1] == "mine.ndjson");
}

TEST_CASE("a stream that is too large or finds the queue full is not recorded") {
  const scratch_folder directory;
  record_options options = into(directory);
  options.max_stream_bytes = 1000;
  options.queue_bytes = 5000;
  recorder to(options, no_log);
  REQUIRE(to.start().empty());
  record(to, std::string(1000, 'x'));
  record(to, std::string(5001, 'x'));
  record(to, "fits");
  REQUIRE(eventually([&] { return to.saved() == 1; }));
  CHECK(to.lost() == 2);
  CHECK(directory.files().size() == 1);
}

TEST_CASE("the number of streams recorded at the same time is limited") {
  const scratch_folder directory;
  record_options options = into(directory);
  options.max_open = 2;
  recorder to(options, no_log);
  REQUIRE(to.start().empty());
  auto one = to.begin(note(), {});
  const auto two = to.begin(note(), {});
  CHECK(two);
  CHECK_FALSE(to.begin(note(), {}));
  CHECK(to.lost() == 1);
  one.reset();
  CHECK(eventually([&] { return to.begin(note(), {}) != nullptr; }));
}

TEST_CASE("unfinished recordings of dead processes are removed and others are kept") {
  const scratch_folder directory;
  std::ofstream(directory.path("20261121T193015.123Z-0000001-000000001.ndjson.part")) << "half";
  std::ofstream(directory.path("other.part")) << "not the recorder's";
  recorder first(into(directory), no_log);
  REQUIRE(first.start().empty());
  CHECK(directory.files() == std::vector<std::string>{"other.part"});
  auto running = first.begin(note(), {});
  REQUIRE(eventually([&] { return directory.files().size() == 2; }));
  record(first, "written after the first line of the other");
  REQUIRE(eventually([&] { return first.saved() == 1; }));
  recorder second(into(directory), no_log);
  REQUIRE(second.start().empty());
  CHECK(directory.files().size() == 3);
  running.reset();
  CHECK(eventually([&] { return first.saved() == 2; }));
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

TEST_CASE("the log has the reason why a recording is lost") {
  const scratch_folder logs;
  const auto reason = [&](std::size_t max_stream_bytes, bool keep_directory) {
    const std::string file = std::to_string(max_stream_bytes);
    const scratch_folder directory;
    record_options options = into(directory);
    options.max_stream_bytes = max_stream_bytes;
    {
      request_log log({.level = log_level::warn, .format = log_format::text, .file = logs.path(file)});
      REQUIRE(log.start().empty());
      recorder to(options, log);
      REQUIRE(to.start().empty());
      if (!keep_directory) std::filesystem::remove(directory.path());
      for (int i = 0; i < 20; ++i) record(to, std::string(1000, 'x'));
      CHECK(eventually([&] { return to.lost() == 20; }));
    }
    const std::string line = logs.read(file);
    CHECK(std::ranges::count(line, '\n') < 20);  // at most one a second
    return line.substr(line.find("message="), line.find('\n') - line.find("message="));
  };
  CHECK(reason(100, true) ==
        "message=\"a recording is lost: the stream is larger than record_max_stream_bytes (1 since the last "
        "message)\"");
  CHECK(reason(100'000, false) ==
        "message=\"a recording is lost: No such file or directory (1 since the last message)\"");
}

TEST_CASE("a directory that cannot be created or written is reported at the start") {
  const scratch_folder folder;
  folder.write("file", "");
  record_options options;
  options.directory = folder.path("file/a/b");
  recorder to(options, no_log);
  CHECK(to.start().find(options.directory) != std::string::npos);
}

TEST_CASE("a directory is created with its parents and only its owner may read it") {
  namespace fs = std::filesystem;
  const scratch_folder folder;
  for (const char* last : {"", "/", "/.", "/./"}) {
    record_options options;
    options.directory = folder.path("a/b") + last;
    recorder to(options, no_log);
    CHECK(to.start().empty());
    CHECK((fs::status(options.directory).permissions() & fs::perms::others_all) == fs::perms::none);
    fs::remove_all(folder.path("a"));
  }
}
