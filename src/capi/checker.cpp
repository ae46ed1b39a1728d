// The shared library compares claims by their words.
#include <citestream/check/support.hpp>

#include "options_handle.hpp"

namespace citestream::capi {

const claim_check* linked_checker() noexcept {
  return &word_check;
}

}  // namespace citestream::capi
