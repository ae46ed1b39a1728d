// Thousands of answers that fail, each at another byte: what clients receive, and that nothing leaks.
#include <citestream/session/session.hpp>
#include <citestream/style/style.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <catch2/catch.hpp>

#include "faults/fault_cases.hpp"
#include "faults/fault_front.hpp"
#include "support/composed_streams.hpp"
#include "support/data.hpp"
#include "support/loopback.hpp"
#include "support/rounds.hpp"

using namespace citestream_tests;
using citestream::failure;
using loopback::eventually;
using loopback::milliseconds;

namespace {

/// Whether all bytes and boundaries are tested. With a sanitizer each answer takes ten times as long.
constexpr bool everything = !sanitized;
constexpr std::size_t stride = everything ? 1 : 23;

/// Returns \p cases. Checks that a complete test has at least \p all of them, so that no test shrinks
/// unnoticed.
std::vector<fault_case> counted(std::size_t all, std::vector<fault_case> cases) {
  CHECK(cases.size() >= (everything ? all : all / 25));
  return cases;
}

constexpr milliseconds patient{50'000};
constexpr std::size_t askers = 4;    // threads
constexpr std::size_t at_once = 32;  // connections per thread

/// A server between the faulty upstream and the clients.
class trial {
 public:
  explicit trial(std::vector<fault_case> cases, const front_maker& make = our_proxy(patient))
      : cases_(std::move(cases)), plans_(plans_of(cases_)), up_(plans_), front_(make(up_.url())) {}

  /// Requests each case, on the same connection while it stays open. \return the errors found
  std::vector<std::string> run() {
    std::vector<std::thread> all;
    next_ = 0;
    problems_.clear();
    for (std::size_t i = 0; i < askers; ++i) all.emplace_back([this] { ask_all(); });
    for (std::thread& one : all) one.join();
    if (!eventually([&] { return front_->active() == 0 && up_.open() == 0; })) {
      problem("connections are left: " + std::to_string(front_->active()) + " of clients, " +
              std::to_string(up_.open()) + " to the upstream");
    }
    if (up_.misused() != 0) problem("an upstream connection was used that was not to be");
    if (requests() != cases_.size() * ++runs_) problem("requests were lost, or asked again");
    return problems_;
  }
  /// Cases in which the server timed out before it had received everything. On a busy machine the upstream
  /// may be silent for longer than a short timeout, so these are repeated with a long one.
  [[nodiscard]] const std::vector<fault_case>& given_up() const { return given_up_; }
  [[nodiscard]] std::size_t requests() const { return up_.requests(); }
  [[nodiscard]] const fault_front& front() const { return *front_; }

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

  void ask_all() {
    std::vector<asking> batch(at_once);
    try {
      while (ask_some(batch)) {
      }
    } catch (const std::exception& error) {
      problem(error.what());
    }
    for (asking& one : batch) {
      if (one.open) one.connection.rst();  // does not leave a port in TIME_WAIT
    }
  }

  bool ask_some(std::vector<asking>& batch) {
    std::size_t asked = 0;
    for (; asked < batch.size(); ++asked) {
      const std::size_t number = next_++;
      if (number >= cases_.size()) break;
      asking& one = batch[asked];
      one.what = &cases_[number];
      if (!one.open) one.connection = loopback::dial(front_->port());
      one.open = true;
      one.connection.send(front_->request(number, one.what->style) +
                          "Content-Length: 15\r\n\r\n{\"stream\":true}");
    }
    for (std::size_t i = 0; i < asked; ++i) read(batch[i]);
    return asked == batch.size();
  }

  void read(asking& one) {
    const fault_case& what = *one.what;
    const loopback::message got = loopback::reader(one.connection).next();
    const bool silent = what.why == failure::idle_timeout && what.status == 200;
    if (silent && got.status() == 504) return give_up(what);
    std::string wrong = judge(what, got);
    const bool kept = what.status != 200 || got.complete;
    if (!kept) {
      if (!one.connection.reset_seen() && !one.connection.read_some().empty()) wrong = "bytes after the end";
      if (one.connection.reset_seen()) wrong = "a reset instead of an end";
      one.connection.rst();
      one.open = false;
    } else if (got.has("Connection: close")) {
      wrong = "the connection is not kept";
    }
    if (!wrong.empty()) problem(what.name + ": " + wrong + "\n" + got.body);
  }

  /// Checks that the client received the library's output for the bytes that arrived, and that it is correct.
  std::string judge(const fault_case& what, const loopback::message& got) const {
    const std::optional<failure> why = front_->told(what.why);
    const citestream::http::own_error text = citestream::describe(why.value_or(failure::none));
    if (!why && got.head.empty()) return got.body.empty() ? "" : "a body without a head";
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
    if (!why) return got.complete || !expected.starts_with(got.body) ? "more than came" : "";
    const bool broken = *why != failure::none;
    const citestream::http::own_error ending = broken ? text : front_->told_of_a_missing_end();
    const citestream::status end =
        alone.finish(expected, broken ? citestream::stream_end::aborted : citestream::stream_end::complete,
                     ending.message, ending.code);
    if (got.body != expected) return "not what the library says:\n" + expected + "\nbut";
    if (got.complete != (!broken && end.code != citestream::errc::upstream_incomplete)) return "another end";
    if (what.known || what.of->marker.empty()) return {};
    const expected_view view = expect(*what.of, what.arrived, !broken);
    if (got.complete != view.whole) return "an end that cannot be";
    return difference(view, *what.of, got.body);
  }

  void give_up(const fault_case& what) {
    const std::lock_guard lock(mutex_);
    given_up_.push_back(what);
  }

  void problem(std::string what) {
    const std::lock_guard lock(mutex_);
    problems_.push_back(std::move(what));
  }

  std::vector<fault_case> cases_;
  std::vector<fault_plan> plans_;
  fault_upstream up_;
  std::unique_ptr<fault_front> front_;
  std::atomic<std::size_t> next_{};
  std::size_t runs_{};
  std::mutex mutex_;
  std::vector<std::string> problems_;
  std::vector<fault_case> given_up_;
};

void check(trial& of) {
  const std::vector<std::string> wrong = of.run();
  for (std::size_t i = 0; i < std::min<std::size_t>(wrong.size(), 3); ++i) FAIL_CHECK(wrong[i]);
  CHECK(wrong.empty());
}

void check(std::vector<fault_case> cases, const front_maker& make = our_proxy(patient)) {
  trial all(std::move(cases), make);
  check(all);
  for (const fault_case& one : all.given_up()) FAIL_CHECK(one.name + ": given up before what had come");
}

/// The same for upstreams that stop sending: servers from \p make time out after \p patience. Cases that time
/// out too early are repeated with 100 times as long.
void check_silent(std::vector<fault_case> cases, front_maker (*make)(milliseconds), milliseconds patience) {
  trial hasty(std::move(cases), make(patience));
  check(hasty);
  if (hasty.given_up().empty()) return;
  check(hasty.given_up(), make(100 * patience));
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

/// The ends of all blocks of \p raw.
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

std::vector<fault_case> silent_cases(std::size_t step) {
  std::vector<fault_case> out;
  for (const fault_stream& of : fault_streams()) {
    const std::string raw = of.raw();
    for (std::size_t size = 0; size <= raw.size(); size += step) out.push_back(silent_case(of, raw, size));
  }
  return out;
}

std::vector<fault_case> all_event_cases() {
  std::vector<fault_case> out;
  for (const fault_stream& of : fault_streams()) {
    for (fault_case& one : event_cases(of)) out.push_back(std::move(one));
  }
  return out;
}

/// Adds faults at the boundaries of \p raw: one in \p step of all kinds at all places.
void add_boundary_cases(std::vector<fault_case>& out, const fault_stream& of, const std::string& raw,
                        std::size_t step) {
  REQUIRE(step % cut_kinds != 0);  // otherwise the kind would always be the same
  std::size_t number = 0;
  for (const std::size_t size : boundaries(raw)) {
    for (std::size_t kind = 0; kind < cut_kinds; ++kind) {
      if (++number % step != 0) continue;
      out.push_back(cut_case(of, raw, size, kind));
      if ((number + size) % 2 == 0) out.back().style = "keep";
    }
  }
}

const fault_stream composed{"a composed stream", {}, 0, {}};
constexpr std::uint32_t composed_seeds = 12;

std::vector<fault_case> composed_cases(std::size_t step) {
  std::vector<fault_case> out;
  for (std::uint32_t seed = 0; seed < composed_seeds; ++seed)
    add_boundary_cases(out, composed, compose(seed).raw(), step);
  return out;
}

std::vector<fault_case> silent_composed_cases(std::size_t step) {
  std::vector<fault_case> out;
  for (std::uint32_t seed = 0; seed < composed_seeds; ++seed) {
    const std::string raw = compose(seed).raw();
    const std::vector<std::size_t> sizes = boundaries(raw);
    for (std::size_t i = seed % step; i < sizes.size(); i += step)
      out.push_back(silent_case(composed, raw, sizes[i]));
  }
  return out;
}

std::vector<fault_case> recorded_cases(std::size_t step) {
  static const fault_stream recorded{"a recording", {}, 0, {}};
  std::vector<fault_case> out;
  for (const auto& file : std::filesystem::directory_iterator(data_dir() / "recordings")) {
    constexpr std::size_t longest = 80'000;  // each event is sent with all before it
    if (file.path().extension() != ".sse" || file.file_size() > longest) continue;
    add_boundary_cases(out, recorded, read_file(file.path()), step);
  }
  return out;
}

/// Whether the heap grows in proportion to the number of answers. What is allocated once, and then kept for
/// reuse, is allocated in the first rounds: after them the heap varies by less than one block in ten answers.
/// \p after_round is called after each round. With a sanitizer, which detects leaks itself, the size is 0.
bool heap_grows(
    trial& all, const std::function<void()>& after_round = [] {}) {
  constexpr int rounds = 8;
  std::size_t heap = 0;
  std::size_t before = 0;
  for (int round = 0; round < 2 * rounds; ++round) {
    if (round == rounds) {
      heap = all.front().heap();
      before = all.requests();
    }
    check(all);
    after_round();
  }
  const std::size_t now = all.front().heap();
  UNSCOPED_INFO("from " << heap << " to " << now << " bytes in " << all.requests() - before << " requests");
  return now > heap + all.front().smallest_leak() * (all.requests() - before);
}

void check_that_nothing_is_left(trial& all) {
  check(all);
  const std::size_t files = all.front().open_files();
  CHECK_FALSE(heap_grows(all));
  CHECK(all.front().open_files() == files);
}

}  // namespace

TEST_CASE("an answer that fails at any byte is sent so far with an error") {
  check(counted(20'000, cut_cases(stride)));
}

TEST_CASE("an upstream that stops sending after any byte times out") {
  check_silent(counted(3'000, silent_cases(stride)), our_proxy, milliseconds(30));
}

TEST_CASE("duplicate and missing and late and divided events break no answer") {
  check(all_event_cases());
}

TEST_CASE("a response head truncated at any byte is a 502 on a kept connection") {
  check(head_cases());
}

TEST_CASE("recorded streams truncated at any event give everything that arrived") {
  if (!have_data("recordings")) return;
  check(counted(5'000, recorded_cases(stride)));
}

TEST_CASE("random streams truncated at any event give everything that arrived") {
  check(counted(4'000, composed_cases(stride)));
  check_silent(counted(600, silent_composed_cases(stride)), our_proxy, milliseconds(200));
}

TEST_CASE("failing answers leak neither descriptors nor memory") {
  trial all(cut_cases(everything ? 41 : 97));
  check_that_nothing_is_left(all);
}

TEST_CASE("a leak of one small block per failing answer is found") {
  if (sanitized) return;
  trial all(cut_cases(41));
  std::vector<std::unique_ptr<int>> leaked;
  leaked.reserve(100'000);  // grows by its blocks only
  CHECK(heap_grows(all, [&] {
    while (leaked.size() < all.requests()) leaked.push_back(std::make_unique<int>());
  }));
}

TEST_CASE("an answer that fails through nginx is sent so far with an error") {
  if (!have_nginx()) return;
  check(cut_cases(17), our_module_in_nginx(patient));  // each costs nginx a port for a minute
  check(composed_cases(23), our_module_in_nginx(patient));
}

TEST_CASE("an upstream that stops sending through nginx times out") {
  if (have_nginx()) check_silent(silent_cases(23), our_module_in_nginx, milliseconds(30));
}

TEST_CASE("duplicate and missing and late and divided events through nginx break none") {
  if (have_nginx()) check(all_event_cases(), our_module_in_nginx(patient));
}

TEST_CASE("failing answers through nginx leak neither descriptors nor memory") {
  if (!have_nginx()) return;
  trial all(cut_cases(53), our_module_in_nginx(patient));
  check_that_nothing_is_left(all);
}
