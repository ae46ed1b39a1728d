// The static library does not compare claims: programs that only rewrite streams do without the vocabulary.
#include "options_handle.hpp"

namespace citestream::capi {

const claim_check* linked_checker() noexcept {
  return nullptr;
}

}  // namespace citestream::capi
