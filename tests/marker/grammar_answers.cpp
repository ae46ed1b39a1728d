#include <citestream/session/answer.hpp>

#include "marker/grammar_runs.hpp"

namespace citestream_tests {
namespace {

using citestream::answer;

void render_mark(const citestream::citation_context& marker, std::string& out) {
  out += marker.label.empty() ? '\x01' : '\x02';
  out += marker.label;
}
const citestream::style marks{"marks", citestream::spacing::kept, &render_mark};

/// The claim of a record if its marker contains text that is kept.
std::string claim_of(const citestream::citation& c, const std::string& text) {
  const bool tag = c.marker.starts_with("<co>") || c.marker.starts_with("<co:");
  if (!tag || c.marker.find('>') + 1 == c.marker.rfind("</")) return "";
  return text.substr(c.claim_start.utf8, c.claim_end.utf8 - c.claim_start.utf8);
}

}  // namespace

citestream::session_options grammar_run_options(const grammar_list& on, printing how) {
  citestream::session_options out;
  out.grammars = on;
  out.style = how == printing::strip     ? &citestream::strip_style
              : how == printing::numeric ? &citestream::numeric_style
                                         : &marks;
  return out;
}

grammar_output run_grammars(answer& a, const std::vector<std::string_view>& deltas) {
  grammar_output out;
  a.reset();
  for (const std::string_view delta : deltas) a.push(delta, out.text);
  a.finish(out.text);
  for (const citestream::citation& c : a.cites().all()) {
    out.records.push_back({c.number, c.identifier, c.label, c.marker, static_cast<std::size_t>(c.start.utf8),
                           static_cast<std::size_t>(c.end.utf8), claim_of(c, out.text)});
  }
  return out;
}

std::vector<std::string_view> single_bytes(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < text.size(); ++i) out.push_back(text.substr(i, 1));
  return out;
}

}  // namespace citestream_tests
