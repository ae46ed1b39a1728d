// What a tool result says about where it comes from.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <string_view>

namespace citestream::provenance {

// Reads tool results one after the other; the buffers are reused.
class source_reader {
 public:
  explicit source_reader(std::size_t max_json_depth) : parsed_(max_json_depth) {}

  // Whether `result` is JSON that says it is another agent's output. Reads it.
  bool read_result(std::string_view result, reference& source);
  // Fills in what the result left open from the call's arguments, which are JSON.
  void read_arguments(std::string_view arguments, reference& source);

 private:
  [[nodiscard]] json_value parse(std::string_view text);
  document parsed_;
};

// Sets the type and, where nothing named it, the title. `tool`, `file_path` and `url` are known.
void complete(reference& source, bool agent);

}  // namespace citestream::provenance
