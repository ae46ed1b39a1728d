/// \file
/// Reads one JSON payload of a chat completion.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream::load {

/// What one choice of a payload brings.
struct payload_choice {
  std::uint64_t index{};
  std::string text;
  bool finished{};
};

/// What one payload brings.
struct payload {
  std::vector<payload_choice> choices;
  std::string_view dialect;  ///< the dialect that the payload is surely of, if its markers are not links
  bool error{};              ///< it is an error object
};

/// Reads \p text. Returns an empty string, or why it is not valid JSON (RFC 8259).
[[nodiscard]] std::string read_payload(std::string_view text, payload& out);

}  // namespace citestream::load
