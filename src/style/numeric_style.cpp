#include <citestream/style/style.hpp>

#include "print.hpp"

namespace citestream {

namespace {

void render_numeric(const citation_context& cite, std::string& out) {
  out += '[';
  style_detail::append_number(cite.number, out);
  out += ']';
}

}  // namespace

constinit const style numeric_style{.name = "numeric", .space = spacing::kept, .render = &render_numeric};

}  // namespace citestream
