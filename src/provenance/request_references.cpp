// How documents of a request become references.
//
// The messages, items or contents are walked in order. The type or the members of a part identify its
// protocol, so one function reads the parts of all of them; a tool result is a list of parts again. Cohere's
// `documents` are next to the messages.
//
// Results of tools in a request to Responses are texts. If one is a JSON list of sources, each of them is a
// reference, otherwise the whole result is one. Their key is their place: base/turn_key.hpp.
//
// A body that contains none of the names of these parts is not parsed. Cost: linear in the body.
#include <citestream/base/offsets.hpp>
#include <citestream/chunk/document.hpp>
#include <citestream/provenance/provenance.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.hpp"
#include "base/provenance_key.hpp"
#include "base/turn_key.hpp"
#include "base/web_url.hpp"
#include "chunk/json_scan.hpp"
#include "dialect/sources.hpp"
#include "parsed_request.hpp"
#include "request_form.hpp"
#include "tool_result.hpp"

namespace citestream {

namespace {

/// A longer `context`, or one of several lines, is not used as a title.
constexpr std::size_t max_context_title_bytes = 80;
/// Documents without an id are not named after a longer id of their tool call: ids of calls have up to 64.
constexpr std::size_t max_owner_bytes = 256;

using provenance::either;

/// The texts of the parts in \p list, one line each.
std::string texts_in(json_value list) {
  std::string all;
  for (const json_value& part : list) {
    if (!part["text"].is_string()) continue;
    if (!all.empty()) all += '\n';
    all += part["text"].string();
  }
  return all;
}

std::int64_t count_of(json_value list) noexcept {
  return std::ranges::distance(list);
}

/// Where a document is: in the result of a call, or in `documents`.
struct document_place {
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

/// Returns true if the request asks for citations of this document or search result.
bool is_citable(json_value source) noexcept {
  return source["citations"]["enabled"].boolean().value_or(false);
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

/// Data of a file.
struct file_data {
  std::string_view media_type;
  std::string_view base64;
};

/// Reads `data:text/plain;base64,…` (RFC 2397). Empty if it is not in base64.
file_data data_in_url(std::string_view url) noexcept {
  constexpr std::string_view scheme = "data:";
  constexpr std::string_view encoding = ";base64";
  const std::size_t comma = url.find(',');
  if (!url.starts_with(scheme) || comma == std::string_view::npos) return {};
  const std::string_view type = url.substr(scheme.size(), comma - scheme.size());
  if (!type.ends_with(encoding)) return {};
  return {type.substr(0, type.size() - encoding.size()), url.substr(comma + 1)};
}

/// The text of a file that is plain text of at most \p room bytes; otherwise empty.
std::string text_of(const file_data& file, std::size_t room) {
  constexpr std::string_view plain = "text/plain";
  const std::string_view parameters = file.media_type.substr(std::min(plain.size(), file.media_type.size()));
  std::string text;
  if (!file.media_type.starts_with(plain) || (!parameters.empty() && parameters[0] != ';')) return text;
  if (file.base64.size() / 4 * 3 > room || !append_decoded_base64(file.base64, text)) return text;
  if (!json_scan::is_utf8(text)) text.clear();
  return text;
}

/// The first source in the result of a tool; missing if it is not a list of them.
json_value first_listed(json_value root) noexcept {
  const auto first_of = [](json_value list) {
    const json_value first = list.first_element();
    return first.is_object() && is_source(first) ? first : json_value();
  };
  for (const json_value& list : {root, root["results"], root["documents"], root["data"], source_list(root)}) {
    if (const json_value first = first_of(list)) return first;
  }
  return {};
}

/// Reads the references of one request.
class reference_list {
 public:
  explicit reference_list(const limits& bounds)
      : max_count_(bounds.max_references),
        text_room_(bounds.max_reference_bytes / 2),
        parsed_(bounds.max_json_depth),
        sources_(bounds.max_json_depth) {}

  void read(json_value root) {
    if (const json_value list = root["documents"]; list.is_array()) read_documents(list);
    if (const json_value list = root["contents"]; list.is_array()) return read_contents(list);
    if (root["input"].is_array()) read_results(root);
    for (const std::string_view name : {"input", "messages"}) {
      if (const json_value list = root[name]; list.is_array()) return read_messages(list);
    }
  }

  [[nodiscard]] std::vector<reference>& found() noexcept { return found_; }

 private:
  void add(reference ref, request_part part) {
    std::int64_t& count = part == request_part::document ? documents_ : search_results_;
    ref.requested = request_place{part, count++};
    ref.number = documents_ + search_results_;
    // A document must not pass for the result of a tool.
    if (ref.cite.empty() && !provenance_key::starts_key(ref.title)) ref.cite = ref.title;
    keep(std::move(ref));
  }

  /// Keeps a reference, without its text if there is no room for it.
  void keep(reference ref) {
    if (found_.size() >= max_count_) return;
    if (ref.text.size() > text_room_) {
      ref.text.clear();
      ref.span.reset();
    }
    text_room_ -= ref.text.size();
    found_.push_back(std::move(ref));
  }

  void add_result(reference ref, turn_key::place& at) {
    ref.number.reset();
    ref.cite = turn_key::make(turn_key::read(ref.id).value_or(at));
    ++at.result;
    keep(std::move(ref));
  }

  /// \param called  has the tool and its call
  void read_result(std::string_view text, const reference& called, turn_key::place& at) {
    const bool json = text.find_first_not_of(" \t\r\n") == text.find_first_of("[{");
    json_value one = json && !parsed_.parse(text) ? first_listed(parsed_.root()) : json_value();
    if (one && parsed_.duplicate()) one = {};
    if (!one) {
      reference whole = called;
      whole.text = text;
      const bool agent = sources_.read_result(text, whole);
      provenance::complete(whole, agent);
      return add_result(std::move(whole), at);
    }
    for (; one; one = one.next()) {
      reference ref = read_source(one, 0);
      ref.tool = called.tool;
      ref.tool_call_id = called.tool_call_id;
      add_result(std::move(ref), at);
    }
  }

  /// Calls and results of one round follow each other; the first call after a result begins another round.
  void read_results(json_value root) {
    std::map<std::string_view, std::string_view> tools;  // by id of the call
    turn_key::place at;
    bool answered = false;
    const provenance::request_content request = provenance::read_request(root);
    if (request.prompt_name != "instructions") return;  // not of Responses
    for (const provenance::request_step& step : request.steps) {
      if (!step.is_result) {
        if (std::exchange(answered, false)) at = {at.round + 1, 0};
        tools[step.id] = step.name;
        continue;
      }
      answered = true;
      reference called;
      called.tool_call_id = step.id;
      if (const auto tool = tools.find(step.id); tool != tools.end()) called.tool = tool->second;
      if (step.value.is_string()) read_result(step.value.string(), called, at);
      for (const json_value& part : step.value.elements()) {
        if (const json_value text = provenance::text_of_part(part)) read_result(text.string(), called, at);
      }
    }
  }

  /// An entry of Cohere's `documents`: a text, or an object with `data`. Servers of chat completions have the
  /// data itself there.
  void read_data(json_value entry, const document_place& at) {
    const json_value data = entry["data"];
    reference ref = read_source(data.is_object() || data.is_string() ? data : entry, 0);
    ref.id = entry["id"].string();
    if (ref.id.empty()) ref.id = at.name();
    add(std::move(ref), request_part::document);
  }

  void read_documents(json_value list) {
    document_place at{"doc"};
    for (json_value one = list.first(); one; one = one.next(), ++at.index) {
      if (one.is_string() || one.is_object()) read_data(one, at);
    }
  }

  /// A `document` block of Anthropic.
  void read_document(json_value block) {
    const json_value source = block["source"];
    const std::string_view kind = source["type"].string();
    reference ref;
    if (kind == "text") set_text(source["data"], ref);
    if (kind == "content") set_text(source["content"], ref);
    if (kind == "base64")
      ref.text = text_of({source["media_type"].string(), source["data"].string()}, text_room_);
    if (kind == "url") set_place(source["url"].string(), ref);
    if (kind == "file") {
      ref.id = source["file_id"].string();
      ref.type = source_type::file;
    }
    ref.title = block["title"].string();
    ref.citable = is_citable(block);
    const std::string_view context = block["context"].string();
    const bool line = context.find_first_of("\r\n") == std::string_view::npos;
    if (ref.title.empty() && line && context.size() <= max_context_title_bytes) ref.title = context;
    add(std::move(ref), request_part::document);
  }

  void read_search_result(json_value result) {
    reference ref;
    ref.citable = is_citable(result);
    set_place(result["source"].string(), ref);
    ref.type = source_type::search_result;
    ref.title = result["title"].string();
    set_text(result["content"], ref);
    add(std::move(ref), request_part::search_result);
  }

  void read_converse_document(json_value document) {
    const json_value source = document["source"];
    reference ref;
    ref.title = either(document, "title", "name").string();
    ref.citable = is_citable(document);
    set_text(source["text"] ? source["text"] : source["content"], ref);
    if (document["format"].string() == "txt" && ref.text.empty())
      ref.text = text_of({"text/plain", source["bytes"].string()}, text_room_);
    add(std::move(ref), request_part::document);
  }

  void read_file(json_value id, json_value name, json_value url, const file_data& data) {
    reference ref;
    ref.text = text_of(data, text_room_);
    set_place(url.string(), ref);
    if (!id.string().empty()) ref.id = id.string();
    if (ref.type == source_type::document) ref.type = source_type::file;
    ref.title = name.string();
    add(std::move(ref), request_part::document);
  }

  void read_typed(std::string_view type, json_value part, const document_place& at) {
    if (type == "search_result") return read_search_result(part);
    if (type == "tool_result") return read_parts(part["content"], part["tool_use_id"].string());
    if (type == "input_file")
      return read_file(part["file_id"], part["filename"], part["file_url"],
                       data_in_url(part["file_data"].string()));
    if (const json_value file = part["file"]; type == "file" && file.is_object())
      return read_file(file["file_id"], file["filename"], {}, data_in_url(file["file_data"].string()));
    if (type != "document") return;
    if (part["source"].is_object()) return read_document(part);
    if (part["document"].is_object()) return read_data(part["document"], at);
    if (part["uri"].is_string() || part["data"].is_string())
      read_file({}, {}, part["uri"], {either(part, "mime_type", "mimeType").string(), part["data"].string()});
  }

  void read_part(json_value part, const document_place& at) {
    if (const std::string_view type = part["type"].string(); !type.empty()) return read_typed(type, part, at);
    if (const json_value document = part["document"]; document["source"].is_object())
      return read_converse_document(document);
    if (const json_value result = part["searchResult"]; result.is_object()) return read_search_result(result);
    if (const json_value result = part["toolResult"]; result.is_object())
      return read_parts(result["content"], at.owner);
    const json_value by_name = either(part, "fileData", "file_data");
    const json_value file = by_name ? by_name : either(part, "inlineData", "inline_data");
    const std::string_view type = either(file, "mimeType", "mime_type").string();
    if (!file.is_object() || !is_document_type(type)) return;
    read_file({}, either(file, "displayName", "display_name"), either(file, "fileUri", "file_uri"),
              {type, file["data"].string()});
  }

  /// \param owner  the id of the call, if the list is its result
  void read_parts(json_value list, std::string_view owner) {
    document_place at{owner};
    for (json_value part = list.first_element(); part; part = part.next(), ++at.index) read_part(part, at);
  }

  void read_messages(json_value list) {
    for (const json_value& one : list) {
      read_parts(one["content"], one["tool_call_id"].string());
      if (one["role"]) continue;
      read_part(one, {});  // an item
      read_parts(either(one, "output", "result"), {});
    }
  }

  void read_contents(json_value contents) {
    for (const json_value& one : contents) read_parts(one["parts"], {});
  }

  std::size_t max_count_;
  std::size_t text_room_;
  std::int64_t documents_{};
  std::int64_t search_results_{};
  document parsed_;  ///< the result of a tool
  provenance::source_reader sources_;
  std::vector<reference> found_;
};

/// Returns true if a string in \p body may be a type or member that reference_list reads.
bool may_have_references(std::string_view body) noexcept {
  constexpr std::array<std::string_view, 12> names{"document\"",
                                                   "documents\"",
                                                   "search_result\"",
                                                   "searchResult\"",
                                                   "input_file\"",
                                                   "fileData\"",
                                                   "file_data\"",
                                                   "inlineData\"",
                                                   "inline_data\"",
                                                   "file\"",
                                                   "function_call_output\"",
                                                   "custom_tool_call_output\""};
  constexpr std::string_view initials = "cdfis";  // most strings of a body begin with another byte
  for (std::size_t at = body.find('"'); at != std::string_view::npos; at = body.find('"', at)) {
    const std::string_view rest = body.substr(++at);
    if (rest.empty() || initials.find(rest.front()) == std::string_view::npos) continue;
    if (std::ranges::any_of(names, [rest](std::string_view name) { return rest.starts_with(name); }))
      return true;
  }
  return false;
}

}  // namespace

status provenance::read_request_references(parsed_request& request, std::vector<reference>& out,
                                           const limits& bounds) {
  if (!may_have_references(request.body())) return {};
  if (const status error = request.parse(bounds)) return error;
  reference_list list(bounds);
  list.read(request.json().root());
  if (request.json().duplicate()) return {errc::duplicate_key, 0};
  for (reference& one : list.found()) out.push_back(std::move(one));
  return {};
}

status read_request_references(std::string_view body, std::vector<reference>& out, const limits& bounds) {
  provenance::parsed_request request(body);
  return read_request_references(request, out, bounds);
}

}  // namespace citestream
