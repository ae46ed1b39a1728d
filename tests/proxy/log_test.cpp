// The lines of the log, and the thread that writes them.
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "proxy/log_line.hpp"
#include "proxy/request_log.hpp"
#include "support/loopback.hpp"
#include "support/scratch_folder.hpp"

using namespace citestream;
using citestream_tests::scratch_folder;
using loopback::eventually;

namespace {

std::string line_of(log_format format, const request_facts& facts) {
  std::string out;
  append_request_line(format, log_level::info, {}, facts, "127.0.0.1:5", std::chrono::microseconds(1500),
                      out);
  return out;
}

bool is_printable(const std::string& text) {
  return text.find_first_not_of(
             " !\"#$%&'()*+,-./"
             "0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~") ==
         std::string::npos;
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Number of calls of write() in this process so far (proc(5)); none if the kernel does not count them.
std::optional<std::uint64_t> writes_so_far() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (std::uint64_t count = 0; counters >> name >> count;) {
    if (name == "syscw:") return count;
  }
  return std::nullopt;
}

/// Bytes in a pipe that can be read.
std::size_t bytes_waiting(int pipe) {
  int bytes = 0;
  REQUIRE(::ioctl(pipe, FIONREAD, &bytes) == 0);
  return static_cast<std::size_t>(bytes);
}

/// A pipe, and what has been read from it.
struct log_pipe {
  log_pipe() { REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0); }
  ~log_pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  log_pipe(const log_pipe&) = delete;
  log_pipe& operator=(const log_pipe&) = delete;
  [[nodiscard]] log_options options() const {
    log_options out;
    out.level = log_level::info;
    out.file = "/proc/self/fd/" + std::to_string(ends[1]);
    return out;
  }
  void read_some() {
    char buffer[4096];
    const auto got = ::read(ends[0], buffer, sizeof buffer);
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
  }
  [[nodiscard]] std::size_t waiting() const { return bytes_waiting(ends[0]); }

  int ends[2]{};
  std::string text;
};

}  // namespace

TEST_CASE("any byte in a path or header is logged as one line of valid JSON") {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = "/a" + std::string(1, static_cast<char>(byte)) + "b";
    request_facts facts;
    facts.requested.target = text;
    facts.id = facts.answer_id = facts.rewriting.model = text;
    facts.requested.method = facts.requested.route = facts.requested.upstream = facts.error = text;
    const std::string line = line_of(log_format::json, facts);
    INFO(line);
    CHECK(is_printable(line));
    document json;
    REQUIRE_FALSE(json.parse(line));
    if (byte < 0x80 && byte != '?') CHECK(json.root()["path"].string() == text);
    if (byte < 0x80) CHECK(json.root()["upstream_request_id"].string() == text);
    CHECK(is_printable(line_of(log_format::text, facts)));
  }
}

TEST_CASE("a text log line is words without spaces or quotes inside") {
  request_facts facts;
  facts.requested.target = "/a b\"c\\d\n?key=secret";
  facts.id = "x";
  facts.status = 200;
  const std::string line = line_of(log_format::text, facts);
  CHECK(line.find(" path=/a\\x20b\\x22c\\x5cd\\x0a route=- ") != std::string::npos);
  CHECK(
      line.starts_with("time=1970-01-01T00:00:00.000Z level=info request_id=x client=127.0.0.1:5 method=- "));
  CHECK(line.ends_with(" duration_ms=1.500"));
}

TEST_CASE("times in the log are in UTC and in milliseconds and durations in microseconds") {
  using namespace std::chrono;
  std::string out;
  append_time(sys_days(year(2026) / 1 / 2) + hours(3) + minutes(4) + seconds(5) + microseconds(6999), out);
  CHECK(out == "2026-01-02T03:04:05.006Z");
  request_facts facts;
  facts.rewriting.hold_max = nanoseconds(12'034'567'890);
  facts.rewriting.added_max = nanoseconds(7'400);
  CHECK(line_of(log_format::text, facts).ends_with(" hold_ms=12034.568 added_ms=0.007 duration_ms=1.500"));
}

TEST_CASE("a log line is always short enough for an atomic pipe write") {
  const std::string worst(100'000, '"');
  const std::string bytes(100'000, '\xff');
  request_facts facts;
  facts.requested.target = facts.requested.method = facts.requested.route = facts.requested.upstream = worst;
  facts.id = worst.substr(0, 128);
  facts.answer_id = bytes;
  facts.error = worst;
  for (const log_format format : {log_format::json, log_format::text})
    CHECK(line_of(format, facts).size() < 4096);
}

TEST_CASE("lines are written in order and the file is reopened after rotation") {
  const scratch_folder directory;
  const std::string path = directory.path("log");
  {
    log_options options;
    options.level = log_level::info;
    options.file = path;
    request_log log(options);
    REQUIRE(log.start().empty());
    for (int i = 0; i < 100; ++i) log.write(log_level::info, std::to_string(i));
    REQUIRE(eventually([&] { return lines_in(directory.read("log")) == 100; }));
    std::filesystem::rename(path, path + ".1");
    log.reopen();
    log.write(log_level::info, "after");
    REQUIRE(eventually([&] { return directory.read("log") == "after\n"; }));
    CHECK(log.lost() == 0);
  }
  CHECK(lines_in(directory.read("log.1")) == 100);
}

TEST_CASE("lines that come together are written together") {
  const scratch_folder directory;
  log_options options;
  options.level = log_level::info;
  options.file = directory.path("log");
  request_log log(options);
  REQUIRE(log.start().empty());
  constexpr std::size_t lines = 4000;
  const auto before = writes_so_far();
  if (!before) {
    WARN("SKIPPED: the kernel does not count the writes of a process");
    return;
  }
  for (std::size_t i = 0; i < lines; ++i) log.write(log_level::info, std::string(40, 'x'));
  REQUIRE(eventually([&] { return lines_in(directory.read("log")) == lines; }));
  CHECK(*writes_so_far() - *before < lines / 10);
}

TEST_CASE("lines of two logs in one pipe are whole") {
  log_pipe pipe;
  constexpr std::size_t lines = 2000;
  request_log one(pipe.options());
  request_log other(pipe.options());
  REQUIRE(one.start().empty());
  REQUIRE(other.start().empty());
  for (std::size_t i = 0; i < lines; ++i) {
    one.write(log_level::info, std::string(300, 'a'));
    other.write(log_level::info, std::string(700, 'b'));
  }
  REQUIRE(eventually([&] {
    pipe.read_some();
    return pipe.text.size() == lines * (301 + 701);
  }));
  std::istringstream whole(pipe.text);
  std::size_t torn = 0;
  for (std::string line; std::getline(whole, line);) {
    if (line != std::string(300, 'a') && line != std::string(700, 'b')) ++torn;
  }
  CHECK(torn == 0);
}

TEST_CASE("a reader of the log that pauses gets every line") {
  log_pipe pipe;
  constexpr std::size_t lines = 500;
  request_log log(pipe.options());
  REQUIRE(log.start().empty());
  std::string expected;
  for (std::size_t i = 0; i < lines; ++i) {
    const std::string line = std::to_string(i) + std::string(1000, 'x');
    log.write(log_level::info, line);
    expected.append(line) += '\n';
  }
  REQUIRE(eventually([&] { return pipe.waiting() > 60'000; }));  // full
  log.write(log_level::info, "later");
  expected += "later\n";
  CHECK(eventually([&] {
    pipe.read_some();
    return pipe.text.size() >= expected.size();
  }));
  CHECK(pipe.text == expected);
  CHECK(log.lost() == 0);
}

TEST_CASE("lines above the log level are not written") {
  const scratch_folder directory;
  {
    log_options options;
    options.level = log_level::warn;
    options.format = log_format::json;
    options.file = directory.path("log");
    request_log log(options);
    REQUIRE(log.start().empty());
    log.message(log_level::info, "quiet");
    log.message(log_level::error, "loud\n\"");
  }
  const std::string written = directory.read("log");
  CHECK(lines_in(written) == 1);
  CHECK(written.find(R"("level":"error","message":"loud\u000a\"")") != std::string::npos);
}

TEST_CASE("lines lost on a full disk are counted") {
  log_options options;
  options.level = log_level::info;
  options.file = "/dev/full";
  request_log log(options);
  REQUIRE(log.start().empty());
  for (int i = 0; i < 10; ++i) log.write(log_level::info, "line");
  CHECK(eventually([&] { return log.lost() == 10; }));
}

TEST_CASE("an unread log pipe blocks nobody and lost lines are counted") {
  log_pipe pipe;
  constexpr std::size_t lines = 2000;
  constexpr std::size_t queued = 16;
  constexpr std::size_t in_pipe = 70;
  {
    log_options options = pipe.options();
    options.queue_lines = queued;
    request_log log(options);
    REQUIRE(log.start().empty());
    for (std::size_t i = 0; i < lines; ++i) log.write(log_level::info, std::string(1000, 'x'));
    CHECK(eventually([&] { return log.lost() >= lines - queued - in_pipe; }));
    CHECK(log.lost() < lines);
  }  // ends although the pipe is full
  while (pipe.waiting() > 0) pipe.read_some();
  std::istringstream whole(pipe.text);
  for (std::string one; std::getline(whole, one);) CHECK(one.size() == 1000);
}

TEST_CASE("a log whose pipe is full is opened again") {
  const scratch_folder directory;
  const std::string path = directory.path("log");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  log_options options;
  options.level = log_level::info;
  options.file = path;
  request_log log(options);
  REQUIRE(log.start().empty());
  for (int i = 0; i < 100; ++i) log.write(log_level::info, std::string(1000, 'x'));
  REQUIRE(eventually([&] { return bytes_waiting(reader) > 60'000; }));  // full
  std::filesystem::rename(path, path + ".1");
  log.reopen();
  log.write(log_level::info, "after");
  CHECK(eventually([&] { return directory.read("log").ends_with("after\n"); }));
  CHECK(log.lost() == 0);
  ::close(reader);
}

TEST_CASE("a log that cannot be opened is reported at the start") {
  log_options options;
  options.level = log_level::info;
  options.file = "/nonexistent/log";
  request_log log(options);
  CHECK(log.start().find("/nonexistent/log") != std::string::npos);
}

TEST_CASE("frequent messages are logged once a second with their count") {
  log_throttle often;
  const log_throttle::clock::time_point start;
  CHECK(often.count(start) == 1);
  for (int i = 1; i < 1000; ++i) CHECK(often.count(start + std::chrono::milliseconds(i)) == 0);
  CHECK(often.count(start + log_throttle::pause) == 1000);
  CHECK(often.count(start + log_throttle::pause) == 0);
}
