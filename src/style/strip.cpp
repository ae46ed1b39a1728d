#include <citestream/style/style.hpp>

namespace citestream {

constinit const style strip_style{.name = "strip", .space = spacing::tidy};

}  // namespace citestream
