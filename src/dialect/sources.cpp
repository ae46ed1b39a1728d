// How sources are read.
//
// Servers use many names for the same thing. value_of() tries the names of one member in a fixed order, in
// the object and then in its `metadata`. first_source() takes the first list that starts with a source.
// first_source_of_answer() adds checks, because other protocols have lists of these names too and must not be
// taken for RAG servers.
#include "dialect/sources.hpp"

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/decimal.hpp"
#include "base/web_url.hpp"

namespace citestream {

namespace {

/// A longer text, or one of several lines, is not used as a title.
constexpr std::size_t max_title_bytes = 80;

using names = std::initializer_list<std::string_view>;

/// The value of the first of \p keys in \p object, or else in its `metadata`, that is a text or a number.
json_value value_of(json_value object, names keys) noexcept {
  for (const json_value where : {object, object["metadata"]}) {
    for (const std::string_view key : keys) {
      const json_value value = where[key];
      if (value.kind() == json_kind::number || !value.string().empty()) return value;
    }
  }
  return {};
}

/// A text. Numbers are copied as they are written.
std::string text_of(json_value value) {
  return std::string(value.kind() == json_kind::number ? value.raw() : value.string());
}

/// Reads a text that is a whole number.
std::optional<std::int64_t> integer_in(std::string_view text) noexcept {
  std::int64_t number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
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
  return value.is_string() ? integer_in(value.string()) : value.integer();
}

/// The texts in a list of texts, or of lists of texts, one line each.
std::string texts_of(json_value list) {
  std::string all;
  for (json_value entry = list.is_array() ? list.first() : json_value(); entry; entry = entry.next()) {
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
  if (value_of(object, {"file_id", "fileId"})) return source_type::file;
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

reference read_object(json_value found) {
  reference ref;
  ref.id = text_of(value_of(found, {"id", "doc_id", "document_id", "file_id", "fileId", "chunk_id"}));
  ref.cite = text_of(value_of(found, {"cite", "key"}));
  if (ref.id.empty()) {  // the only name that it has
    ref.id = text_of(value_of(found, {"key", "cite"}));
    if (ref.cite == ref.id) ref.cite.clear();
  }
  ref.title = text_of(value_of(found, {"title", "name", "filename", "document_name", "filepath"}));
  ref.url = value_of(found, {"url", "source", "uri"}).string();
  ref.text = value_of(found, {"text", "content", "snippet", "page_content", "description"}).string();
  if (ref.text.empty()) ref.text = texts_of(found["snippets"]);
  ref.score = decimal_of(value_of(found, {"score"}));
  ref.page = integer_of(value_of(found, {"page", "page_number"}));
  ref.type = type_of(found, ref.url);
  if (ref.title.empty() && !is_web_url(ref.url)) ref.title = ref.url;
  return ref;
}

/// Returns true if nothing in an object without choices suggests another protocol.
bool is_plain_object(json_value root) noexcept {
  for (const std::string_view key :
       {"choices", "type", "event_type", "event", "answer", "question", "data"}) {
    if (root[key]) return false;
  }
  return true;
}

}  // namespace

bool is_source(json_value entry) noexcept {
  if (entry.is_string()) return !entry.string().empty();
  return entry.is_object() &&
         (value_of(entry, {"title", "name", "filename", "document_name", "filepath", "url", "source", "uri",
                           "text", "content", "snippet", "page_content", "description"}) ||
          !entry["snippets"].empty());
}

reference read_source(json_value entry, std::int64_t number) {
  reference ref = entry.is_string() ? read_text(entry.string()) : read_object(entry);
  ref.number = number;
  return ref;
}

json_value first_source(json_value root) noexcept {
  for (const std::string_view name : {"references", "citations", "sources"}) {
    const json_value holder = root[name];
    const json_value list = holder.is_object() ? holder["results"] : holder;
    const json_value first = list.is_array() ? list.first() : json_value();
    if (is_source(first)) return first;
  }
  return {};
}

json_value first_source_of_answer(json_value root, payload_kind kind) noexcept {
  const json_value first = first_source(root);
  if (root["choices"].is_array()) return first;
  return first.is_object() && kind == payload_kind::event && is_plain_object(root) ? first : json_value{};
}

}  // namespace citestream
