/// \file
/// The texts of payloads.md and ordinary.md.
#pragma once

#include <string>
#include <vector>

namespace citestream_tests {

struct payload {
  std::string name;
  std::string text;
  std::string expected;  ///< with egress_mode::enforce and what the file allows
};

/// All payloads of payloads.md, in order.
[[nodiscard]] std::vector<payload> payloads();

/// The answers of ordinary.md.
[[nodiscard]] std::vector<payload> ordinary_answers();

}  // namespace citestream_tests
