/// \file
/// AWS Bedrock: RetrieveAndGenerate and RetrieveAndGenerateStream, of the agent runtime.
///
/// Text: `text` of `output`; all of an answer is one text. References and annotations: `citation`, after the
/// words that it is about, and `citations` in a body. Its span counts characters of the text, which are taken
/// as code points, and its end is inclusive; `textResponsePart.text` repeats the words. A deprecated
/// inner `citation` repeats it. No event ends the answer.
///
/// Source: AWS API reference, "RetrieveAndGenerateStream". There are no recordings.
#include <citestream/dialect/dialect.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialect/payload_numbers.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace bedrock_rag {
namespace {

/// The address of a passage: `location` has a member for each kind of place.
std::string_view address_of(json_value location) noexcept {
  for (const json_value& kind : location) {
    if (const std::string_view found = first_text(kind, {"uri", "url"}); !found.empty()) return found;
  }
  return {};
}

/// What names a document that has no address: `location.customDocumentLocation.id`.
std::string_view id_of(json_value location) noexcept {
  return location["customDocumentLocation"]["id"].string();
}

/// Identifies the source of a passage: its URL, or else its id.
std::string_view name_of(json_value location) noexcept {
  const std::string_view address = address_of(location);
  return address.empty() ? id_of(location) : address;
}

void read_passage(json_value passage, dialect_event& out) {
  reference ref;
  ref.type = passage["location"]["webLocation"] ? source_type::web : source_type::document;
  ref.url = address_of(passage["location"]);
  ref.id = id_of(passage["location"]);
  ref.text = passage["content"]["text"].string();
  if (!ref.text.empty()) ref.excerpts.push_back(ref.text);
  if (!ref.url.empty() || !ref.id.empty() || !ref.text.empty())
    out.references.push_back({std::nullopt, std::move(ref)});
}

/// Reads the words that a citation is about. Without a span it has no place.
native_annotation& read_part(json_value citation, text_unit unit, dialect_event& out) {
  const json_value part = citation["generatedResponsePart"]["textResponsePart"];
  const json_value start = part["span"]["start"];
  const json_value end = part["span"]["end"];
  native_annotation& found =
      add_annotation(unit, name_of(citation["retrievedReferences"].first()["location"]), out);
  set_quote(part["text"], found);
  const auto at = read_positions(start, end);
  if (!at) return found;
  set_positions({at->start, at->end + 1}, start, end, found);
  found.end_inclusive = true;
  return found;
}

/// Reads a citation: its passages, and where it is.
void read_citation(json_value citation, text_unit unit, dialect_event& out) {
  const std::size_t first = out.references.size();
  for (const json_value& one : citation["retrievedReferences"]) read_passage(one, out);
  for (json_value one = citation["retrievedReferences"].first().next(); one; one = one.next())
    add_annotation(unit, name_of(one["location"]), out);
  const native_annotation& at = read_part(citation, unit, out);
  for (std::size_t i = first; i < out.references.size(); ++i)
    add_native(citation, at, i, out).joins = i > first;
}

/// Reads the `text` of an event or of `output`.
choice_event& read_text(json_value holder, dialect_event& out) {
  const json_value text = holder["text"];
  choice_event& found = out.choices.emplace_back();
  found.holder.object = holder.range();
  found.holder.content_key = "text";
  found.set_text(text);
  found.keeps_text = true;  // citations repeat the words
  found.end.expected = false;
  return found;
}

bool is_output(json_value root) noexcept {
  return root["text"].is_string() && !root.first().next();
}

bool is_citation(json_value root) noexcept {
  return root["generatedResponsePart"].is_object() || root["citation"]["generatedResponsePart"].is_object();
}

bool read_event(json_value root, dialect_event& out) {
  if (is_output(root)) {
    read_text(root, out);
    out.root = root;
    return true;
  }
  if (!is_citation(root)) return root["action"].is_string();
  const bool outer = root["generatedResponsePart"].is_object();
  if (outer) read_citation(root, last_text, out);
  if (const json_value inner = root["citation"]; inner.is_object() && !outer) {
    read_citation(inner, last_text, out);
  } else if (inner.is_object()) {
    read_part(inner, last_text, out);
  }
  return true;
}

bool is_answer(json_value root) noexcept {
  return root["output"]["text"].is_string() && root["sessionId"].is_string();
}

void read_body(json_value root, dialect_event& out) {
  read_text(root["output"], out).unit.ends = true;
  read_list(root, root["citations"], out.repeats.emplace_back(), out,
            [&](json_value one) { read_citation(one, {}, out); });
}

bool recognise(json_value root, payload_kind kind) {
  return kind == payload_kind::body ? is_answer(root) : is_output(root) || is_citation(root);
}

/// A citation of the claim of a marker, as an element of `citations`.
bool append_citation(const own_citation& one, std::string& out) {
  if (one.url.empty() || one.claim.start.codepoint >= one.claim.end.codepoint) return false;
  append_all(out, R"({"generatedResponsePart":{"textResponsePart":{"span":{"start":)",
             one.claim.start.codepoint, ",\"end\":", one.claim.end.codepoint - 1,
             "},\"text\":", one.claim_text, R"(}},"retrievedReferences":[{"content":{"text":)", one.excerpt,
             R"(},"location":{"type":"WEB","webLocation":{"url":)", one.url, "}}}]}");
  return true;
}

void append_annotation(const annotation_event& one, std::vector<own_event>& to) {
  to.emplace_back("citation").payload = one.citation;
}

}  // namespace
}  // namespace bedrock_rag

extern constinit const dialect bedrock_rag_dialect{
    .name = "bedrock_rag",
    .recognise = &bedrock_rag::recognise,
    .read = &read_either<&bedrock_rag::read_event, &bedrock_rag::is_answer, &bedrock_rag::read_body>,
    .signs = {.in_messages = true},
    .own = {.append = &bedrock_rag::append_citation,
            .append_events = &bedrock_rag::append_annotation,
            .list_name = "citations"},
    .failures = {.exception = "internalServerException"}};

}  // namespace citestream
