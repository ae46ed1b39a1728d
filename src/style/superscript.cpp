#include <citestream/style/style.hpp>

#include "print.hpp"

namespace citestream {

namespace {

void render_superscript(const citation_context& cite, std::string& out) {
  out += "<sup>[";
  style_detail::append_number(cite.number, out);
  out += "]</sup>";
}

}  // namespace

constinit const style superscript_style{.name = "superscript",
                                        .space = spacing::trimmed,
                                        .render = &render_superscript,
                                        .unresolved = "<sup>[?]</sup>"};

}  // namespace citestream
