#include "references_file.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/decimal.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "dialect/sources.hpp"

namespace citestream::tools {

namespace {

/// Receives references and the JSON values from which they were read.
struct reference_output {
  std::vector<reference>& references;
  std::vector<json_value>* entries{};  ///< may be null
};

[[nodiscard]] std::int64_t next_number(const reference_output& out) noexcept {
  return static_cast<std::int64_t>(out.references.size()) + 1;
}

/// Adds the reference in \p entry. \return false if \p entry is neither an object nor a string
bool read_entry(json_value entry, std::optional<source_type> type, std::int64_t number,
                const reference_output& out) {
  if (!entry.is_object() && !entry.is_string()) return false;
  out.references.push_back(read_source(entry, number));
  if (type && entry.is_object()) out.references.back().type = *type;
  if (out.entries != nullptr) out.entries->push_back(entry);
  return true;
}

/// Reads a list whose entries are numbered by their place after those that \p out has.
bool read_list(json_value list, std::optional<source_type> type, const reference_output& out) {
  for (const json_value& entry : list) {
    if (!read_entry(entry, type, next_number(out), out)) return false;
  }
  return true;
}

/// Reads an object whose keys are the names that markers use: `{"0":{…},"1":{…}}`. An entry that has its own
/// id keeps it, and the key becomes its `cite`. Keys that are not numbers count by their places.
bool read_keyed(json_value value, const reference_output& out) {
  for (const json_value& entry : value) {
    if (!entry.is_object() || !is_source(entry) || !read_entry(entry, std::nullopt, next_number(out), out))
      return false;
    reference& ref = out.references.back();
    if (whole_number<std::uint64_t>(entry.key())) ref.number.reset();
    (ref.id.empty() ? ref.id : ref.cite) = entry.key();
    if (ref.cite == ref.id) ref.cite.clear();
  }
  return value.is_object() && !value.empty();
}

/// Returns the value that contains the references: \p value itself or one of its members.
json_value holder_of(json_value value) noexcept {
  if (!value.is_object()) return value;
  for (const std::string_view key : {"references", "citations", "sources"}) {
    const json_value inner = value[key];
    if (inner.is_array() || inner.is_object()) return inner["results"].is_array() ? inner["results"] : inner;
  }
  return value;
}

}  // namespace

bool read_references(json_value value, std::vector<reference>& out, std::vector<json_value>* entries) {
  const reference_output to{out, entries};
  value = holder_of(value);
  if (value.is_array()) return read_list(value, std::nullopt, to);
  const json_value files = value["files"];
  const json_value web = value["web"];
  if (!files && !web) return read_keyed(value, to);
  for (const json_value& list : {files, web}) {
    if (list && !list.is_array() && !list.is_null()) return false;
  }
  return read_list(files, source_type::file, to) && read_list(web, source_type::web, to);
}

bool is_empty(const reference& ref) noexcept {
  return ref.title.empty() && ref.text.empty() && ref.url.empty() && ref.id.empty() && ref.cite.empty();
}

}  // namespace citestream::tools
