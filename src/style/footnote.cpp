// `[^1]` in the text, and one line for each source at the end:
//   [^1]: **Financial_Report.pdf** (p. 15) — _first 200 characters…_
//   [^2]: [**A page on the web**](https://example.com/) — _…_
//   [^3]: **Ghost.pdf** — unresolved: source not found
// The page and the text are printed if they are known. The lines are footnotes in GFM, markdown-it-footnote,
// Pandoc and PHP Markdown Extra; in all of these a footnote ends where the next one begins. If the answer
// ends inside a code fence, the list is code too, because the answer itself is not changed.
#include <citestream/style/style.hpp>

#include "print.hpp"

namespace citestream {

namespace {

void append_mark(std::uint32_t number, std::string& out) {
  out += "[^";
  style_detail::append_number(number, out);
  out += ']';
}

void render_footnote(const citation_context& cite, std::string& out) {
  append_mark(cite.number, out);
}

/// Appends ` **title**`, or ` [**title**](https://…)` if the source has a web URL.
void append_footnote_title(std::string_view label, std::string_view identifier, const reference* best,
                           std::string& out) {
  const std::size_t start = out.size();
  out += " **";
  if (!style_detail::append_title(label, identifier, best, inert_place::inside_line, out)) {
    return out.resize(start);  // `****` is not emphasis
  }
  out += "**";
  const std::size_t end = out.size();
  out += "](";
  if (best == nullptr || !append_link_destination(best->url, out)) return out.resize(end);
  out += ')';
  out.insert(start + 1, 1, '[');
}

void append_snippet(std::string_view text, std::string& out) {
  const std::string_view first = snippet(text);
  const std::size_t start = out.size();
  out += " — _";
  if (!append_inert_markdown(first, first.size(), out)) return out.resize(start);  // `__` is not emphasis
  out += first.size() < text.size() ? "…_" : "_";
}

void append_entry(const citations& from, std::size_t index, std::string& out) {
  const citation& cite = from.all()[index];
  const reference* best = from.best(index);
  append_mark(cite.number, out);
  out += ':';
  append_footnote_title(from.label(index), cite.identifier, best, out);
  if (best != nullptr) {
    if (best->page) {
      out += " (p. ";
      style_detail::append_number(*best->page, out);
      out += ')';
    }
    append_snippet(best->text, out);
  } else if (cite.status == citation_status::unresolved) {
    out += " — unresolved: source not found";
  }
  out += '\n';
}

void list(const citations& from, std::size_t max_bytes, std::string& out) {
  const std::size_t start = out.size();
  std::size_t left = from.sources().size();
  for (const std::uint32_t index : from.sources()) {
    if (out.size() - start >= max_bytes) break;
    append_entry(from, index, out);
    --left;
  }
  if (left == 0) return;
  out += '\n';
  style_detail::append_number(static_cast<std::int64_t>(left), out);
  out += left == 1 ? " further source is not listed.\n" : " further sources are not listed.\n";
}

}  // namespace

constinit const style footnote_style{
    .name = "footnote", .space = spacing::trimmed, .render = &render_footnote, .list = &list};

}  // namespace citestream
