// Checks that work is linear in its input by counting instructions, which do not depend on the machine's
// load.
//
// The program runs under valgrind (counting.py) if citestream_test labels it "pathological". Without valgrind
// nothing is counted and the test is skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

#include <catch2/catch.hpp>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS
#endif

namespace citestream_tests {

/// Instructions executed by \p work in user space. Valgrind writes each count to a new file. Everything else
/// runs without its counters, several times as fast.
inline std::uint64_t instructions_of(const std::function<void()>& work, const std::string& counts) {
  static int number = 0;
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  work();
  CALLGRIND_DUMP_STATS;
  CALLGRIND_STOP_INSTRUMENTATION;
  const std::string path = counts + "." + std::to_string(++number);
  std::ifstream file(path);
  std::uint64_t out = 0;
  for (std::string line; out == 0 && std::getline(file, line);) {
    if (line.starts_with("summary: ")) out = std::stoull(line.substr(line.find(' ')));
  }
  std::remove(path.c_str());
  return out;
}

/// Prepares the work for a size. The preparation is not counted.
using preparation = std::function<std::function<void()>(std::size_t)>;

/// Checks that work for 4 * \p n takes at most \p most times the instructions of \p n; quadratic work would
/// take sixteen times. The first run of each is not counted, so that buffers are warm.
inline void check_linear(std::size_t n, const preparation& prepare, double most = 5) {
  const char* counts = std::getenv("CITESTREAM_COUNTS");
  if (counts == nullptr) {
    WARN("SKIPPED: valgrind, which counts instructions, is not installed");
    return;
  }
  const auto count = [&](std::size_t size) {
    const std::function<void()> work = prepare(size);
    work();
    return instructions_of(work, counts);
  };
  const std::uint64_t small = count(n);
  const std::uint64_t large = count(4 * n);
  CAPTURE(n, small, large);
  REQUIRE(small > 0);
  CHECK(static_cast<double>(large) <= most * static_cast<double>(small));
}

}  // namespace citestream_tests
