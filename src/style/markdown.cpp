// `\[[1](https://example.com/)\]`, which Markdown renders as [1] with a link on the number; `\[1\]` if no
// reference with a web address is known when the marker is complete.
//
// The brackets are escaped so that the text before the citation cannot change its meaning: after `!` an
// unescaped bracket would open an image, and after `]` it would become part of another link. Only URLs
// of references become links, never what the model wrote.
#include <citestream/style/style.hpp>

#include "print.hpp"

namespace citestream {

namespace {

void render_markdown(const citation_context& cite, std::string& out) {
  out += "\\[";
  const std::size_t start = out.size();
  out += '[';
  style_detail::append_number(cite.number, out);
  out += "](";
  if (cite.best != nullptr && append_link_destination(cite.best->url, out)) {
    out += ')';
  } else {
    out.resize(start);
    style_detail::append_number(cite.number, out);
  }
  out += "\\]";
}

}  // namespace

extern constinit const style markdown_style{.name = "markdown",
                                            .space = spacing::kept,
                                            .render = &render_markdown,
                                            .prints_references = true,
                                            .unresolved = "\\[?\\]"};

}  // namespace citestream
