// A file of sources may contain references, retrieved documents or the columns of a ChromaDB query.
// take_all() selects the reader by the shape of the root. Each object is read both as a reference and as a
// document, and merged() combines the two: the reference supplies id, key, page and title, the document
// supplies text, collection and source. At the end, number_unnamed() numbers those whose name is not a
// number, and empty references are removed: they count as places only.
#include "known_references.hpp"

#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/decimal.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "dialect/sources.hpp"
#include "references_file.hpp"
#include "retrieved_documents.hpp"

namespace citestream::tools {

namespace {

/// Combines an entry that was read as a reference with the same entry read as a document. The `source` of a
/// web page is its URL if it has no other. The `source` of any other document is its title if it has none,
/// and its id, or a second name to cite it by if it already has an id.
reference merged(reference ref, const retrieved_document& from) {
  const bool web = from.is_web() || ref.type == source_type::web;
  if (!from.text.empty()) ref.text = from.text;
  ref.url = web && from.url.empty() ? from.source : from.url;
  if (web && ref.type == source_type::document) ref.type = source_type::web;
  if (web || from.source.empty() || from.source == from.url) return ref;
  if (ref.title.empty()) ref.title = from.source;
  if (ref.id.empty()) {
    ref.id = from.source;
  } else if (ref.cite.empty() && ref.id != from.source) {
    ref.cite = from.source;
  }
  return ref;
}

/// Returns true for a number as an answer cites it: `7`, not `007`. Markers have at most ten digits.
bool is_number(const std::string& name) {
  constexpr std::size_t max_digits = 10;
  const auto number = whole_number<std::uint64_t>(name);
  return number && name.size() <= max_digits && std::to_string(*number) == name;
}

/// The number that is a name of a reference, or an empty string.
std::string own_number(const reference& ref) {
  if (is_number(ref.cite)) return ref.cite;
  return is_number(ref.id) ? ref.id : std::string();
}

/// Collects the references of a file.
class reference_collector {
 public:
  void add(reference ref, retrieved_document about) {
    references_.push_back(merged(std::move(ref), about));
    documents_.push_back(std::move(about));
  }
  void add(reference ref) {
    references_.push_back(std::move(ref));
    documents_.emplace_back();
  }
  [[nodiscard]] std::int64_t next_number() const noexcept {
    return static_cast<std::int64_t>(references_.size()) + 1;
  }
  [[nodiscard]] known_references done() && {
    number_unnamed();
    std::erase_if(references_, is_empty);
    return {std::move(references_), list_sources(documents_).collections};
  }

 private:
  /// Gives references a number that is not the name of another one. A reference whose own name is a number
  /// keeps only that.
  void number_unnamed() {
    std::set<std::string_view> names;
    for (const reference& ref : references_) names.insert({ref.cite, ref.id});
    std::int64_t free = next_number();
    const auto is_name = [&](std::int64_t number) { return names.contains(std::to_string(number)); };
    for (std::size_t i = 0; i < references_.size(); ++i) {
      reference& ref = references_[i];
      if (!own_number(ref).empty() || is_empty(ref)) {
        ref.number.reset();
        continue;
      }
      if (!ref.number) ref.number = static_cast<std::int64_t>(i) + 1;
      if (!is_name(*ref.number)) continue;
      while (is_name(free)) ++free;
      ref.number = free++;
    }
  }

  std::vector<reference> references_;
  std::vector<retrieved_document> documents_;
};

/// Returns true if a list contains retrieved documents (see read_documents) rather than references. In such a
/// list, an entry that is not a document counts as an empty one.
bool lists_documents(json_value list) {
  const json_value first = list.first();
  return first["document"] || first["metadata"] || first["collection"];
}

void take_documents(json_value list, reference_collector& out) {
  for (const json_value& each : list) {
    if (each.is_object()) {
      out.add(read_source(each, out.next_number()), read_document(each));
    } else {
      reference none;
      if (each.is_string()) none = read_source(each, out.next_number());
      none.number = out.next_number();
      out.add(std::move(none));
    }
  }
}

/// Appends the values of a column, which is one list or one list for each query.
void flatten(json_value column, std::vector<json_value>& out) {
  for (const json_value& each : column) {
    each.is_array() ? flatten(each, out) : out.push_back(each);
  }
}

/// Reads the columns of a ChromaDB result. A column whose length differs from the number of documents is
/// ignored, because its values cannot be assigned to documents.
bool take_columns(json_value root, reference_collector& out) {
  std::vector<retrieved_document> documents;
  if (!read_documents(root, documents)) return false;
  std::vector<json_value> ids;
  std::vector<json_value> metadatas;
  flatten(root["ids"], ids);
  flatten(root["metadatas"], metadatas);
  ids.resize(ids.size() == documents.size() ? ids.size() : 0);
  metadatas.resize(metadatas.size() == documents.size() ? metadatas.size() : 0);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    reference ref;
    if (i < metadatas.size() && metadatas[i].is_object()) ref = read_source(metadatas[i], 0);
    if (i < ids.size() && ref.id.empty()) ref.id = ids[i].string();
    ref.number = out.next_number();
    out.add(std::move(ref), std::move(documents[i]));
  }
  return true;
}

bool take_references(json_value root, reference_collector& out) {
  std::vector<reference> found;
  std::vector<json_value> entries;
  if (!read_references(root, found, &entries)) return false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (entries[i].is_object()) {
      out.add(std::move(found[i]), read_document(entries[i]));
    } else {
      out.add(std::move(found[i]));
    }
  }
  return true;
}

bool take_all(json_value root, reference_collector& out) {
  const json_value documents = root["documents"];
  const json_value list = documents.is_array() ? documents : root;
  if (root["metadatas"] || (documents && !documents.first().is_object())) return take_columns(root, out);
  if (!documents && !(list.is_array() && lists_documents(list))) return take_references(root, out);
  take_documents(list, out);
  return true;
}

}  // namespace

std::string cited_number(const reference& ref) {
  const std::string own = own_number(ref);
  return own.empty() ? std::to_string(ref.number.value_or(0)) : own;
}

void add_known(const known_references& known, std::vector<reference>& of_request) {
  if (known.references.empty()) return;
  for (reference& one : of_request) one.number.reset();
  of_request.insert(of_request.begin(), known.references.begin(), known.references.end());
}

known_references parse_known_references(const std::string& name, std::string_view bytes) {
  document parsed;
  if (const status error = parsed.parse(bytes)) {
    throw command_error(name + ": " + message_with_place(error));
  }
  reference_collector found;
  if (!take_all(parsed.root(), found)) {
    throw command_error(name + ": not {\"files\":[…],\"web\":[…]} or a list of references or documents");
  }
  return std::move(found).done();
}

known_references load_known_references(const std::string& path) {
  return parse_known_references(path, read_whole_file(path));
}

}  // namespace citestream::tools
