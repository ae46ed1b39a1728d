/// \file
/// Finds the source that a tool result names.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <string_view>

namespace citestream::provenance {

/// Reads one tool result after the other and reuses its buffers.
class source_reader {
 public:
  explicit source_reader(std::size_t max_json_depth) : parsed_(max_json_depth) {}

  /// Sets the empty fields of \p source that \p result names, if it is a JSON object. \return true if the
  /// result declares itself to be the output of an agent
  bool read_result(std::string_view result, reference& source);
  /// Sets path and URL from the JSON arguments of the call, if the result named neither.
  void read_arguments(std::string_view arguments, reference& source);

 private:
  [[nodiscard]] json_value parse(std::string_view text);
  document parsed_;
};

/// Sets the type, and the title if nothing named one. The other fields of \p source are already set.
void complete(reference& source, bool agent);

}  // namespace citestream::provenance
