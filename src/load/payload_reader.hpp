/// \file
/// Reads one JSON payload of an answer of any supported provider.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream::load {

/// One choice of a payload.
struct payload_choice {
  std::uint64_t index{};
  std::string text;
  bool finished{};
};

/// One payload.
struct payload {
  std::vector<payload_choice> choices;
  std::string_view dialect;  ///< set only if it is certain and its markers are not links
  bool error{};              ///< has a member `error` that is not null
};

/// Reads \p text. \return an empty string, or why it is not valid JSON (RFC 8259)
[[nodiscard]] std::string read_payload(std::string_view text, payload& out);

}  // namespace citestream::load
