// A request is read in linear time, whatever it holds.
#include <algorithm>
#include <ctime>
#include <functional>
#include <string>

#include <catch2/catch.hpp>

#include "provenance/rewritten.hpp"

using namespace citestream_tests;

namespace {

/// Past what fits the caches, where a byte costs more.
constexpr std::size_t large_text = 200'000;

/// Seconds of this process's time: what else the machine does counts little.
double time_of(const std::string& body) {
  citestream::provenance_registry registry;
  static std::string out;  // its memory is paid for once
  out.clear();
  out.reserve(2 * body.size() + 4096);
  const std::clock_t start = std::clock();
  CHECK_FALSE(citestream::add_provenance(body, {}, out, registry));
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double best_time(const std::string& body) {
  return std::min({time_of(body), time_of(body), time_of(body)});
}

void check_linear(std::size_t size, const std::function<std::string(std::size_t)>& make) {
  while (time_of(make(size)) < 0.010 && size < 200'000) size *= 2;
  double small = best_time(make(size));
  double large = best_time(make(4 * size));
  for (int attempt = 0; attempt < 5 && large > 6 * small; ++attempt) {
    small = std::max(small, best_time(make(size)));
    large = std::min(large, best_time(make(4 * size)));
  }
  CAPTURE(size, small, large);
  CHECK(large <= 6 * small);
}

std::string repeated(const std::string& part, std::size_t count, const std::string& separator = {}) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : separator) + part;
  return out;
}

}  // namespace

TEST_CASE("one result of n openings of tags takes time linear in n") {
  check_linear(large_text, [](std::size_t n) { return lone_result(quoted(repeated("[REF|", n))); });
  check_linear(large_text,
               [](std::size_t n) { return lone_result(quoted(repeated("[REF|", n) + repeated("d]", n))); });
  check_linear(large_text, [](std::size_t n) { return lone_result(quoted("[REF|" + repeated("x", 5 * n))); });
  check_linear(large_text,
               [](std::size_t n) { return lone_result(quoted("[REF|d_1]" + repeated("[", 5 * n))); });
}

TEST_CASE("n results and n calls take time linear in n") {
  check_linear(1000, [](std::size_t n) { return messages(repeated(result("c", R"("x")"), n, ",")); });
  check_linear(1000, [](std::size_t n) {
    std::string list;
    for (std::size_t i = 0; i < n; ++i) list += call(std::to_string(i), "t") + ",";
    for (std::size_t i = 0; i < n; ++i) list += result(std::to_string(i), R"("[REF|d_1]\nx")") + ",";
    return messages(list + "1");
  });
}

TEST_CASE("a content of n parts takes time linear in n") {
  check_linear(1000, [](std::size_t n) {
    return lone_result("[" + repeated(R"({"type":"text","text":"x"})", n, ",") + "]");
  });
  check_linear(1000, [](std::size_t n) {
    return messages(repeated(R"({"role":"system","content":[1]})", n, ",") + "," + result("c", R"("x")"));
  });
}
