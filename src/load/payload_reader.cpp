// Text is `choices[].delta.content` of a stream and `choices[].message.content` of a body: a string, or a
// list of parts with a text each. Ollama has it in `message.content` or `response`. Payloads of other APIs
// (Responses, Anthropic, Cohere, Gemini and its Interactions, Bedrock) are read by what they are; all their
// texts are one. Everything else in a payload is ignored, except what shows which markers to expect.
#include "payload_reader.hpp"

#include <array>
#include <cstddef>

#include <boost/json/src.hpp>  // Boost.JSON is compiled here, so no further library is linked

namespace citestream::load {
namespace {

namespace json = boost::json;

constexpr std::size_t max_depth = 128;

std::string_view view(const json::string& text) {
  return {text.data(), text.size()};
}

const json::value* member(const json::object& in, std::string_view key) {
  return in.if_contains({key.data(), key.size()});
}

const json::object* object_in(const json::object& in, std::string_view key) {
  const json::value* const found = member(in, key);
  return found == nullptr ? nullptr : found->if_object();
}

void append_text(const json::value& content, std::string& out) {
  if (const json::string* const text = content.if_string()) out += view(*text);
  const json::array* const parts = content.if_array();
  if (parts == nullptr) return;
  for (const json::value& each : *parts) {
    const json::object* const part = each.if_object();
    if (part == nullptr) continue;
    const json::value* const type = member(*part, "type");
    const json::value* const text = member(*part, "text");
    const std::string_view kind = type != nullptr && type->is_string() ? view(type->get_string()) : "";
    const bool plain = type == nullptr || kind == "text" || kind == "output_text";
    if (plain && text != nullptr && text->is_string()) out += view(text->get_string());
  }
}

void read_choice(const json::object& from, std::uint64_t place, payload_choice& out) {
  const json::value* const index = member(from, "index");
  out.index = index != nullptr && index->is_int64() ? static_cast<std::uint64_t>(index->get_int64()) : place;
  const json::value* const reason = member(from, "finish_reason");
  out.finished = reason != nullptr && reason->is_string();
  const json::object* holder = object_in(from, "delta");
  if (holder == nullptr) holder = object_in(from, "message");
  if (holder == nullptr) return;
  if (const json::value* const content = member(*holder, "content")) append_text(*content, out.text);
}

/// Reads a line or body of Ollama, which has `done`.
void read_ollama(const json::object& from, payload& out) {
  const json::value* const done = member(from, "done");
  if (done == nullptr || !done->is_bool()) return;
  payload_choice& one = out.choices.emplace_back();
  one.finished = done->get_bool();
  const json::object* const message = object_in(from, "message");
  const json::value* const text = message == nullptr ? member(from, "response") : member(*message, "content");
  if (text != nullptr) append_text(*text, one.text);
}

std::string_view string_in(const json::object& in, std::string_view key) {
  const json::value* const found = member(in, key);
  return found != nullptr && found->is_string() ? view(found->get_string()) : std::string_view();
}

/// Reads an event of Responses, Anthropic or Cohere, which has `type`, or one of Interactions.
void read_typed(const json::object& from, payload& out) {
  std::string_view type = string_in(from, "type");
  if (type.empty()) type = string_in(from, "event_type");
  const json::object* const delta = object_in(from, "delta");
  std::string_view text;
  if (type == "response.output_text.delta") text = string_in(from, "delta");
  if (type == "content_block_delta" && delta != nullptr) text = string_in(*delta, "text");
  if (type == "step.delta" && delta != nullptr && string_in(*delta, "type") == "text")
    text = string_in(*delta, "text");
  if (type == "content-delta" && delta != nullptr) {
    const json::object* const message = object_in(*delta, "message");
    const json::object* const content = message == nullptr ? nullptr : object_in(*message, "content");
    if (content != nullptr) text = string_in(*content, "text");
  }
  const bool finished = type == "response.completed" || type == "response.incomplete" ||
                        type == "message_stop" || type == "message-end" || type == "interaction.completed";
  const bool begins = type == "response.created" || type == "message_start" || type == "message-start" ||
                      type == "interaction.created";
  if (text.empty() && !finished && !begins) return;
  payload_choice& one = out.choices.emplace_back();
  one.text = text;
  one.finished = finished;
}

/// Appends the texts of the items of a list, each with a list `content`.
void append_items(const json::object& from, std::string_view list, std::string& out) {
  const json::value* const found = member(from, list);
  const json::array* const items = found == nullptr ? nullptr : found->if_array();
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const json::object* const item = (*items)[i].if_object();
    const json::value* const content = item == nullptr ? nullptr : member(*item, "content");
    if (content != nullptr) append_text(*content, out);
  }
}

/// Reads a body of Responses, Interactions, Anthropic or Cohere.
void read_body(const json::object& from, payload& out) {
  const std::string_view object = string_in(from, "object");
  const json::object* const message = object_in(from, "message");
  const json::object* holder = string_in(from, "type") == "message" ? &from : nullptr;
  if (message != nullptr && member(from, "type") == nullptr && member(from, "done") == nullptr)
    holder = message;
  if (object != "response" && object != "interaction" && holder == nullptr) return;
  payload_choice& whole = out.choices.emplace_back();
  whole.finished = true;
  if (object == "response") append_items(from, "output", whole.text);
  if (object == "interaction") append_items(from, "steps", whole.text);
  const json::value* const content = holder == nullptr ? nullptr : member(*holder, "content");
  if (content != nullptr) append_text(*content, whole.text);
}

/// Reads a chunk or a body of Gemini, which has `candidates`.
void read_gemini(const json::object& from, payload& out) {
  const json::value* const candidates = member(from, "candidates");
  const json::array* const list = candidates == nullptr ? nullptr : candidates->if_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const json::object* const candidate = (*list)[i].if_object();
    if (candidate == nullptr) continue;
    payload_choice& one = out.choices.emplace_back();
    const json::value* const index = member(*candidate, "index");
    one.index = index != nullptr && index->is_int64() ? static_cast<std::uint64_t>(index->get_int64()) : 0;
    one.finished = !string_in(*candidate, "finishReason").empty();
    const json::object* const content = object_in(*candidate, "content");
    const json::value* const parts = content == nullptr ? nullptr : member(*content, "parts");
    const json::array* const all = parts == nullptr ? nullptr : parts->if_array();
    for (std::size_t j = 0; all != nullptr && j < all->size(); ++j) {
      const json::object* const part = (*all)[j].if_object();
      const json::value* const thought = part == nullptr ? nullptr : member(*part, "thought");
      const bool hidden = thought != nullptr && thought->is_bool() && thought->get_bool();
      if (part != nullptr && !hidden) one.text += string_in(*part, "text");
    }
  }
}

/// Appends the texts of the blocks of a body of Converse. A text with citations is a list in its block.
void append_blocks(const json::object& message, std::string& out) {
  const json::value* const content = member(message, "content");
  const json::array* const blocks = content == nullptr ? nullptr : content->if_array();
  for (std::size_t i = 0; blocks != nullptr && i < blocks->size(); ++i) {
    const json::object* const block = (*blocks)[i].if_object();
    if (block == nullptr) continue;
    out += string_in(*block, "text");
    const json::object* const cited = object_in(*block, "citationsContent");
    const json::value* const texts = cited == nullptr ? nullptr : member(*cited, "content");
    if (texts != nullptr) append_text(*texts, out);
  }
}

/// Reads an event or a body of Bedrock Converse, which has no type in its payload.
void read_converse(const json::object& from, payload& out) {
  const json::object* const output = object_in(from, "output");
  if (const json::object* const message = output == nullptr ? nullptr : object_in(*output, "message")) {
    payload_choice& whole = out.choices.emplace_back();
    whole.finished = true;
    return append_blocks(*message, whole.text);
  }
  const bool begins = string_in(from, "role") == "assistant" && member(from, "type") == nullptr;
  const bool finished = !string_in(from, "stopReason").empty() && output == nullptr;
  const bool block = member(from, "contentBlockIndex") != nullptr;
  const json::object* const delta = block ? object_in(from, "delta") : nullptr;
  if (!begins && !finished && delta == nullptr) return;
  payload_choice& one = out.choices.emplace_back();
  one.finished = finished;
  if (delta != nullptr) one.text = string_in(*delta, "text");
}

/// Reads an event of Amazon Nova, which has one of Converse as a member.
void read_nova(const json::object& from, payload& out) {
  for (const std::string_view name : {"messageStart", "contentBlockDelta", "messageStop"}) {
    if (const json::object* const event = object_in(from, name)) read_converse(*event, out);
  }
}

/// Reads an event or a body of Amazon Titan or Meta Llama.
void read_model_text(const json::object& from, payload& out) {
  const json::value* const results = member(from, "results");
  const json::array* const list = results == nullptr ? nullptr : results->if_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const json::object* const one = (*list)[i].if_object()) read_model_text(*one, out);
  }
  const bool titan = member(from, "outputText") != nullptr;
  if (!titan && member(from, "generation") == nullptr) return;
  payload_choice& one = out.choices.emplace_back();
  one.text = string_in(from, titan ? "outputText" : "generation");
  one.finished = !string_in(from, titan ? "completionReason" : "stop_reason").empty();
}

bool is_list(const json::object& in, std::string_view key) {
  const json::value* const found = member(in, key);
  return found != nullptr && found->is_array() && !found->get_array().empty();
}

/// Returns the dialect of a payload if its markers are not links, otherwise an empty view.
std::string_view dialect_of(const json::object& root, const json::object* first_choice) {
  if (is_list(root, "search_results") || is_list(root, "citations")) return "perplexity";
  for (const char* const holder : {"delta", "message"}) {
    const json::object* const in = first_choice == nullptr ? nullptr : object_in(*first_choice, holder);
    if (in != nullptr && object_in(*in, "context") != nullptr) return "azure";
  }
  return {};
}

void read_object(const json::object& from, payload& out) {
  const json::value* const failed = member(from, "error");
  out.error = out.error || (failed != nullptr && !failed->is_null());
  const json::value* const choices = member(from, "choices");
  const json::array* const list = choices == nullptr ? nullptr : choices->if_array();
  const json::object* first = nullptr;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const json::object* const choice = (*list)[i].if_object();
    if (choice == nullptr) continue;
    if (first == nullptr) first = choice;
    read_choice(*choice, i, out.choices.emplace_back());
  }
  if (list == nullptr) {
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
  if (const json::object* const object = root.if_object()) read_object(*object, out);
  // An array is a stream of Gemini without `alt=sse`.
  const json::array* const list = root.if_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const json::object* const object = (*list)[i].if_object()) read_object(*object, out);
  }
  return {};
}

}  // namespace citestream::load
