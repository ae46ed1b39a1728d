#include "footnotes.hpp"

#include <citestream/rewrite/json.hpp>

#include <cstddef>
#include <vector>

#include "inert_markdown.hpp"

namespace citestream::tools {

namespace {

void append_mark(const marker_fields&, std::uint32_t number, std::string& out) {
  out += "[^" + std::to_string(number) + "]";
}

constexpr std::size_t max_title_bytes = 1024;

void append_snippet(std::string_view text, std::string& out) {
  const std::string_view first = snippet(text);
  const std::size_t begin = out.size();
  out += " — _";
  if (!append_inert_markdown(first, first.size(), out)) return out.resize(begin);  // `__` is no emphasis
  out += first.size() < text.size() ? "…_" : "_";
}

/// Titles and texts are those of documents and of the model: nobody knows what they hold.
void append_entry(const citation& cite, const citations& from, std::string& out) {
  append_mark({}, cite.number, out);
  out += ":";
  std::string title;
  if (append_inert_markdown(from.title(cite), max_title_bytes, title)) out += " **" + title + "**";
  if (!cite.references.empty()) {
    const reference& best = from.references()[cite.references.front()];
    if (best.page) out += " (p. " + std::to_string(*best.page) + ")";
    append_snippet(best.text, out);
  }
  out += '\n';
}

}  // namespace

constinit const style footnote_marks{"footnote", spacing::goes, &append_mark};

void append_footnote_list(const citations& from, std::string& out) {
  std::vector<bool> listed;
  for (const citation& cite : from.all()) {
    if (listed.size() <= cite.number) listed.resize(cite.number + std::size_t{1});
    if (listed[cite.number]) continue;
    listed[cite.number] = true;
    append_entry(cite, from, out);
  }
}

void append_footnotes(std::string_view list, std::string& text) {
  if (list.empty()) return;
  if (!text.empty()) text += text.back() == '\n' ? "\n" : "\n\n";
  text += list;
}

}  // namespace citestream::tools
