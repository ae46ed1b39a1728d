/// \file
/// Counts the allocations of a program with one thread by replacing the global operators new without
/// alignment. Include it in one source file only.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace citestream_tests {
inline std::size_t allocations = 0;  ///< since the start
inline std::size_t live_bytes = 0;   ///< not yet freed
inline std::size_t most_live_bytes = 0;

inline void* counted(std::size_t size) noexcept {
  void* memory = std::malloc(size == 0 ? 1 : size);
  ++allocations;
  live_bytes += malloc_usable_size(memory);
  if (live_bytes > most_live_bytes) most_live_bytes = live_bytes;
  return memory;
}

inline void* counted_or_throw(std::size_t size) {
  if (void* memory = counted(size)) return memory;
  throw std::bad_alloc();
}

inline void give_back(void* memory) noexcept {
  live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}
}  // namespace citestream_tests

void* operator new(std::size_t size) {
  return citestream_tests::counted_or_throw(size);
}
void* operator new[](std::size_t size) {
  return citestream_tests::counted_or_throw(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return citestream_tests::counted(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return citestream_tests::counted(size);
}
void operator delete(void* memory) noexcept {
  citestream_tests::give_back(memory);
}
void operator delete[](void* memory) noexcept {
  citestream_tests::give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  citestream_tests::give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  citestream_tests::give_back(memory);
}
