/// \file
/// Streams for tests of egress.
#pragma once

#include <citestream/session/options.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace citestream_tests {

/// Options with the allowlist of payloads.md.
inline citestream::session_options guarding(citestream::egress_mode mode,
                                            const citestream::style& how = citestream::keep_style) {
  citestream::session_options options;
  options.style = &how;
  options.egress = mode;
  options.egress_allowed = {*citestream::compile_egress_pattern("https://*.good.example")};
  citestream::reference known;
  known.url = "https://ref.example/page?a=1";
  options.references = {known};
  return options;
}

/// Returns true if a character begins at \p at. JSON can contain only whole characters.
inline bool is_start(std::string_view text, std::size_t at) {
  return at >= text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
}

}  // namespace citestream_tests
