/// \file
/// Where the requests of each protocol have tool calls, tool results and the system prompt.
///
/// | protocol | result | id | system prompt |
/// |---|---|---|---|
/// | chat, Cohere, Ollama | `messages[role=tool].content` | `tool_call_id` | `messages[role=system]` |
/// | OpenAI Responses | `input[type=function_call_output].output` | `call_id` | `instructions` |
/// | Anthropic Messages | `messages[].content[type=tool_result].content` | `tool_use_id` | `system` |
/// | Gemini | `contents[].parts[].functionResponse.response` | `id`, else `name` | `systemInstruction` |
/// | Gemini Interactions | `input[type=function_result].result` | `call_id` | `system_instruction` |
/// | Bedrock Converse | `messages[].content[].toolResult.content[]` | `toolUseId` | `system[]` |
/// | AG-UI | `messages[role=tool].content` | `toolCallId` | `context[]` |
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace citestream::provenance {

/// How a protocol writes its system prompt.
enum class prompt_form : std::uint8_t {
  message,           ///< a message of the list
  member,            ///< a member of the request: a string, or a list of text parts
  parts,             ///< a member: a list of `{"text"}`
  object_of_parts,   ///< a member: an object with such a list in `parts`
  list_of_contexts,  ///< a member: a list of `{"description","value"}`
};

/// A tool call or a tool result.
struct request_step {
  bool is_result{};
  std::string_view id;    ///< of the call; empty if it has none
  std::string_view name;  ///< of the tool; empty if only the call names it
  /// A call: its arguments, an object or a string of JSON. A result: a string, a list of parts or an object.
  json_value value;
  /// A result: the list of its parts, if \ref value is in one of them or next to them.
  json_value parts;
};

/// The tool calls and results of a request. Values and views are valid as long as the document.
struct request_content {
  std::vector<request_step> steps;  ///< in order
  /// Parts that the model reads and that get no key: documents, search results, and results of other kinds of
  /// tools.
  std::vector<json_value> unkeyed;
  json_value list;  ///< of messages or items; missing: this is not a request with tools
  prompt_form prompt{};
  std::string_view prompt_name;  ///< of the member
};

/// Reads a request.
[[nodiscard]] request_content read_request(json_value root);

/// Returns the first of two members that is there.
inline json_value either(json_value object, std::string_view name, std::string_view other) noexcept {
  const json_value found = object[name];
  return found ? found : object[other];
}

/// Returns the text of one part of a content list (`{"type":"text","text":"…"}`; the type may be missing), or
/// a missing value for parts of other types.
inline json_value text_of_part(json_value part) noexcept {
  const json_value type = part["type"];
  const std::string_view name = type.string();
  if (type && name != "text" && name != "input_text" && name != "output_text") return {};
  const json_value text = part["text"];
  return text.is_string() ? text : json_value();
}

}  // namespace citestream::provenance
