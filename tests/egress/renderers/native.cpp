// Renders documents separated by U+001E with cmark-gfm and md4c, each in two ways, and separates the results
// with U+001F.
#include <algorithm>
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <md4c-html.h>
#include <string>
#include <string_view>

namespace {

void with_cmark(std::string_view text, bool extended) {
  cmark_parser* parser = cmark_parser_new(CMARK_OPT_UNSAFE | (extended ? CMARK_OPT_FOOTNOTES : 0));
  for (const char* name : {"table", "autolink", "strikethrough", "tasklist"}) {
    if (extended) cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name));
  }
  cmark_parser_feed(parser, text.data(), text.size());
  cmark_node* document = cmark_parser_finish(parser);
  char* html = cmark_render_html(document, CMARK_OPT_UNSAFE, cmark_parser_get_syntax_extensions(parser));
  std::cout << html;
  std::free(html);  // NOLINT: cmark's allocator is malloc
  cmark_node_free(document);
  cmark_parser_free(parser);
}

void with_md4c(std::string_view text, unsigned flags) {
  const auto write = [](const MD_CHAR* part, MD_SIZE size, void* /*unused*/) { std::cout.write(part, size); };
  md_html(text.data(), static_cast<MD_SIZE>(text.size()), write, nullptr, flags, 0);
}

}  // namespace

int main() {
  cmark_gfm_core_extensions_ensure_registered();
  const std::string in{std::istreambuf_iterator<char>(std::cin), {}};
  const std::string_view all = in;
  for (std::size_t at = 0; at <= all.size();) {
    const std::string_view text = all.substr(at, std::min(all.find('\x1E', at), all.size()) - at);
    if (at > 0) std::cout << '\x1E';
    with_cmark(text, false);
    std::cout << '\x1F';
    with_cmark(text, true);
    std::cout << '\x1F';
    with_md4c(text, MD_DIALECT_COMMONMARK);
    std::cout << '\x1F';
    with_md4c(text, MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS | MD_FLAG_WIKILINKS);
    at += text.size() + 1;
  }
}
