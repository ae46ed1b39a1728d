/// \file
/// AWS Bedrock: Converse and ConverseStream.
///
/// A payload does not contain its type. The header `:event-type` does, and each type also has different
/// members. A stream begins with a message of the type `messageStart`. Text: `contentBlockDelta`
/// (`contentBlockIndex`, `delta.text`); each block is a text of its own. References: `delta.citation`.
/// `messageStop` (`stopReason`) ends the answer; `metadata` (`usage`, `metrics`) is the last event and takes
/// the records. `delta` and `location` are unions: clients raise on a second member, so nothing is added to
/// them. A body has the blocks in `output.message.content`, text with citations in `citationsContent`. The
/// text is never repeated. Tool input and reasoning are not text.
///
/// Clients that do not know `delta.citation` fail on it, so citations of ours are added only on request
/// (own_citation_form::only_if_requested).
///
/// Source: AWS API reference, "ConverseStream"; recordings. Most events have padding in `p`.
#include <citestream/dialect/dialect.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/converse.hpp"
#include "dialect/payload_numbers.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace bedrock {
namespace {

bool read_block(json_value root, dialect_event& out) {
  const auto unit = read_block_index(root["contentBlockIndex"]);
  if (!unit) return false;
  if (root["delta"].is_object()) {
    converse::read_delta(root["delta"], *unit, citation_anchor::block, out);
  } else if (!root["start"]) {
    unit_mark& ended = out.choices.emplace_back().unit;
    ended.id = *unit;
    ended.ends = true;
  }
  return true;
}

bool read_event(json_value root, dialect_event& out) {
  if (root["contentBlockIndex"]) return read_block(root, out);
  if (root["role"].is_string()) {
    out.choices.emplace_back();  // opens the answer: a stream that ends before it has finished is incomplete
  } else if (root["stopReason"].is_string()) {
    out.signals.end = true;
  } else if (root["usage"].is_object() || root["metrics"].is_object()) {
    out.root = root;
    out.signals.end = out.signals.last = true;
  }
  return true;
}

/// Returns true for `messageStart` with its padding: no other protocol sends exactly these two members.
bool is_padded_start(json_value root) noexcept {
  return root["role"].string() == "assistant" && root["p"].is_string() && !root.first().next().next();
}

bool is_message(json_value root) noexcept {
  return root["output"]["message"]["content"].is_array() && root["stopReason"].is_string();
}

bool recognise(json_value root, payload_kind kind) {
  if (kind == payload_kind::body) return is_message(root);
  if (is_padded_start(root)) return true;
  return root["contentBlockIndex"].integer() && (root["delta"].is_object() || root["start"].is_object());
}

/// The list of the citations of a block in a body. A block is a union: a text that gets citations is in
/// `citationsContent`.
void read_citations(json_value block, text_unit unit, dialect_event& out) {
  const bool plain = block["text"].is_string() && !block.first().next();
  const json_value cited = block["citationsContent"];
  if (!plain && !cited.is_object()) return;
  text_repeat& found = add_repeat({}, unit, out);
  if (plain) found.moved = {"citationsContent", "content"};
  read_list(plain ? block : cited, cited["citations"], found, out,
            [&](json_value one) { converse::read_citation(one, unit, citation_anchor::block, out); });
}

void read_body(json_value root, dialect_event& out) {
  text_unit unit;
  for (const json_value& block : root["output"]["message"]["content"]) {
    const std::size_t before = out.choices.size();
    converse::read_text(block["text"], unit, out);
    const json_value cited = block["citationsContent"];
    read_citations(block, unit, out);
    for (const json_value& one : cited["content"]) converse::read_text(one["text"], unit, out);
    if (out.choices.size() > before)
      out.choices.back().unit.ends = true;  // as in a stream, they are one text
    ++unit.item;
  }
}

/// Documents of the request and pages.
bool append_citation(const own_citation& one, std::string& out) {
  const auto document = one.quoted_document();
  if (!document && one.url.empty()) return false;
  append_all(out, "{\"title\":", one.title,
             ",\"sourceContent\":[{\"text\":", document ? one.quote : one.excerpt, "}],\"location\":{");
  if (document) {
    append_all(out, "\"documentChar\":{\"documentIndex\":", *document, ",\"start\":", one.quote_start,
               ",\"end\":", one.quote_end);
  } else {
    out.append("\"web\":{\"url\":").append(one.url);
  }
  out.append("}},\"citestream\":true}");  // members that clients do not know are safe here, not in a location
  return true;
}

void append_annotation(const annotation_event& one, std::vector<own_event>& to) {
  std::string& out = to.emplace_back("contentBlockDelta").payload;
  append_all(out, "{\"contentBlockIndex\":", one.unit.item, ",\"delta\":{\"citation\":", one.citation, "}}");
}

constexpr api_path paths[] = {{"/converse"},
                              {"/converse-stream"},
                              {"/model/*/invoke"},
                              {"/model/*/invoke-with-response-stream"},
                              {"/model/*/count-tokens", request_kind::history}};

}  // namespace
}  // namespace bedrock

extern constinit const dialect bedrock_dialect{
    .name = "bedrock",
    .recognise = &bedrock::recognise,
    .read = &read_either<&bedrock::read_event, &bedrock::is_message, &bedrock::read_body>,
    .signs = {.first_message = "messageStart"},
    .names = {.item = "block"},
    .own = {.append = &bedrock::append_citation,
            .append_events = &bedrock::append_annotation,
            .list_name = "citations",
            .only_if_requested = true,
            .quotes_requests = true},
    .failures = {.append_body = &append_message_body},
    .paths = bedrock::paths};

}  // namespace citestream
