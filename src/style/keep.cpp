#include <citestream/style/style.hpp>

namespace citestream {

constinit const style keep_style{.name = "keep", .space = spacing::untouched};

}  // namespace citestream
