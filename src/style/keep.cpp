#include <citestream/style/style.hpp>

namespace citestream {

constinit const style keep_style{"keep", spacing::untouched, nullptr};

}  // namespace citestream
