#include "measured.hpp"

#include <cstdlib>
#include <ctime>
#include <linux/perf_event.h>
#include <malloc.h>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

namespace citestream_bench {

namespace {

std::size_t allocated = 0;
std::size_t live = 0;

void* counted(std::size_t size) noexcept {
  void* memory = std::malloc(size == 0 ? 1 : size);
  ++allocated;
  live += malloc_usable_size(memory);
  return memory;
}

void* counted_or_throw(std::size_t size) {
  if (void* memory = counted(size)) return memory;
  throw std::bad_alloc();
}

void give_back(void* memory) noexcept {
  live -= malloc_usable_size(memory);
  std::free(memory);
}

int open_counter() noexcept {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_HARDWARE;
  wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0));
}

int counter() noexcept {
  static const int descriptor = open_counter();
  return descriptor;
}

}  // namespace

std::size_t allocations() noexcept {
  return allocated;
}
std::size_t live_bytes() noexcept {
  return live;
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

void* operator new(std::size_t size) {
  return citestream_bench::counted_or_throw(size);
}
void* operator new[](std::size_t size) {
  return citestream_bench::counted_or_throw(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return citestream_bench::counted(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return citestream_bench::counted(size);
}
void operator delete(void* memory) noexcept {
  citestream_bench::give_back(memory);
}
void operator delete[](void* memory) noexcept {
  citestream_bench::give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  citestream_bench::give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  citestream_bench::give_back(memory);
}
