/// \file
/// Anthropic Messages: `/v1/messages`.
///
/// Text: `content_block_delta` with a `text_delta`; each text block is a text of its own. References: the
/// provider's citations (`citations_delta`, and those that a block starts with), the results of a web search
/// and pages of a web fetch. The text is never repeated. A body has the blocks in `content`. Thinking and
/// tool input are not text.
#include <citestream/dialect/dialect.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialect/payload_numbers.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace anthropic {
namespace {

/// Where in its source a citation quotes. Ends are exclusive.
std::optional<source_span> cited_span(json_value source) noexcept {
  auto found = read_quoted(source["start_char_index"], source["end_char_index"], source_unit::character);
  if (!found) found = read_quoted(source["start_page_number"], source["end_page_number"], source_unit::page);
  if (!found) found = read_quoted(source["start_block_index"], source["end_block_index"], source_unit::block);
  return found;
}

/// The document or search result of the request that a citation is about.
std::optional<request_place> cited_place(json_value source) noexcept {
  const auto document = read_requested(source["document_index"], request_part::document);
  return document ? document : read_requested(source["search_result_index"], request_part::search_result);
}

/// Adds a page or a document. Citations of it have its title and the text that they quote. Returns false if
/// nothing is known of it.
bool read_source(json_value source, dialect_event& out) {
  reference ref;
  const json_value url = source["url"];
  ref.type = source["search_result_index"] ? source_type::search_result
             : url.is_string()             ? source_type::web
                                           : source_type::document;
  ref.url = url.string();
  ref.id = source["source"].string();
  const json_value title = source["title"];
  ref.title = title.is_string() ? title.string() : source["document_title"].string();
  ref.text = source["cited_text"].string();
  if (!ref.text.empty()) ref.excerpts.push_back(ref.text);
  ref.span = cited_span(source);
  ref.requested = cited_place(source);
  if (const json_value secret = source["encrypted_index"]; !secret.string().empty())
    ref.opaque.append("{\"encrypted_index\":").append(secret.raw()).append("}");
  if (ref.url.empty() && ref.id.empty() && ref.title.empty() && ref.text.empty()) return false;
  out.references.push_back({std::nullopt, std::move(ref)});
  return true;
}

/// Reads the pages that a web search has found, or the page that a web fetch has read.
void read_pages(json_value block, dialect_event& out) {
  const std::string_view type = block["type"].string();
  const json_value content = block["content"];
  if (type == "web_search_tool_result") {
    for (const json_value& one : content) read_source(one, out);
  }
  const bool page = type == "web_fetch_tool_result" && content["type"].string() == "web_fetch_result";
  if (page && read_source(content, out))
    out.references.back().ref.title = content["content"]["title"].string();
}

/// A citation of the provider. It is about the whole block.
void read_citation(json_value citation, text_unit unit, dialect_event& out) {
  if (read_source(citation, out))
    add_native(citation, unit, out.references.size() - 1, out).anchor = citation_anchor::block;
  add_annotation(unit, citation["url"].string(), out).requested = cited_place(citation);
}

/// The text of a block, at `text`.
void read_text(json_value text, text_unit unit, dialect_event& out) {
  if (text.is_string()) add_text(text, unit, out).independent_of_text = true;
}

/// A block starts once: more of its text is sent in deltas.
own_event more_text(text_unit unit, std::string_view text) {
  own_event more = begin_event("content_block_delta", unit.item);
  append_all(more.payload, ",\"delta\":{\"type\":\"text_delta\",\"text\":", text, "}}");
  return more;
}

void read_block_start(json_value block, text_unit unit, dialect_event& out) {
  read_pages(block, out);
  if (block["type"].string() != "text") return;
  const json_value first = block["citations"].first_element();
  if (!block["text"].string().empty()) {
    read_text(block["text"], unit, out);
    out.choices.back().more_text = &more_text;
  } else if (first) {
    add_place(unit, out);  // they precede the text of their block, which begins with them
  }
  for (json_value one = first; one; one = one.next()) read_citation(one, unit, out);
}

void read_delta(json_value delta, text_unit unit, dialect_event& out) {
  const std::string_view type = delta["type"].string();
  if (type == "text_delta") read_text(delta["text"], unit, out);
  if (type != "citations_delta") return;
  add_place(unit, out);  // it precedes the text of its block, which begins with it
  read_citation(delta["citation"], unit, out);
}

bool read_event(json_value root, dialect_event& out) {
  const std::string_view type = root["type"].string();
  out.signals.error = type == "error";
  out.signals.last = type == "message_stop";
  if (type == "message_delta" || out.signals.last) {  // without the first, the second has the records
    out.root = root;
    out.signals.end = true;
  }
  if (!type.starts_with("content_block_")) return !type.empty();
  const auto unit = read_block_index(root["index"]);
  if (!unit) return false;
  if (type == "content_block_start") read_block_start(root["content_block"], *unit, out);
  if (type == "content_block_delta") read_delta(root["delta"], *unit, out);
  if (type == "content_block_stop") add_place(*unit, out).unit.ends = true;
  return true;
}

bool is_message(json_value value) noexcept {
  return value["type"].string() == "message" && value["role"].string() == "assistant" &&
         value["content"].is_array();
}

/// The list of the citations of a block in a body.
void read_citations(json_value block, text_unit unit, dialect_event& out) {
  text_repeat& found = add_repeat({}, unit, out);
  found.text = block["text"].string();
  read_list(block, block["citations"], found, out, [&](json_value one) { read_citation(one, unit, out); });
}

void read_body(json_value root, dialect_event& out) {
  text_unit unit;
  for (json_value block = root["content"].first(); block; block = block.next(), ++unit.item) {
    read_pages(block, out);
    if (block["type"].string() != "text" || !block["text"].is_string()) continue;
    read_text(block["text"], unit, out);
    out.choices.back().unit.ends = true;
    read_citations(block, unit, out);
  }
}

bool recognise(json_value root, payload_kind kind) {
  if (kind == payload_kind::body) return is_message(root);
  return root["type"].string() == "message_start" && is_message(root["message"]);
}

/// A member that no citation of the provider has.
constexpr std::string_view own_mark = ",\"citestream\":true}";

/// Documents of the request and pages. Results of a search that are in the request are cited as pages,
/// because the AI SDK does not read citations of them. An empty `encrypted_index` or the member `citestream`
/// tells our citations from those of the provider.
bool append_citation(const own_citation& one, std::string& out) {
  if (const auto document = one.quoted_document()) {
    append_all(out, "{\"type\":\"char_location\",\"cited_text\":", one.quote,
               ",\"document_index\":", *document, ",\"document_title\":", one.title,
               ",\"start_char_index\":", one.quote_start, ",\"end_char_index\":", one.quote_end,
               ",\"file_id\":null", own_mark);
    return true;
  }
  if (one.url.empty()) return false;
  append_all(out, "{\"type\":\"web_search_result_location\",\"cited_text\":", one.excerpt,
             ",\"url\":", one.url, ",\"title\":", one.title, ",\"encrypted_index\":\"\"}");
  return true;
}

void append_annotation(const annotation_event& one, std::vector<own_event>& to) {
  std::string& out = to.emplace_back(begin_event("content_block_delta", one.unit.item)).payload;
  append_all(out, ",\"delta\":{\"type\":\"citations_delta\",\"citation\":", one.citation, "}}");
}

void append_error(const failure_event& one, std::string& out) {
  const std::string_view type = one.status < 500 ? "invalid_request_error" : "api_error";
  append_all(out, "{\"type\":\"error\",\"error\":{\"type\":\"", type, "\",\"message\":", one.message, "}}");
}

/// The last two are those of Vertex AI.
constexpr api_path paths[] = {{"/v1/messages"},
                              {"/v1/messages/count_tokens", request_kind::history},
                              {"/v1/messages/batches", request_kind::history},
                              {":rawPredict"},
                              {":streamRawPredict"}};

}  // namespace
}  // namespace anthropic

extern constinit const dialect anthropic_dialect{
    .name = "anthropic",
    .recognise = &anthropic::recognise,
    .read = &read_either<&anthropic::read_event, &anthropic::is_message, &anthropic::read_body>,
    .stream = {.ends_with_event = true},
    .names = {.item = "block"},
    .own = {.append = &anthropic::append_citation,
            .append_events = &anthropic::append_annotation,
            .list_name = "citations",
            .quotes_requests = true},
    .failures = {.append_event = &anthropic::append_error, .append_body = &anthropic::append_error},
    .paths = anthropic::paths};

}  // namespace citestream
