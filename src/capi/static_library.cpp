// The static library uses the program's `operator new`, so memory hooks are not
// supported. It does not compare claims: programs that only rewrite streams do without the vocabulary.
#include "options_handle.hpp"

int citestream_set_allocator(const citestream_allocator* hooks) {
  return hooks == nullptr ? CITESTREAM_OK : CITESTREAM_UNSUPPORTED;
}

const citestream::claim_check* citestream::capi::linked_checker() noexcept {
  return nullptr;
}
