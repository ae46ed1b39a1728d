// How documents of a request become references.
//
// The messages, items or contents are walked in order. A part tells by its type or members which protocol it
// is of, so one function reads the parts of all of them; a tool result is a list of parts again. Cohere's
// `documents` are next to the messages.
//
// A body in which no string may name such a part is not parsed. Cost: linear in the body.
#include <citestream/base/offsets.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/provenance/provenance.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/provenance_key.hpp"
#include "base/web_url.hpp"
#include "dialect/sources.hpp"

namespace citestream {

namespace {

/// A longer `context`, or one of several lines, is not used as a title.
constexpr std::size_t max_context_title_bytes = 80;
/// Documents without an id are not named after a longer id of their tool call: ids of calls have up to 64.
constexpr std::size_t max_owner_bytes = 256;

json_value one_of(json_value object, std::string_view name, std::string_view other) noexcept {
  const json_value found = object[name];
  return found ? found : object[other];
}

/// The texts of the parts in \p list, one line each.
std::string texts_in(json_value list) {
  std::string all;
  for (json_value part = list.first(); part; part = part.next()) {
    if (!part["text"].is_string()) continue;
    if (!all.empty()) all += '\n';
    all += part["text"].string();
  }
  return all;
}

std::int64_t count_of(json_value list) noexcept {
  std::int64_t count = 0;
  for (json_value part = list.first(); part; part = part.next()) ++count;
  return count;
}

/// Where a document is: in the result of a call, or in `documents`.
struct list_place {
  std::string_view owner;  ///< empty: documents have no names of their own there
  std::size_t index{};

  /// Cohere's name for the document.
  [[nodiscard]] std::string name() const {
    if (owner.empty() || owner.size() > max_owner_bytes) return {};
    return std::string(owner).append(":").append(std::to_string(index));
  }
};

/// Sets the text of a source that is a string, or a list of parts.
void set_text(json_value content, reference& ref) {
  if (content.is_array()) {
    ref.text = texts_in(content);
    ref.span = source_span{source_unit::block, 0, count_of(content), 0};
  } else if (content.is_string()) {
    ref.text = content.string();
    text_offset size;
    size.advance(ref.text);
    ref.span = source_span{source_unit::character, 0, static_cast<std::int64_t>(size.codepoint), 0};
  }
}

void set_place(std::string_view source, reference& ref) {
  ref.id = source;
  if (!is_web_url(source)) return;
  ref.url = source;
  ref.type = source_type::web;
}

/// Returns true if files of this type are read as documents.
bool is_document_type(std::string_view mime) noexcept {
  constexpr std::string_view others[] = {"image/", "audio/", "video/"};
  return std::ranges::none_of(others, [mime](std::string_view start) { return mime.starts_with(start); });
}

/// Reads the references of one request.
class reference_list {
 public:
  explicit reference_list(const limits& bounds) noexcept
      : max_count_(bounds.max_references), text_room_(bounds.max_reference_bytes / 2) {}

  void read(json_value root);
  [[nodiscard]] std::vector<reference>& found() noexcept { return found_; }

 private:
  void read_documents(json_value list);
  void read_data(json_value entry, const list_place& at);
  void read_contents(json_value contents);
  void read_messages(json_value list);
  void read_parts(json_value list, std::string_view owner);
  void read_part(json_value part, const list_place& at);
  void read_typed(std::string_view type, json_value part, const list_place& at);
  void read_document(json_value block);
  void read_search_result(json_value result);
  void read_converse_document(json_value document);
  void read_file(json_value id, json_value name, json_value url);
  void add(reference ref, request_part part);

  std::size_t max_count_;
  std::size_t text_room_;
  std::int64_t documents_{};
  std::int64_t search_results_{};
  std::vector<reference> found_;
};

void reference_list::add(reference ref, request_part part) {
  std::int64_t& count = part == request_part::document ? documents_ : search_results_;
  ref.requested = request_place{part, count++};
  if (found_.size() >= max_count_) return;
  if (ref.text.size() > text_room_) {
    ref.text.clear();
    ref.span.reset();
  }
  text_room_ -= ref.text.size();
  ref.number = static_cast<std::int64_t>(found_.size()) + 1;
  // A document must not pass for the result of a tool.
  if (ref.cite.empty() && !provenance_key::starts_key(ref.title)) ref.cite = ref.title;
  found_.push_back(std::move(ref));
}

/// An entry of Cohere's `documents`: a text, or an object with `data`. Servers of chat completions have the
/// data itself there.
void reference_list::read_data(json_value entry, const list_place& at) {
  const json_value data = entry["data"];
  reference ref = read_source(data.is_object() || data.is_string() ? data : entry, 0);
  ref.id = entry["id"].string();
  if (ref.id.empty()) ref.id = at.name();
  add(std::move(ref), request_part::document);
}

void reference_list::read_documents(json_value list) {
  list_place at{"doc"};
  for (json_value one = list.first(); one; one = one.next(), ++at.index) {
    if (one.is_string() || one.is_object()) read_data(one, at);
  }
}

/// A `document` block of Anthropic.
void reference_list::read_document(json_value block) {
  const json_value source = block["source"];
  const std::string_view kind = source["type"].string();
  reference ref;
  if (kind == "text") set_text(source["data"], ref);
  if (kind == "content") set_text(source["content"], ref);
  if (kind == "url") set_place(source["url"].string(), ref);
  if (kind == "file") {
    ref.id = source["file_id"].string();
    ref.type = source_type::file;
  }
  ref.title = block["title"].string();
  const std::string_view context = block["context"].string();
  const bool line = context.find_first_of("\r\n") == std::string_view::npos;
  if (ref.title.empty() && line && context.size() <= max_context_title_bytes) ref.title = context;
  add(std::move(ref), request_part::document);
}

void reference_list::read_search_result(json_value result) {
  reference ref;
  set_place(result["source"].string(), ref);
  ref.title = result["title"].string();
  set_text(result["content"], ref);
  add(std::move(ref), request_part::search_result);
}

void reference_list::read_converse_document(json_value document) {
  const json_value source = document["source"];
  reference ref;
  ref.title = one_of(document, "title", "name").string();
  set_text(source["text"] ? source["text"] : source["content"], ref);
  add(std::move(ref), request_part::document);
}

void reference_list::read_file(json_value id, json_value name, json_value url) {
  reference ref;
  set_place(url.string(), ref);
  if (!id.string().empty()) ref.id = id.string();
  if (ref.type == source_type::document) ref.type = source_type::file;
  ref.title = name.string();
  add(std::move(ref), request_part::document);
}

void reference_list::read_typed(std::string_view type, json_value part, const list_place& at) {
  if (type == "search_result") return read_search_result(part);
  if (type == "tool_result") return read_parts(part["content"], part["tool_use_id"].string());
  if (type == "input_file") return read_file(part["file_id"], part["filename"], part["file_url"]);
  if (const json_value file = part["file"]; type == "file" && file.is_object())
    return read_file(file["file_id"], file["filename"], {});
  if (type != "document") return;
  if (part["source"].is_object()) return read_document(part);
  if (part["document"].is_object()) return read_data(part["document"], at);
  if (part["uri"].is_string() || part["data"].is_string()) read_file({}, {}, part["uri"]);
}

void reference_list::read_part(json_value part, const list_place& at) {
  if (const std::string_view type = part["type"].string(); !type.empty()) return read_typed(type, part, at);
  if (const json_value document = part["document"]; document["source"].is_object())
    return read_converse_document(document);
  if (const json_value result = part["searchResult"]; result.is_object()) return read_search_result(result);
  if (const json_value result = part["toolResult"]; result.is_object())
    return read_parts(result["content"], at.owner);
  const json_value by_name = one_of(part, "fileData", "file_data");
  const json_value file = by_name ? by_name : one_of(part, "inlineData", "inline_data");
  if (!file.is_object() || !is_document_type(one_of(file, "mimeType", "mime_type").string())) return;
  read_file({}, one_of(file, "displayName", "display_name"), one_of(file, "fileUri", "file_uri"));
}

/// \param owner  the id of the call, if the list is its result
void reference_list::read_parts(json_value list, std::string_view owner) {
  if (!list.is_array()) return;
  list_place at{owner};
  for (json_value part = list.first(); part; part = part.next(), ++at.index) read_part(part, at);
}

void reference_list::read_messages(json_value list) {
  for (json_value one = list.first(); one; one = one.next()) {
    read_parts(one["content"], one["tool_call_id"].string());
    if (one["role"]) continue;
    read_part(one, {});  // an item
    read_parts(one_of(one, "output", "result"), {});
  }
}

void reference_list::read_contents(json_value contents) {
  for (json_value one = contents.first(); one; one = one.next()) read_parts(one["parts"], {});
}

void reference_list::read(json_value root) {
  if (const json_value list = root["documents"]; list.is_array()) read_documents(list);
  if (const json_value list = root["contents"]; list.is_array()) return read_contents(list);
  for (const std::string_view name : {"input", "messages"}) {
    if (const json_value list = root[name]; list.is_array()) return read_messages(list);
  }
}

/// Returns true if a string in \p body may be a type or member that reference_list reads.
bool may_have_references(std::string_view body) noexcept {
  constexpr std::array<std::string_view, 10> names{
      "document\"", "documents\"", "search_result\"", "searchResult\"", "input_file\"",
      "fileData\"", "file_data\"", "inlineData\"",    "inline_data\"",  "file\""};
  for (std::size_t at = body.find('"'); at != std::string_view::npos; at = body.find('"', at)) {
    const std::string_view rest = body.substr(++at);
    if (std::ranges::any_of(names, [rest](std::string_view name) { return rest.starts_with(name); }))
      return true;
  }
  return false;
}

}  // namespace

status read_request_references(std::string_view body, std::vector<reference>& out, const limits& bounds) {
  if (!may_have_references(body)) return {};
  if (body.size() > bounds.max_body_bytes) return {errc::body_too_large, bounds.max_body_bytes};
  document parsed(bounds.max_json_depth);
  if (const status error = parsed.parse(body)) return error;
  reference_list list(bounds);
  list.read(parsed.root());
  if (parsed.duplicate()) return {errc::duplicate_key, 0};
  for (reference& one : list.found()) out.push_back(std::move(one));
  return {};
}

}  // namespace citestream
