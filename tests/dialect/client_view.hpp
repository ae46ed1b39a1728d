/// \file
/// What clients make of streams, for the tests of several dialects.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/parsed_json.hpp"

namespace citestream_tests {

/// A stream whose texts are in blocks with numbers.
struct block_view {
  std::map<std::int64_t, std::string> texts;  ///< by block
  std::vector<std::string> types;             ///< of the events
  std::string records;
};

/// The `path` of each citation in \p records.
inline std::vector<std::string> record_paths(std::string_view records) {
  const citestream::document doc = parsed(records);
  std::vector<std::string> out;
  for (citestream::json_value one = doc.root()["citations"].first(); one; one = one.next())
    out.emplace_back(one["path"].raw());
  return out;
}

}  // namespace citestream_tests
