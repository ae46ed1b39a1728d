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

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_MONITOR_COMMAND(command) 0
#endif

namespace citestream_tests {

/// Instructions executed in user space so far. Valgrind writes them to the file \p counts, as the
/// time of a snapshot.
inline std::uint64_t instructions_so_far(const std::string& counts) {
  const std::string command = "snapshot " + counts;
  static_cast<void>(VALGRIND_MONITOR_COMMAND(command.c_str()));
  std::ifstream file(counts);
  std::uint64_t out = 0;
  for (std::string line; out == 0 && std::getline(file, line);) {
    if (line.starts_with("time=")) out = std::stoull(line.substr(line.find('=') + 1));
  }
  std::remove(counts.c_str());
  return out;
}

/// Instructions executed by \p work, without those that counting takes.
inline std::uint64_t instructions_of(const std::function<void()>& work, const std::string& counts) {
  const std::uint64_t before = instructions_so_far(counts);
  const std::uint64_t start = instructions_so_far(counts);
  work();
  return instructions_so_far(counts) - start - (start - before);
}

/// Prepares the work for a size. The preparation is not counted.
using preparation = std::function<std::function<void()>(std::size_t)>;

/// Checks that work for 4 * \p n takes at most \p most times the instructions of \p n; quadratic work would
/// take sixteen times. The first run of each is not counted, so that buffers are warm.
inline void check_linear(std::size_t n, const preparation& prepare, double most = 5) {
  const char* counts = std::getenv("CITESTREAM_COUNTS");
  if (counts == nullptr) {
    WARN("SKIPPED: not run under valgrind by tests/support/counting.py");
    return;
  }
  static_cast<void>(instructions_so_far(counts));  // the first costs more: functions are bound
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
