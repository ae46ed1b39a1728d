#include "references_file.hpp"

#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "byte_input.hpp"
#include "commands.hpp"

namespace citestream::tools {

namespace {

/// The first of \p keys that holds text.
std::string text_at(json_value object, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const std::string_view text = object[key].string(); !text.empty()) return std::string(text);
  }
  return {};
}

std::optional<source_type> type_named(std::string_view text) noexcept {
  for (const source_type type :
       {source_type::file, source_type::web, source_type::document, source_type::agent}) {
    if (name(type) == text) return type;
  }
  return std::nullopt;
}

/// Where the type is not said, a file id makes a file and an address alone a page on the web.
source_type type_of(json_value object) noexcept {
  if (const auto named = type_named(object["type"].string())) return *named;
  if (object["file_id"] || object["fileId"]) return source_type::file;
  return object["url"].is_string() ? source_type::web : source_type::document;
}

reference reference_from(json_value object, source_type type) {
  reference ref;
  ref.type = type;
  ref.id = text_at(object, {"id", "file_id", "fileId", "chunk_id"});
  ref.cite = text_at(object, {"cite"});
  ref.title = text_at(object, {"title", "name", "filename", "filepath"});
  ref.url = text_at(object, {"url"});
  ref.text = text_at(object, {"text", "snippet", "content"});
  ref.score = object["score"].number();
  ref.page = object["page"].integer();
  return ref;
}

bool read_list(json_value list, std::optional<source_type> type, std::vector<reference>& out) {
  std::int64_t number = 0;
  for (json_value entry = list.first(); entry; entry = entry.next()) {
    if (!entry.is_object() && !entry.is_string()) return false;
    reference ref;
    if (entry.is_string()) {
      ref.type = source_type::web;
      ref.url = entry.string();
    } else {
      ref = reference_from(entry, type ? *type : type_of(entry));
    }
    ref.number = ++number;
    out.push_back(std::move(ref));
  }
  return true;
}

}  // namespace

bool read_references(json_value value, std::vector<reference>& out) {
  if (value.is_object() && value["references"]) value = value["references"];
  if (value.is_array()) return read_list(value, std::nullopt, out);
  const json_value files = value["files"];
  const json_value web = value["web"];
  if (!files && !web) return false;
  for (const json_value list : {files, web}) {
    if (list && !list.is_array() && !list.is_null()) return false;
  }
  return read_list(files, source_type::file, out) && read_list(web, source_type::web, out);
}

std::vector<reference> load_references(const std::string& path) {
  const std::string bytes = read_whole_file(path);
  document parsed;
  if (const status error = parsed.parse(bytes)) {
    throw failure(path + ": " + std::string(message(error.code)) + " at byte " +
                  std::to_string(error.offset));
  }
  std::vector<reference> out;
  if (!read_references(parsed.root(), out)) {
    throw failure(path + ": neither {\"files\":[…],\"web\":[…]} nor a list of references");
  }
  return out;
}

}  // namespace citestream::tools
