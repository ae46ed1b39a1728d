// The histogram, compared with the sorted list of its values.
#include "load/latency_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

using citestream::load::latency_histogram;
using std::chrono::nanoseconds;

namespace {

void check_against_sorted(std::vector<std::int64_t> values) {
  latency_histogram counted;
  for (const std::int64_t value : values) counted.add(nanoseconds(value));
  std::sort(values.begin(), values.end());
  REQUIRE(counted.count() == values.size());
  CHECK(counted.max().count() == values.back());
  for (const double per_cent : {0.0, 1.0, 10.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const double rank = std::ceil(static_cast<double>(values.size()) * per_cent / 100);
    const auto exact = static_cast<double>(values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1]);
    const auto got = static_cast<double>(counted.percentile(per_cent).count());
    INFO(per_cent << " per cent of " << values.size());
    CHECK(got >= exact);
    CHECK(got <= exact * (1 + 1.0 / 128));
  }
}

}  // namespace

TEST_CASE("a percentile is at most one part in 128 over the exact one") {
  std::mt19937_64 random(7);
  for (const std::size_t count : {1U, 2U, 99U, 1000U, 20000U}) {
    for (const unsigned bits : {1U, 7U, 8U, 9U, 20U, 42U}) {
      std::vector<std::int64_t> values(count);
      for (auto& each : values) each = static_cast<std::int64_t>(random() >> (64 - 1 - random() % bits));
      check_against_sorted(values);
    }
  }
}

TEST_CASE("every power of two and its neighbours is counted where it belongs") {
  for (unsigned bit = 0; bit < 43; ++bit) {
    const auto power = static_cast<std::int64_t>(std::uint64_t{1} << bit);
    for (const std::int64_t value : {power - 1, power, power + 1})
      check_against_sorted({value, value, value});
  }
}

TEST_CASE("a value out of range counts as the nearest one in range") {
  latency_histogram counted;
  counted.add(nanoseconds(-5));
  CHECK(counted.max().count() == 0);
  counted.add(nanoseconds::max());
  CHECK(counted.max().count() == (std::int64_t{1} << 43) - 1);
  CHECK(counted.percentile(100) == counted.max());
  CHECK(latency_histogram().percentile(50).count() == 0);
  CHECK(latency_histogram().mean().count() == 0);
}
