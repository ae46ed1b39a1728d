// Reads documents that U+001E separates, and writes them as they leave the egress guard: for tests of
// renderers. An argument is how many bytes it may withhold.
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "egress/guarded.hpp"

int main(int count, char** arguments) {
  citestream::limits bounds;
  if (count > 1) bounds.max_marker_bytes = std::stoul(arguments[1]);
  citestream::egress_guard by = citestream_tests::guard(citestream::egress_mode::enforce, bounds);
  const std::string in{std::istreambuf_iterator<char>(std::cin), {}};
  const std::string_view all = in;
  for (std::size_t at = 0; at <= all.size();) {
    const std::size_t end = std::min(all.find('\x1E', at), all.size());
    if (at > 0) std::cout << '\x1E';
    by = citestream_tests::guard(citestream::egress_mode::enforce, bounds);
    std::cout << citestream_tests::guarded(by, {all.substr(at, end - at)});
    at = end + 1;
  }
}
