// The shared library has its own `operator new`, hidden from the program, which calls the hooks of
// the caller or malloc(), and the comparison of claims by their words.
#include <citestream/check/support.hpp>

#include <cstdlib>

#include "options_handle.hpp"

namespace {

constexpr std::size_t first_size = CITESTREAM_SIZE_UP_TO(citestream_allocator, user);

constinit citestream_allocator hooks{};

}  // namespace

void* operator new(std::size_t size) {
  if (size == 0) size = 1;
  void* memory = hooks.allocate == nullptr ? std::malloc(size) : hooks.allocate(hooks.user, size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  if (hooks.release == nullptr) {
    std::free(memory);
  } else {
    hooks.release(hooks.user, memory);
  }
}

void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}

int citestream_set_allocator(const citestream_allocator* given) {
  using namespace citestream::capi;
  citestream_allocator from{};
  if (given != nullptr) {
    if (const int code = read_struct(given, first_size, from); code != CITESTREAM_OK) return code;
    if (from.allocate == nullptr || from.release == nullptr) return CITESTREAM_BAD_ARGUMENT;
  }
  if (live_handles.load() != 0) return CITESTREAM_BAD_STATE;
  hooks = from;
  return CITESTREAM_OK;
}

const citestream::claim_check* citestream::capi::linked_checker() noexcept {
  return &word_check;
}
