/// \file
/// Decodes chunked bodies.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "http/body_decoder.hpp"

namespace citestream_tests {

/// The result of decoding a chunked body.
struct decoded_body {
  std::string body;
  std::size_t used{};
  bool done{};
  bool malformed{};
  friend bool operator==(const decoded_body&, const decoded_body&) = default;
};

/// Feeds the pieces one by one and stops at the first byte that is not consumed.
inline decoded_body decode_chunked(const std::vector<std::string_view>& pieces) {
  citestream::http::chunked_decoder decoder;
  decoded_body out;
  for (const std::string_view piece : pieces) {
    const std::size_t used = decoder.feed(piece, out.body);
    out.used += used;
    if (used < piece.size()) break;
  }
  out.done = decoder.done();
  out.malformed = decoder.malformed();
  return out;
}

}  // namespace citestream_tests
