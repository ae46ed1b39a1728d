// Thousands of answers that go wrong, each at another byte: what a client sees of them, and that nothing is
// left.
#include <citestream/session/session.hpp>
#include <citestream/style/style.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <malloc.h>
#include <mutex>
#include <optional>
#include <thread>

#include <catch2/catch.hpp>

#include "faults/fault_cases.hpp"
#include "proxy/proxied.hpp"
#include "session/composed_streams.hpp"
#include "support/data.hpp"
#include "support/rounds.hpp"

using namespace citestream_tests;
using citestream::proxy_options;
using citestream::trouble;
using loopback::eventually;
using loopback::milliseconds;

namespace {

/// Of bytes: under a sanitizer each answer costs ten times as much.
constexpr std::size_t stride = one_in == 1 ? 1 : 23;

constexpr std::size_t askers = 4;    // threads
constexpr std::size_t at_once = 32;  // connections of each

std::size_t open_files() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// A proxy between the faults and those who ask.
class trial {
 public:
  explicit trial(std::vector<fault_case> cases, milliseconds silence = milliseconds(20'000))
      : cases_(std::move(cases)),
        plans_(plans_of(cases_)),
        up_(plans_),
        server_(options(up_.url(), silence)) {
    const std::string why = server_.start();
    if (!why.empty()) throw std::runtime_error(why);
  }

  /// Asks for each, and for the next one on the same connection where that goes on. \return what was wrong.
  std::vector<std::string> run() {
    std::vector<std::thread> all;
    next_ = 0;
    problems_.clear();
    for (std::size_t i = 0; i < askers; ++i) all.emplace_back([this] { ask_all(); });
    for (std::thread& one : all) one.join();
    if (!eventually([&] { return server_.statistics().active == 0 && up_.open() == 0; })) {
      problem("connections are left: " + std::to_string(server_.statistics().active) + " of clients, " +
              std::to_string(up_.open()) + " to the upstream");
    }
    if (up_.misused() != 0) problem("an upstream connection was used that was not to be");
    if (up_.requests() != cases_.size() * ++runs_) problem("requests were lost, or asked again");
    return problems_;
  }
  [[nodiscard]] citestream::proxy_statistics statistics() const { return server_.statistics(); }

 private:
  struct asking {
    loopback::wire connection;
    bool open{};
    const fault_case* what{};
  };

  static std::vector<fault_plan> plans_of(const std::vector<fault_case>& cases) {
    std::vector<fault_plan> out;
    for (const fault_case& one : cases) out.push_back(one.plan);
    return out;
  }

  static proxy_options options(const std::string& url, milliseconds silence) {
    return loopback::proxied::options(url, [&](proxy_options& out) {
      out.deadlines.upstream_idle = silence;
      out.pool.max_idle_time = milliseconds(200);
    });
  }

  void ask_all() {
    std::vector<asking> batch(at_once);
    try {
      while (ask_some(batch)) {
      }
    } catch (const std::exception& error) {
      problem(error.what());
    }
    for (asking& one : batch) {
      if (one.open) one.connection.rst();  // no port that waits for nothing
    }
  }

  bool ask_some(std::vector<asking>& batch) {
    std::size_t asked = 0;
    for (; asked < batch.size(); ++asked) {
      const std::size_t number = next_++;
      if (number >= cases_.size()) break;
      asking& one = batch[asked];
      one.what = &cases_[number];
      if (!one.open) one.connection = loopback::dial(server_.port());
      one.open = true;
      const std::string style =
          one.what->style.empty() ? "" : "X-Citestream-Style: " + one.what->style + "\r\n";
      one.connection.send("POST /" + std::to_string(number) + " HTTP/1.1\r\nHost: proxy\r\n" + style +
                          "Content-Length: 15\r\n\r\n{\"stream\":true}");
    }
    for (std::size_t i = 0; i < asked; ++i) read(batch[i]);
    return asked == batch.size();
  }

  void read(asking& one) {
    const fault_case& what = *one.what;
    const loopback::message got = loopback::reader(one.connection).next();
    std::string wrong = judge(what, got);
    const bool kept = what.status != 200 || got.complete;
    if (!kept) {
      if (!one.connection.reset_seen() && !one.connection.read_some().empty()) wrong = "bytes behind the end";
      if (one.connection.reset_seen()) wrong = "a reset instead of an end";
      one.connection.rst();
      one.open = false;
    } else if (got.has("Connection: close")) {
      wrong = "the connection is not kept";
    }
    if (!wrong.empty()) problem(what.name + ": " + wrong + "\n" + got.body);
  }

  /// What the library makes of what came has to be what the client got; and that has to be true.
  static std::string judge(const fault_case& what, const loopback::message& got) {
    const citestream::trouble_text text = citestream::describe(what.why);
    if (got.status() != static_cast<int>(what.status)) return "status " + std::to_string(got.status());
    if (what.status != 200) {
      const bool said =
          got.body.find(std::string("\"code\":\"") + std::string(text.code) + '"') != std::string::npos;
      return said && got.complete ? "" : "no error";
    }
    citestream::session_options options;
    if (!what.style.empty()) options.style = citestream::find_style(what.style);
    citestream::session alone(options);
    std::string expected;
    static_cast<void>(alone.write(what.arrived, expected));
    const bool broken = what.why != trouble::none;
    const auto closed = citestream::describe(trouble::closed);
    const citestream::status end =
        alone.finish(expected, broken ? citestream::stream_end::aborted : citestream::stream_end::complete,
                     broken ? text.message : closed.message, broken ? text.code : closed.code);
    if (got.body != expected) return "not what the library says:\n" + expected + "\nbut";
    if (got.complete != (!broken && end.code != citestream::errc::upstream_incomplete)) return "another end";
    if (what.known || what.of->marker.empty()) return {};
    const expected_view view = expect(*what.of, what.arrived, !broken);
    if (got.complete != view.whole) return "an end that cannot be";
    return difference(view, *what.of, got.body);
  }

  void problem(std::string what) {
    const std::lock_guard lock(mutex_);
    problems_.push_back(std::move(what));
  }

  std::vector<fault_case> cases_;
  std::vector<fault_plan> plans_;
  fault_upstream up_;
  citestream::proxy_server server_;
  std::atomic<std::size_t> next_{};
  std::size_t runs_{};
  std::mutex mutex_;
  std::vector<std::string> problems_;
};

void check(trial& of) {
  const std::vector<std::string> wrong = of.run();
  for (std::size_t i = 0; i < std::min<std::size_t>(wrong.size(), 3); ++i) FAIL_CHECK(wrong[i]);
  CHECK(wrong.empty());
}

void check(std::vector<fault_case> cases, milliseconds silence = milliseconds(20'000)) {
  trial all(std::move(cases), silence);
  check(all);
}

std::vector<fault_case> cut_cases(std::size_t step) {
  std::vector<fault_case> out;
  for (const fault_stream& of : fault_streams()) {
    const std::string raw = of.raw();
    REQUIRE(raw.size() > 1000);
    REQUIRE(raw.size() < 2048);
    for (std::size_t size = 0; size <= raw.size(); size += step) {
      for (std::size_t kind = 0; kind < cut_kinds; ++kind) out.push_back(cut_case(of, raw, size, kind));
    }
  }
  return out;
}

/// Where each block of \p raw ends.
std::vector<std::size_t> boundaries(const std::string& raw) {
  std::vector<std::size_t> out{0};
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t lf = raw.find("\n\n", at);
    const std::size_t crlf = raw.find("\r\n\r\n", at);
    const std::size_t cr = raw.find("\r\r", at);
    at = std::min({lf == std::string::npos ? raw.size() : lf + 2,
                   crlf == std::string::npos ? raw.size() : crlf + 4,
                   cr == std::string::npos ? raw.size() : cr + 2, raw.size()});
    out.push_back(at);
  }
  return out;
}

}  // namespace

TEST_CASE("an answer that goes wrong at any byte gives all that had come and says so") {
  check(cut_cases(stride));
}

TEST_CASE("an upstream that falls silent behind any byte is given up") {
  std::vector<fault_case> cases;
  for (const fault_stream& of : fault_streams()) {
    const std::string raw = of.raw();
    for (std::size_t size = 0; size <= raw.size(); size += stride)
      cases.push_back(silent_case(of, raw, size));
  }
  check(std::move(cases), milliseconds(30));
}

TEST_CASE("events that come twice or never or late or in pieces break no answer") {
  std::vector<fault_case> cases;
  for (const fault_stream& of : fault_streams()) {
    for (fault_case& one : event_cases(of)) cases.push_back(std::move(one));
  }
  check(std::move(cases));
}

TEST_CASE("an answer whose head breaks off at any byte is a 502 and the connection goes on") {
  check(head_cases());
}

TEST_CASE("recorded streams that break off at any event give what had come") {
  if (!have_data("recordings")) return;
  static const fault_stream unknown{"a recording", {}, 0, {}};
  std::vector<fault_case> cases;
  for (const auto& file : std::filesystem::directory_iterator(data_dir() / "recordings")) {
    constexpr std::size_t longest = 80'000;  // each event is sent with all before it
    if (file.path().extension() != ".sse" || file.file_size() > longest) continue;
    const std::string raw = read_file(file.path());
    std::size_t number = 0;
    for (const std::size_t size : boundaries(raw)) {
      if (number++ % stride != 0 && size != raw.size()) continue;
      fault_case one = cut_case(unknown, raw, size, number % cut_kinds);
      if (number % 2 == 0) one.style = "keep";
      cases.push_back(std::move(one));
    }
  }
  CHECK(cases.size() > 50);
  check(std::move(cases));
}

TEST_CASE("streams put together at random that break off at any event give what had come") {
  static const fault_stream composed{"a composed stream", {}, 0, {}};
  std::vector<fault_case> cases;
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const std::string raw = compose(seed).raw();
    std::size_t number = seed;
    for (const std::size_t size : boundaries(raw)) {
      if (++number % stride != 0 && stride != 1) continue;
      fault_case one = cut_case(composed, raw, size, number % cut_kinds);
      if (number % 2 == 0) one.style = "keep";
      cases.push_back(std::move(one));
    }
  }
  check(std::move(cases));
}

TEST_CASE("answers that go wrong leave neither descriptors nor memory behind") {
  trial all(cut_cases(stride == 1 ? 41 : 97));
  check(all);  // what is made once
  check(all);
  const std::size_t files = open_files();
  // What waits for its turn in some thread comes and goes; what leaks grows every time. mallinfo2() says 0
  // where a sanitizer has its own heap: it looks for leaks itself.
  bool grows = true;
  for (int round = 0; round < 20 && grows; ++round) {
    const auto heap = mallinfo2().uordblks;
    const std::uint64_t before = all.statistics().requests;
    check(all);
    check(all);
    const std::uint64_t requests = all.statistics().requests - before;
    grows = mallinfo2().uordblks >= heap + 16 * requests;  // the smallest block is larger
  }
  CHECK_FALSE(grows);
  CHECK(open_files() == files);
}
