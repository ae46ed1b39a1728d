// Memory of the static library: the program's.
#include "boundary.hpp"

int citestream_set_allocator(const citestream_allocator* hooks) {
  return hooks == nullptr ? CITESTREAM_OK : CITESTREAM_UNSUPPORTED;
}
