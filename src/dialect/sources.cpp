// How sources are read.
//
// Servers use many names for the same thing. The tables below have those of each member in the order in which
// they are tried; value_of() tries them in the object, and then in the objects in it that describe it.
// source_list() takes the first list with a source. source_list_of_answer() adds checks, because other
// protocols have lists of these names too and must not be taken for RAG servers.
#include "dialect/sources.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/decimal.hpp"
#include "base/web_url.hpp"

namespace citestream {

namespace {

/// A longer text, or one of several lines, is not used as a title.
constexpr std::size_t max_title_bytes = 80;

using name_list = std::span<const std::string_view>;

constexpr std::string_view title_names[] = {"title",         "name",     "filename", "file_name",
                                            "document_name", "filepath", "file_path"};
constexpr std::string_view text_names[] = {"text",        "content", "snippet", "page_content",
                                           "description", "body",    "chunk"};
constexpr std::string_view url_names[] = {"url", "uri", "link", "href", "source"};
constexpr std::string_view page_names[] = {"page_label", "page_number", "page"};
constexpr std::string_view id_names[] = {"id",      "id_",    "doc_id",   "document_id",
                                         "file_id", "fileId", "chunk_id", "node_id"};
constexpr std::string_view file_id_names[] = {"file_id", "fileId"};
constexpr std::string_view cite_names[] = {"cite", "key"};
constexpr std::string_view key_names[] = {"key", "cite"};
constexpr std::string_view number_names[] = {"index", "number"};
constexpr std::string_view source_name[] = {"source"};
constexpr std::string_view score_name[] = {"score"};

/// The value of the first of \p keys in \p object, or else in the objects that describe it, that is a text
/// or, if \p numbers, a number.
json_value value_of(json_value object, name_list keys, bool numbers = true) noexcept {
  const json_value node = object["node"];
  for (const json_value& where :
       {object, object["metadata"], object["meta"], node, node["metadata"], node["meta"]}) {
    for (const std::string_view key : keys) {
      const json_value value = where[key];
      if (!value.string().empty() || (numbers && value.kind() == json_kind::number)) return value;
    }
  }
  return {};
}

/// The same, a text alone.
std::string_view string_of(json_value object, name_list keys) noexcept {
  return value_of(object, keys, false).string();
}

/// A text. Numbers are copied as they are written.
std::string text_of(json_value value) {
  return std::string(value.kind() == json_kind::number ? value.raw() : value.string());
}

std::optional<double> decimal_of(json_value value) noexcept {
  if (!value.is_string()) return value.number();
  const std::string_view text = value.string();
  // Excludes `inf` and `nan`.
  if (text.find_first_not_of("0123456789.-+eE") != std::string_view::npos) return std::nullopt;
  double number{};
  if (read_decimal(text, number) != std::errc{}) return std::nullopt;
  return number;
}

std::optional<std::int64_t> integer_of(json_value value) noexcept {
  return value.is_string() ? whole_number<std::int64_t>(value.string()) : value.integer();
}

/// The texts in a list of texts, or of lists of texts, one line each.
std::string texts_of(json_value list) {
  std::string all;
  for (const json_value& entry : list.elements()) {
    const std::string text = entry.is_array() ? texts_of(entry) : std::string(entry.string());
    if (!all.empty() && !text.empty()) all += '\n';
    all += text;
  }
  return all;
}

source_type type_of(json_value object, std::string_view url) noexcept {
  for (const source_type type :
       {source_type::file, source_type::web, source_type::document, source_type::agent}) {
    if (name(type) == object["type"].string()) return type;
  }
  if (value_of(object, file_id_names)) return source_type::file;
  return is_web_url(url) ? source_type::web : source_type::document;
}

reference read_text(std::string_view text) {
  reference ref;
  if (is_web_url(text)) {
    ref.type = source_type::web;
    ref.url = text;
    return ref;
  }
  ref.type = source_type::document;
  ref.text = text;
  if (text.size() <= max_title_bytes && text.find_first_of("\r\n") == std::string_view::npos)
    ref.title = text;
  return ref;
}

/// A page from 1. Loaders of PDF files also have a `page` that counts from 0.
std::optional<std::int64_t> page_of(json_value object) noexcept {
  for (const std::string_view& name : page_names) {
    const auto page = integer_of(value_of(object, {&name, 1}));
    if (page && *page > 0) return page;
  }
  return std::nullopt;
}

reference read_source_object(json_value found) {
  reference ref;
  ref.id = text_of(value_of(found, id_names));
  ref.cite = text_of(value_of(found, cite_names));
  if (ref.id.empty()) {  // the only name that it has
    ref.id = text_of(value_of(found, key_names));
    if (ref.cite == ref.id) ref.cite.clear();
  }
  ref.title = text_of(value_of(found, title_names));
  ref.url = string_of(found, url_names);
  ref.text = string_of(found, text_names);
  if (ref.text.empty()) ref.text = texts_of(found["snippets"]);
  ref.score = decimal_of(value_of(found, score_name));
  ref.page = page_of(found);
  ref.type = type_of(found, ref.url);
  for (const std::string_view other : {string_of(found, source_name), std::string_view(ref.url)}) {
    if (ref.title.empty() && !is_web_url(other)) ref.title = other;
  }
  return ref;
}

/// Gives the sources of \p list the numbers in its member \p name, if all of them have one from 1 and no two
/// have the same. Lists that count from 0 are numbered by place.
bool use_numbers(json_value list, std::string_view name, std::span<reference> sources) {
  std::vector<std::int64_t> own;
  for (const json_value& entry : list) {
    if (!is_source(entry)) continue;
    const auto number = integer_of(entry[name]);
    if (!number || *number < 1) return false;
    own.push_back(*number);
  }
  std::vector<std::int64_t> sorted = own;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) return false;
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i].number = own[i];
  return true;
}

/// Returns true if nothing in an object without choices suggests another protocol.
bool is_plain_object(json_value root) noexcept {
  for (const std::string_view key : {"choices", "event_type", "event", "answer", "data"}) {
    if (root[key] && !root[key].is_null()) return false;
  }
  const json_value type = root["type"];
  return !type || type.is_null() ||
         std::ranges::find(source_list_names, type.string()) != std::end(source_list_names);
}

}  // namespace

bool is_source(json_value entry) noexcept {
  if (entry.is_string()) return !entry.string().empty();
  if (!entry.is_object()) return false;
  if (value_of(entry, title_names) || !string_of(entry, url_names).empty()) return true;
  const bool place = entry["start"].integer() && entry["end"].integer();  // in the answer
  return !place && (!string_of(entry, text_names).empty() || !entry["snippets"].empty());
}

reference read_source(json_value entry, std::int64_t number) {
  reference ref = entry.is_string() ? read_text(entry.string()) : read_source_object(entry);
  ref.number = number;
  return ref;
}

std::vector<reference> read_sources(json_value list) {
  std::vector<reference> found;
  std::int64_t place = 0;
  for (json_value entry = list.first(); entry && found.size() < max_sources; entry = entry.next()) {
    ++place;
    if (is_source(entry)) found.push_back(read_source(entry, place));
  }
  for (const std::string_view name : number_names) {
    if (use_numbers(list, name, found)) break;
  }
  return found;
}

json_value first_source(json_value list) noexcept {
  json_value entry = list.first_element();
  while (entry && !is_source(entry)) entry = entry.next();
  return entry;
}

namespace {

/// Returns true if texts alone make a list of sources: `"sources":["a.pdf"]`, but `"context":["a"]` only next
/// to an answer.
bool may_have_texts(json_value root, std::string_view list) noexcept {
  return std::ranges::find(answer_list_names, list) != answer_list_names.end() || root["answer"].is_string();
}

json_value list_in(json_value root, name_list all) noexcept {
  json_value of_strings;
  for (const std::string_view name : all) {
    const json_value holder = root[name];
    if (!holder) continue;
    const json_value list = holder.is_object() ? holder["results"] : holder;
    const json_value first = first_source(list);
    if (first.is_object()) return list;
    if (first && !of_strings && may_have_texts(root, name)) of_strings = list;
  }
  return of_strings;
}

}  // namespace

json_value source_list(json_value root) noexcept {
  return list_in(root, source_list_names);
}

json_value source_list_of_answer(json_value root, payload_kind kind) noexcept {
  if (root["choices"].is_array()) return list_in(root, answer_list_names);
  const bool alone = !root.first().next();
  const json_value list = list_in(root, alone ? name_list(source_list_names) : answer_list_names);
  const bool objects = first_source(list).is_object() || root["type"].is_string();
  const bool brings = kind == payload_kind::event && objects && is_plain_object(root);
  return brings ? list : json_value{};
}

}  // namespace citestream
