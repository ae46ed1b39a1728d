#include <citestream/style/style.hpp>

#include "print.hpp"

namespace citestream {

namespace {

void render_label(const citation_context& cite, std::string& out) {
  style_detail::append_title(cite.label, cite.identifier, cite.best, inert_place::anywhere, out);
}

}  // namespace

constinit const style label_style{.name = "label",
                                  .space = spacing::kept,
                                  .render = &render_label,
                                  .separator = ", ",
                                  .prints_references = true,
                                  .unresolved = "[citation not found]"};

}  // namespace citestream
