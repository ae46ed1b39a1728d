/// \file
/// A whole recording as an `.ndjson` file.
#pragma once

#include <string>

#include "replay/recording.hpp"

namespace citestream_tests {

/// parse_recording() restores everything but the name from the result.
inline std::string to_ndjson(const citestream::recording& from) {
  std::string out = citestream::ndjson_header(from.content_type());
  for (const citestream::recording_piece& piece : from.pieces()) out += citestream::ndjson_line(piece);
  return out;
}

}  // namespace citestream_tests
