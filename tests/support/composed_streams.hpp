/// \file
/// Random streams with everything that may surround text. Each event lists the bytes that must not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace citestream_tests {

/// One event as it was written: `fixed[0] token[0] fixed[1] token[1] …`, texts as JSON strings.
struct composed_event {
  std::vector<std::string> fixed;    ///< bytes that are not text, one more than tokens
  std::vector<std::string> tokens;   ///< the JSON strings as written, or `null`
  std::vector<std::size_t> choices;  ///< the choice of each token
  std::string raw() const;
};

struct composed_stream {
  std::vector<composed_event> events;
  std::vector<std::string> texts;  ///< by choice
  std::string raw() const;
};

/// The stream for a seed.
composed_stream compose(std::uint32_t seed);

}  // namespace citestream_tests
