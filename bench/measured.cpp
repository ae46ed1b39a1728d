#include "measured.hpp"

#include <ctime>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/counted_new.hpp"

namespace citestream_bench {

namespace {

int open_counter() noexcept {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

int counter() noexcept {
  static const int descriptor = open_counter();
  return descriptor;
}

}  // namespace

std::size_t allocations() noexcept {
  return citestream_tests::allocations;
}
std::size_t live_bytes() noexcept {
  return citestream_tests::live_bytes;
}

bool has_instruction_counter() noexcept {
  return counter() >= 0;
}

std::uint64_t instructions() noexcept {
  std::uint64_t value = 0;
  if (!has_instruction_counter() || ::read(counter(), &value, sizeof value) != sizeof value) return 0;
  return value;
}

double thread_seconds() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace citestream_bench
