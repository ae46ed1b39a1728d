#include <citestream/style/style.hpp>

#include <charconv>
#include <limits>

namespace citestream {

namespace {

void render(const marker_fields&, std::uint32_t number, std::string& out) {
  char digits[std::numeric_limits<std::uint32_t>::digits10 + 1];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  out += '[';
  out.append(digits, end);
  out += ']';
}

}  // namespace

constinit const style numeric_style{"numeric", spacing::stays, &render};

}  // namespace citestream
