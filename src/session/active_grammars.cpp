#include "active_grammars.hpp"

#include <algorithm>
#include <span>

#include "base/turn_key.hpp"
#include "rewrite/json.hpp"

namespace citestream {

bool cites_given(const session_options& options) noexcept {
  const auto keyed = [&](const reference& ref) {
    return turn_key::read(ref.cite) || (options.provenance && has_provenance_key(ref));
  };
  return !std::ranges::all_of(options.references, keyed);
}

std::vector<const grammar*> active_grammars(const session_options& options, const dialect* spec) {
  std::vector<const grammar*> out = options.grammars;
  const auto add = [&](const grammar* one) {
    if (std::ranges::find(out, one) == out.end()) out.push_back(one);
  };
  if (out.empty() && spec != nullptr) {
    out.assign(spec->grammars.begin(), spec->grammars.end());
    if (cites_given(options)) std::ranges::for_each(spec->markers.for_references, add);
  }
  if (out.empty()) out.push_back(&link_grammar);
  for (const grammar* one : grammars()) {
    if (options.provenance && one->keyed_by_request) add(one);
  }
  return out;
}

const style& style_for(const session_options& options, const dialect* spec) noexcept {
  if (options.style != nullptr) return *options.style;
  const style* const found = spec == nullptr ? nullptr : find_style(spec->markers.style);
  return found == nullptr ? strip_style : *found;
}

bool used_alike(const session_options& options, const dialect& a, const dialect& b) noexcept {
  if (&style_for(options, &a) != &style_for(options, &b)) return false;
  if (!options.grammars.empty()) return true;
  return std::ranges::equal(a.grammars, b.grammars) &&
         std::ranges::equal(a.markers.only_known, b.markers.only_known) &&
         (std::ranges::equal(a.markers.for_references, b.markers.for_references) || !cites_given(options));
}

}  // namespace citestream
