// Memory of the static library: it uses the program's `operator new`, so hooks are not supported.
#include "boundary.hpp"

int citestream_set_allocator(const citestream_allocator* hooks) {
  return hooks == nullptr ? CITESTREAM_OK : CITESTREAM_UNSUPPORTED;
}
