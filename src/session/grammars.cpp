#include "grammars.hpp"

#include <algorithm>

namespace citestream {

bool cites_given(const session_options& options) noexcept {
  return !options.references.empty() && !options.provenance;
}

void append_grammars(const dialect& spoken, bool given, std::vector<const grammar*>& out) {
  out.insert(out.end(), spoken.grammars.begin(), spoken.grammars.end());
  if (given && spoken.general) {
    out.insert(out.end(), rag_dialect.grammars.begin(), rag_dialect.grammars.end());
  }
}

bool same_grammars(const dialect& a, const dialect& b, bool given) noexcept {
  return std::ranges::equal(a.grammars, b.grammars) && (!given || a.general == b.general);
}

}  // namespace citestream
