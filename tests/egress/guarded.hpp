/// \file
/// Texts through the egress guard.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "egress/guard.hpp"

namespace citestream_tests {

/// A guard that allows what payloads.md says.
inline citestream::egress_guard guard(citestream::egress_mode mode = citestream::egress_mode::enforce,
                                      citestream::limits bounds = {}) {
  citestream::egress_guard out(mode, {*citestream::compile_egress_pattern("https://*.good.example")}, bounds);
  citestream::reference ref;
  ref.url = "https://ref.example/page?a=1";
  out.know(ref);
  return out;
}

inline std::string guarded(citestream::egress_guard& by, const std::vector<std::string_view>& pieces) {
  std::string out;
  for (const std::string_view piece : pieces) by.feed(piece, out);
  by.finish(out);
  return out;
}

inline std::string guarded(std::string_view text) {
  citestream::egress_guard by = guard();
  return guarded(by, {text});
}

}  // namespace citestream_tests
