// Text is `choices[].delta.content` of a stream and `choices[].message.content` of a body: a string, or a
// list of parts with a text each. Ollama has it in `message.content` or `response`. Payloads of other APIs
// (Responses, Anthropic, Cohere, Gemini and its Interactions, Bedrock) are read by what they are; all their
// texts are one. Everything else in a payload is ignored, except what shows which markers to expect.
#include "payload_reader.hpp"

#include <array>
#include <cstddef>
#include <span>

#include <boost/json/src.hpp>  // Boost.JSON is compiled here, so no further library is linked

namespace citestream::load {
namespace {

namespace json = boost::json;

constexpr std::size_t max_depth = 128;

/// A value that may be missing. Members and elements of a missing value are missing.
class node {
 public:
  node() = default;
  node(const json::value& value) : value_(&value) {}

  [[nodiscard]] explicit operator bool() const { return value_ != nullptr; }
  [[nodiscard]] bool is(json::kind kind) const { return value_ != nullptr && value_->kind() == kind; }
  [[nodiscard]] bool is_object() const { return is(json::kind::object); }

  [[nodiscard]] node operator[](std::string_view key) const {
    node member;
    if (is_object()) member.value_ = value_->get_object().if_contains({key.data(), key.size()});
    return member;
  }
  [[nodiscard]] std::span<const json::value> list() const {
    if (!is(json::kind::array)) return {};
    return {value_->get_array().data(), value_->get_array().size()};
  }
  [[nodiscard]] std::string_view text() const {
    if (!is(json::kind::string)) return {};
    return {value_->get_string().data(), value_->get_string().size()};
  }
  [[nodiscard]] bool boolean() const { return is(json::kind::bool_) && value_->get_bool(); }
  /// Returns an index, or \p otherwise.
  [[nodiscard]] std::uint64_t index(std::uint64_t otherwise) const {
    return is(json::kind::int64) ? static_cast<std::uint64_t>(value_->get_int64()) : otherwise;
  }

 private:
  const json::value* value_{};
};

void append_text(node content, std::string& out) {
  out += content.text();
  for (const node part : content.list()) {
    const std::string_view kind = part["type"].text();
    const bool plain = !part["type"] || kind == "text" || kind == "output_text";
    if (plain) out += part["text"].text();
  }
}

void read_choice(node from, std::uint64_t place, payload_choice& out) {
  out.index = from["index"].index(place);
  out.finished = from["finish_reason"].is(json::kind::string);
  const node holder = from["delta"].is_object() ? from["delta"] : from["message"];
  append_text(holder["content"], out.text);
}

/// Reads a line or body of Ollama, which has `done`.
void read_ollama(node from, payload& out) {
  if (!from["done"].is(json::kind::bool_)) return;
  payload_choice& one = out.choices.emplace_back();
  one.finished = from["done"].boolean();
  append_text(from["message"].is_object() ? from["message"]["content"] : from["response"], one.text);
}

/// Reads an event of Responses, Anthropic or Cohere, which has `type`, or one of Interactions.
void read_typed(node from, payload& out) {
  std::string_view type = from["type"].text();
  if (type.empty()) type = from["event_type"].text();
  const node delta = from["delta"];
  std::string_view text;
  if (type == "response.output_text.delta") text = delta.text();
  if (type == "content_block_delta") text = delta["text"].text();
  if (type == "step.delta" && delta["type"].text() == "text") text = delta["text"].text();
  if (type == "content-delta") text = delta["message"]["content"]["text"].text();
  const bool finished = type == "response.completed" || type == "response.incomplete" ||
                        type == "message_stop" || type == "message-end" || type == "interaction.completed";
  const bool begins = type == "response.created" || type == "message_start" || type == "message-start" ||
                      type == "interaction.created";
  if (text.empty() && !finished && !begins) return;
  payload_choice& one = out.choices.emplace_back();
  one.text = text;
  one.finished = finished;
}

/// Reads a body of Responses, Interactions, Anthropic or Cohere.
void read_body(node from, payload& out) {
  const std::string_view object = from["object"].text();
  node items;
  if (object == "response") items = from["output"];
  if (object == "interaction") items = from["steps"];
  node holder;
  if (from["type"].text() == "message") holder = from;
  if (from["message"].is_object() && !from["type"] && !from["done"]) holder = from["message"];
  if (object != "response" && object != "interaction" && !holder) return;
  payload_choice& whole = out.choices.emplace_back();
  whole.finished = true;
  for (const node item : items.list()) append_text(item["content"], whole.text);
  append_text(holder["content"], whole.text);
}

/// Reads a chunk or a body of Gemini, which has `candidates`.
void read_gemini(node from, payload& out) {
  for (const node candidate : from["candidates"].list()) {
    if (!candidate.is_object()) continue;
    payload_choice& one = out.choices.emplace_back();
    one.index = candidate["index"].index(0);
    one.finished = !candidate["finishReason"].text().empty();
    for (const node part : candidate["content"]["parts"].list()) {
      if (!part["thought"].boolean()) one.text += part["text"].text();
    }
  }
}

/// Reads an event or a body of Bedrock Converse, which has no type in its payload.
void read_converse(node from, payload& out) {
  const node output = from["output"];
  if (output["message"].is_object()) {
    payload_choice& whole = out.choices.emplace_back();
    whole.finished = true;
    for (const node block : output["message"]["content"].list()) {
      whole.text += block["text"].text();
      append_text(block["citationsContent"]["content"], whole.text);  // a text with citations
    }
    return;
  }
  const bool begins = from["role"].text() == "assistant" && !from["type"];
  const bool finished = !from["stopReason"].text().empty() && !output.is_object();
  const node delta = from["contentBlockIndex"] ? from["delta"] : node();
  if (!begins && !finished && !delta.is_object()) return;
  payload_choice& one = out.choices.emplace_back();
  one.finished = finished;
  one.text = delta["text"].text();
}

/// Reads an event of Amazon Nova, which has one of Converse as a member.
void read_nova(node from, payload& out) {
  for (const std::string_view name : {"messageStart", "contentBlockDelta", "messageStop"}) {
    read_converse(from[name], out);
  }
}

/// Reads an event or a body of Amazon Titan or Meta Llama.
void read_model_text(node from, payload& out) {
  for (const node one : from["results"].list()) read_model_text(one, out);
  const bool titan{from["outputText"]};
  if (!titan && !from["generation"]) return;
  payload_choice& one = out.choices.emplace_back();
  one.text = from[titan ? "outputText" : "generation"].text();
  one.finished = !from[titan ? "completionReason" : "stop_reason"].text().empty();
}

/// Returns the dialect of a payload if its markers are not links, otherwise an empty view.
std::string_view dialect_of(node root, node first_choice) {
  if (!root["search_results"].list().empty() || !root["citations"].list().empty()) return "perplexity";
  for (const std::string_view holder : {"delta", "message"}) {
    if (first_choice[holder]["context"].is_object()) return "azure";
  }
  return {};
}

void read_object(node from, payload& out) {
  out.error = out.error || (from["error"] && !from["error"].is(json::kind::null));
  const node choices = from["choices"];
  node first;
  std::uint64_t place = 0;
  for (const node choice : choices.list()) {
    if (choice.is_object()) read_choice(choice, place, out.choices.emplace_back());
    if (!first && choice.is_object()) first = choice;
    ++place;
  }
  if (!choices.is(json::kind::array)) {
    for (const auto read : {&read_ollama, &read_typed, &read_body, &read_gemini, &read_converse, &read_nova,
                            &read_model_text}) {
      read(from, out);
    }
  }
  out.dialect = dialect_of(from, first);
}

}  // namespace

std::string read_payload(std::string_view text, payload& out) {
  std::array<unsigned char, std::size_t{16} * 1024> room;
  out = {};
  json::monotonic_resource memory(room.data(), room.size());
  json::parse_options options;
  options.max_depth = max_depth;
  json::error_code error;
  const json::value root = json::parse({text.data(), text.size()}, error, &memory, options);
  if (error) return "not JSON: " + error.message();
  if (root.is_object()) read_object(root, out);
  // An array is a stream of Gemini without `alt=sse`.
  for (const node each : node(root).list()) {
    if (each.is_object()) read_object(each, out);
  }
  return {};
}

}  // namespace citestream::load
