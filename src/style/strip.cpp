#include <citestream/style/style.hpp>

namespace citestream {

constinit const style strip_style{"strip", spacing::tidy, nullptr};

}  // namespace citestream
