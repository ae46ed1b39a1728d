// Counts every allocation of the program. It replaces the global operators: include it in one source file.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

namespace citestream_tests {
inline std::size_t allocations = 0;

inline void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
}  // namespace citestream_tests

void* operator new(std::size_t size) {
  return citestream_tests::counted(size);
}
void* operator new[](std::size_t size) {
  return citestream_tests::counted(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++citestream_tests::allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  ++citestream_tests::allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
