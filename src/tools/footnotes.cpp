#include "footnotes.hpp"

#include <citestream/rewrite/json.hpp>

#include <vector>

namespace citestream::tools {

namespace {

void append_mark(const marker_fields&, std::uint32_t number, std::string& out) {
  out += "[^" + std::to_string(number) + "]";
}

/// On one line: a line break would end the footnote.
void append_on_one_line(std::string_view text, std::string& out) {
  bool blank = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space) out += c;
    if (space && !blank) out += ' ';
    blank = space;
  }
}

void append_entry(const citation& cite, const citations& from, std::string& out) {
  append_mark({}, cite.number, out);
  out += ": **";
  append_on_one_line(from.title(cite), out);
  out += "**";
  if (!cite.references.empty()) {
    const reference& best = from.references()[cite.references.front()];
    if (best.page) out += " (p. " + std::to_string(*best.page) + ")";
    if (const std::string_view first = snippet(best.text); !first.empty()) {
      out += " — _";
      append_on_one_line(first, out);
      out += first.size() < best.text.size() ? "…_" : "_";
    }
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
