/// \file
/// Runs texts through the egress stage.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "egress/egress_stage.hpp"

namespace citestream_tests {

/// A stage with the allowlist of payloads.md.
inline citestream::egress_stage stage(citestream::egress_mode mode = citestream::egress_mode::enforce,
                                      citestream::egress_code code = citestream::egress_code::inert) {
  citestream::egress_stage out(mode, code, {*citestream::compile_egress_pattern("https://*.good.example")},
                               {});
  citestream::reference ref;
  ref.url = "https://ref.example/page?a=1";
  out.allow(ref);
  return out;
}

/// The output of a stage for a text in pieces.
inline std::string staged(citestream::egress_stage& by, const std::vector<std::string_view>& pieces) {
  std::string out;
  citestream::text_edits edits;
  for (const std::string_view piece : pieces) by.feed(piece, out, edits);
  by.finish(out, edits);
  return out;
}

/// The output of a stage in mode `enforce`.
inline std::string staged(std::string_view text) {
  citestream::egress_stage by = stage();
  return staged(by, {text});
}

}  // namespace citestream_tests
