/// \file
/// Cohere v2: `/v2/chat`.
///
/// Text: `content-delta` with `delta.message.content.text`; each content block is a text of its own. Thinking
/// and plans of tool calls are not text. References: the sources of Cohere's citations (`citation-start`),
/// which also have positions in a text, in code points, and repeat the words between them. A body has the
/// blocks in `message.content` and the citations in `message.citations`.
#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/compact_sort.hpp"
#include "base/decimal.hpp"
#include "dialect/payload_numbers.hpp"
#include "dialect/payload_parts.hpp"
#include "dialect/sources.hpp"

namespace citestream {
namespace cohere {
namespace {

/// The number of a document without an id of its own, from 1: Cohere calls the first one `doc:0`.
std::optional<std::int64_t> number_of(std::string_view id) noexcept {
  constexpr std::string_view prefix = "doc:";
  if (!id.starts_with(prefix)) return std::nullopt;
  const auto index = whole_number<std::int64_t>(id.substr(prefix.size()));
  return index && *index >= 0 && *index <= max_index ? std::optional(*index + 1) : std::nullopt;
}

/// Reads a document, or a result of a tool.
void read_cited(json_value source, dialect_event& out) {
  const json_value document = source["document"];
  reference ref = read_source(document.is_object() ? document : source["tool_output"], 0);
  if (source["type"].string() == name(source_type::tool)) ref.type = source_type::tool;
  ref.id = source["id"].string();
  ref.number = number_of(ref.id);
  if (!ref.id.empty() || !ref.title.empty() || !ref.text.empty() || !ref.url.empty())
    out.references.push_back({std::nullopt, std::move(ref)});
}

/// Identifies a source: its URL, or else its id.
std::string_view name_of(json_value source) noexcept {
  const json_value document = source["document"];
  const std::string_view url = (document.is_object() ? document : source["tool_output"])["url"].string();
  return url.empty() ? source["id"].string() : url;
}

/// Reads a citation: its sources, and its place if it is in a text. \p default_unit: the text if it names
/// none.
void read_citation(json_value citation, text_unit default_unit, dialect_event& out) {
  const std::size_t first = out.references.size();
  for (const json_value& one : citation["sources"]) read_cited(one, out);
  const json_value index = citation["content_index"];
  const std::string_view type = citation["type"].string();
  const auto at = read_positions(citation["start"], citation["end"]);
  if (!type.empty() && type != "TEXT_CONTENT") return;
  const auto unit = index ? read_block_index(index) : default_unit;
  if (!at || !unit) return set_quote(citation["text"], add_annotation(default_unit, {}, out));
  for (json_value one = citation["sources"].first().next(); one; one = one.next())
    add_annotation(*unit, name_of(one), out);
  native_annotation& found = add_annotation(*unit, name_of(citation["sources"].first()), out);
  set_positions(*at, citation["start"], citation["end"], found);
  set_quote(citation["text"], found);
  for (std::size_t i = first; i < out.references.size(); ++i)
    add_native(citation, found, i, out).joins = i > first;
}

/// The text of a block, at `text`.
void read_text(json_value text, text_unit unit, dialect_event& out) {
  choice_event& found = add_text(text, unit, out);
  found.independent_of_text = found.keeps_text = true;
}

/// A block starts once: more of its text is sent in deltas.
own_event more_text(text_unit unit, std::string_view text) {
  own_event more = begin_event("content-delta", unit.item);
  append_all(more.payload, ",\"delta\":{\"message\":{\"content\":{\"text\":", text, "}}}}");
  return more;
}

bool read_content(std::string_view type, json_value root, dialect_event& out) {
  const auto unit = read_block_index(root["index"]);
  if (!unit) return false;
  if (type == "content-end") {
    add_place(*unit, out).unit.ends = true;
    return true;
  }
  const json_value text = root["delta"]["message"]["content"]["text"];
  if (type == "content-delta" ? text.is_string() : !text.string().empty()) read_text(text, *unit, out);
  if (type != "content-delta" && !out.choices.empty()) out.choices.back().more_text = &more_text;
  return true;
}

bool read_last(json_value delta, dialect_event& out) {
  out.signals.last = true;
  out.signals.error = delta["finish_reason"].string() == "ERROR";
  out.signals.end = !out.signals.error;
  if (delta.is_object()) out.root = delta;
  return true;
}

bool read_event(json_value root, dialect_event& out) {
  const std::string_view type = root["type"].string();
  if (type == "message-end") return read_last(root["delta"], out);
  if (type.starts_with("content-")) return read_content(type, root, out);
  if (type == "citation-start") read_citation(root["delta"]["message"]["citations"], last_text, out);
  if (type.starts_with("citation-") && root["index"].integer()) out.numbering.token = root["index"].range();
  return !type.empty();
}

bool is_answer(json_value message) noexcept {
  return message["role"].string() == "assistant" && message["content"].is_array();
}

bool is_body(json_value root) noexcept {
  return is_answer(root["message"]);
}

/// All texts of a body have one list of citations, which is divided here.
void read_citations(json_value message, dialect_event& out) {
  if (out.choices.empty()) return;
  const json_value list = message["citations"];
  const text_unit front = out.choices.front().unit.id;
  for (const json_value& one : list) read_citation(one, front, out);
  std::vector<native_annotation>& all = out.annotations;
  const auto unit_of = [](const choice_event& text) { return text.unit.id; };
  for (native_annotation& one : all) {
    if (std::ranges::binary_search(out.choices, one.unit, {}, unit_of)) continue;
    native_annotation words;  // its text is not there: it has no place
    words.unit = front;
    words.quote_token = one.quote_token;
    words.quote = one.quote;
    one = std::move(words);
  }
  // Those of one text keep their order.
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  compact_sort(order, std::ranges::less{}, [&](std::size_t i) { return std::pair(all[i].unit, i); });
  std::vector<native_annotation> sorted;
  sorted.reserve(all.size());
  for (const std::size_t i : order) sorted.push_back(std::move(all[i]));
  all.swap(sorted);
  for (const choice_event& text : out.choices) {
    text_repeat& found = add_repeat({}, text.unit.id, out);
    place_list(message, list, found);
    const auto first = std::ranges::lower_bound(all, text.unit.id, {}, &native_annotation::unit);
    const auto last = std::ranges::upper_bound(all, text.unit.id, {}, &native_annotation::unit);
    found.begin = static_cast<std::size_t>(first - all.begin());
    found.end = static_cast<std::size_t>(last - all.begin());
  }
}

void read_body(json_value root, dialect_event& out) {
  const json_value message = root["message"];
  text_unit unit;
  for (json_value block = message["content"].first(); block; block = block.next(), ++unit.item) {
    if (block["type"].string() != "text" || !block["text"].is_string()) continue;
    read_text(block["text"], unit, out);
    out.choices.back().unit.ends = true;
  }
  read_citations(message, out);
}

bool recognise(json_value root, payload_kind kind) {
  if (kind == payload_kind::body) return is_body(root) && root["finish_reason"].is_string();
  return root["type"].string() == "message-start" && is_answer(root["delta"]["message"]);
}

/// A citation in the text of `one` that is the claim of a marker. Without a claim there is nothing to cite.
/// The AI SDK rejects a document without a text. The member `citestream` tells our citations from those of
/// the provider.
bool append_citation(const own_citation& one, std::string& out) {
  if (one.claim.start.codepoint >= one.claim.end.codepoint) return false;
  const std::string_view id = one.id == "\"\"" && !one.url.empty() ? one.url : one.id;
  append_all(out, "{\"start\":", one.claim.start.codepoint, ",\"end\":", one.claim.end.codepoint,
             ",\"text\":", one.claim_text, ",\"sources\":[{\"type\":\"document\",\"id\":", id,
             ",\"document\":{\"id\":", id, ",\"title\":", one.title, ",\"text\":", one.excerpt);
  if (!one.url.empty()) out.append(",\"url\":").append(one.url);
  append_all(out, "}}],\"type\":\"TEXT_CONTENT\",\"content_index\":", one.unit.item, ",\"citestream\":true}");
  return true;
}

void append_annotation(const annotation_event& one, std::vector<own_event>& to) {
  std::string& out = to.emplace_back(begin_event("citation-start", one.index_in_answer)).payload;
  append_all(out, ",\"delta\":{\"message\":{\"citations\":", one.citation, "}}}");
  to.emplace_back(begin_event("citation-end", one.index_in_answer)).payload.append("}");
}

void append_error(const failure_event& one, std::string& out) {
  append_all(out, "{\"type\":\"message-end\",\"delta\":{\"finish_reason\":\"ERROR\",\"error\":", one.message,
             "}}");
}

constexpr api_path paths[] = {{"/v2/chat"}};
constexpr const grammar* grammars[] = {&link_grammar, &tag_grammar, &source_grammar};
constexpr const grammar* grammars_for_lists[] = {&numeric_grammar, &ref_grammar};

}  // namespace
}  // namespace cohere

extern constinit const dialect cohere_dialect{
    .name = "cohere",
    .recognise = &cohere::recognise,
    .read = &read_either<&cohere::read_event, &cohere::is_body, &cohere::read_body>,
    .grammars = cohere::grammars,
    .markers = {.for_references = cohere::grammars_for_lists},
    .stream = {.ends_with_event = true, .quotes_sent_words = true},
    .names = {.item = "block"},
    .own = {.append = &cohere::append_citation,
            .append_events = &cohere::append_annotation,
            .list_name = "citations"},
    .failures = {.append_event = &cohere::append_error,
                 .event_type = "message-end",
                 .append_body = &append_message_body},
    .paths = cohere::paths};

}  // namespace citestream
