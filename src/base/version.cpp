#include <citestream/base/version.hpp>

namespace citestream {

std::string_view version() noexcept {
  return CITESTREAM_VERSION;
}

}  // namespace citestream
