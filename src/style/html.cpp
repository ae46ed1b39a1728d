// Prints only the number, so no untrusted text can get into the tags.
#include <citestream/style/style.hpp>

#include "print.hpp"

namespace citestream {

namespace {

void render_html(const citation_context& cite, std::string& out) {
  const auto append = [&](std::string_view before) {
    out += before;
    style_detail::append_number(cite.number, out);
  };
  append("<sup><a href=\"#cite-");
  append("\" data-citation=\"");
  append("\">[");
  out += "]</a></sup>";
}

}  // namespace

constinit const style html_style{.name = "html",
                                 .space = spacing::trimmed,
                                 .render = &render_html,
                                 .unresolved = "<sup class=\"unresolved\">?</sup>"};

}  // namespace citestream
