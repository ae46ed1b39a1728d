// Send times: comments with the time at which the following event was sent.
#include "replay/send_time.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "framing/sse_decoder.hpp"
#include "support/served.hpp"

using namespace citestream;
using clock_type = std::chrono::steady_clock;

namespace {

constexpr std::string_view bom = "\xEF\xBB\xBF";

/// The send times of a stream, and its bytes without them.
struct untimed {
  std::vector<clock_type::time_point> times;
  std::string bytes;
  std::vector<bool> before_event;  ///< for each time, true if an event follows it
};

untimed take_apart(const std::string& stream) {
  untimed out;
  sse_decoder decoder;
  decoder.feed(stream);
  bool waiting = false;
  const auto read = [&] {
    for (frame item; decoder.next(item);) {
      const auto time = read_send_time(item.raw);
      if (waiting) out.before_event.push_back(item.kind == frame_kind::event);
      waiting = item.kind == frame_kind::other && time.has_value();
      if (waiting) {
        out.times.push_back(*time);
      } else {
        out.bytes += item.raw;
      }
    }
  };
  read();
  decoder.finish();
  read();
  return out;
}

std::string ask(const replay_options& options) {
  const auto response = citestream_tests::served(options).ask("/v1/chat", R"({"stream":true})");
  CHECK(response.complete);
  return response.body;
}

recording in_pieces(const std::string& bytes, std::size_t size) {
  std::vector<recording_piece> pieces;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    pieces.push_back({static_cast<double>(at) * 1e-5, bytes.substr(at, size)});
  }
  return {"a", pieces, true};
}

}  // namespace

TEST_CASE("a send time round-trips and other comments are not send times") {
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, INT64_MAX}) {
    const clock_type::time_point time{std::chrono::nanoseconds(count)};
    std::string line = blank_send_time();
    write_send_time(time, line.data() + send_time_start.size());
    CHECK(line.size() == blank_send_time().size());
    for (const std::string end : {"", "\n", "\r", "\r\n"}) {
      line.resize(send_time_start.size() + send_time_digits);
      CHECK(read_send_time(line + end) == time);
    }
    CHECK_FALSE(read_send_time(line + "0"));
    CHECK_FALSE(read_send_time(line.substr(0, line.size() - 1)));
    CHECK_FALSE(read_send_time(line.substr(1)));
  }
  CHECK_FALSE(read_send_time(": citestream sent 99999999999999999999"));
  CHECK_FALSE(read_send_time(": citestream sent -0000000000000000001"));
  CHECK_FALSE(read_send_time(""));
}

TEST_CASE("with send times every event is preceded by one and no other byte changes") {
  const std::string stream =
      ": hello\n\ndata: {\"a\":1}\r\n\r\ndata: x\r\rid: 7\ndata:x\ndata: y\n\n: ping\n\nretry: 5\n\ndata: "
      "z\n\n\n";
  for (const std::string_view in_front : {"", "\xEF\xBB\xBF",
                                          "\xEF\xBB\xBF"
                                          "data: first\n\n"}) {
    const std::string bytes = std::string(in_front) + stream;
    const bool marked_event = in_front.ends_with("\n");  // takes no comment before its mark
    for (const std::size_t size : {1U, 2U, 5U, 11U, 1000U}) {
      for (const replay_pace pace : {replay_pace::recorded, replay_pace::interval, replay_pace::none}) {
        replay_options options;
        options.recordings = {in_pieces(bytes, size)};
        options.pace = pace;
        options.interval = std::chrono::milliseconds(1);
        options.send_times = true;
        const auto before = clock_type::now();
        const untimed got = take_apart(ask(options));
        const auto after = clock_type::now();
        INFO("pace " << static_cast<int>(pace) << " pieces of " << size);
        CHECK(got.bytes == bytes);
        REQUIRE(got.times.size() == 4);
        CHECK(got.before_event == std::vector<bool>(4, true));
        CHECK(std::is_sorted(got.times.begin(), got.times.end()));
        CHECK(got.times.front() >= before);
        CHECK(got.times.back() <= after);
        if (marked_event) CHECK(got.bytes.starts_with(bom));
      }
    }
  }
}

TEST_CASE("a stream split by bytes has no send times") {
  replay_options options;
  options.recordings = {{"a", {{0, "data: x\n\n"}}, false}};
  options.send_times = true;
  options.split = 3;
  CHECK(ask(options) == "data: x\n\n");
}

TEST_CASE("an interval is kept and a speed shortens recorded times") {
  using std::chrono::milliseconds;
  replay_options options;
  options.recordings = {{"a", {{0, "data: 1\n\ndata: 2\n\ndata: 3\n\n"}}, false}};
  options.pace = replay_pace::interval;
  options.interval = milliseconds(20);
  options.send_times = true;
  auto before = clock_type::now();
  const untimed paced = take_apart(ask(options));
  REQUIRE(paced.times.size() == 3);
  CHECK(paced.times[2] >= before + milliseconds(40));

  // At its own pace this recording would take an hour.
  options.pace = replay_pace::recorded;
  options.recordings = {{"a", {{0, "data: 1\n\n"}, {3600, "data: 2\n\n"}}, true}};
  options.speed = 36'000;
  before = clock_type::now();
  const untimed hurried = take_apart(ask(options));
  REQUIRE(hurried.times.size() == 2);
  CHECK(hurried.times[1] >= before + milliseconds(100));
}
