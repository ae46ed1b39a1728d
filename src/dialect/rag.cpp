/// \file
/// Plain RAG servers: OpenAI's form, with what was found at the top level of some event or of the body, in a
/// list of objects or names called `references`, `citations` or `sources` (or in its member `results`).
///
/// Of each object are read, the first that is there of: `title` `name` `filename` `document_name` · `text`
/// `content` `snippet` `page_content` · `url` `source` `uri` · `page` `page_number` · `id` `doc_id`
/// `document_id` `key` `cite` · `score`; what the object lacks is looked for in its `metadata`. Its place,
/// from 1, is its number.
#include <citestream/dialect/dialect.hpp>

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "dialect/chat.hpp"

namespace citestream {

namespace {

constexpr std::string_view list_names[] = {"references", "citations", "sources"};

using names = std::initializer_list<std::string_view>;

/// The first of \p keys in \p object, or else in its `metadata`, that is a text or a number.
json_value value_of(json_value object, names keys) noexcept {
  for (const json_value where : {object, object["metadata"]}) {
    for (const std::string_view key : keys) {
      const json_value value = where[key];
      if (value.kind() == json_kind::number || !value.string().empty()) return value;
    }
  }
  return {};
}

/// A text; numbers are taken as they are written.
std::string text_of(json_value value) {
  return std::string(value.kind() == json_kind::number ? value.raw() : value.string());
}

bool is_web(std::string_view url) noexcept {
  return url.starts_with("https://") || url.starts_with("http://");
}

reference read_source(json_value found) {
  reference ref;
  if (found.is_string()) {
    const bool web = is_web(found.string());
    ref.type = web ? source_type::web : source_type::document;
    (web ? ref.url : ref.title) = found.string();
    return ref;
  }
  ref.id = text_of(value_of(found, {"id", "doc_id", "document_id", "key", "cite"}));
  ref.cite = text_of(value_of(found, {"cite", "key"}));
  ref.title = text_of(value_of(found, {"title", "name", "filename", "document_name"}));
  ref.url = value_of(found, {"url", "source", "uri"}).string();
  ref.text = value_of(found, {"text", "content", "snippet", "page_content"}).string();
  ref.score = value_of(found, {"score"}).number();
  ref.page = value_of(found, {"page", "page_number"}).integer();
  ref.type = is_web(ref.url) ? source_type::web : source_type::document;
  if (ref.cite == ref.id) ref.cite.clear();
  return ref;
}

/// The first entry of the list in \p holder: the list itself, or an object around it.
json_value entries_of(json_value holder) noexcept {
  const json_value list = holder.is_object() ? holder["results"] : holder;
  return list.is_array() ? list.first() : json_value();
}

bool is_source(json_value entry) noexcept {
  if (entry.is_string()) return !entry.string().empty();
  return entry.is_object() && value_of(entry, {"title", "name", "filename", "document_name", "url", "source",
                                               "uri", "text", "content", "snippet", "page_content"});
}

/// The first entry of the first list that starts with a source.
json_value sources_of(json_value root) noexcept {
  for (const std::string_view name : list_names) {
    const json_value first = entries_of(root[name]);
    if (is_source(first)) return first;
  }
  return {};
}

/// Whether what has no choices is an event before the answer, not one of another provider's.
bool stands_alone(json_value root) noexcept {
  for (const std::string_view key :
       {"choices", "type", "event_type", "event", "answer", "question", "data"}) {
    if (root[key]) return false;
  }
  return true;
}

/// Whether a list is there that later events may fill.
bool has_empty_list(json_value root) noexcept {
  for (const std::string_view name : list_names) {
    const json_value list = root[name];
    if (list.is_array() ? list.empty() : list["results"].is_array()) return true;
  }
  return false;
}

bool recognise(json_value root, payload_kind kind) {
  const json_value first = sources_of(root);
  if (root["choices"].is_array()) return first || (chat::is_chat_object(root) && has_empty_list(root));
  return first.is_object() && kind == payload_kind::event && stands_alone(root);
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  json_value entry = sources_of(root);
  if (!chat::read_payload(root, kind, &chat::read_annotations, out, static_cast<bool>(entry))) return false;
  for (std::int64_t number = 1; entry; entry = entry.next(), ++number) {
    if (!is_source(entry)) continue;  // its place counts
    reference ref = read_source(entry);
    ref.number = number;
    out.references.push_back({std::nullopt, std::move(ref)});
  }
  return !root.ambiguous();
}

constexpr const grammar* grammars_of_rag[] = {&numeric_grammar, &source_grammar, &ref_grammar};

}  // namespace

constinit const dialect rag_dialect{"rag", &recognise, &read, grammars_of_rag};

}  // namespace citestream
