// How a request is read.
//
// The list decides: `contents` is Gemini's, `input` that of OpenAI Responses and of Interactions, `messages`
// that of all others. Messages of all protocols are read by the same function, because their members have
// different names. A part that only one protocol has tells which one it is, and so where its system prompt
// is.
#include "request_form.hpp"

namespace citestream::provenance {

namespace {

void add_call(std::string_view id, std::string_view name, json_value arguments, request_content& out) {
  out.steps.push_back({false, id, name, arguments, {}});
}

void add_result(std::string_view id, std::string_view name, json_value value, request_content& out,
                json_value parts = {}) {
  out.steps.push_back({true, id, name, value, parts});
}

void set_prompt_place(prompt_form form, std::string_view name, request_content& out) noexcept {
  out.prompt = form;
  out.prompt_name = name;
}

/// The content of a result of Converse: its texts, or, if it has none, its JSON.
json_value converse_result(json_value content) noexcept {
  json_value object;
  for (const json_value& part : content.elements()) {
    if (text_of_part(part)) return content;
    if (!object && part["json"].is_object()) object = part["json"];
  }
  return object ? object : content;
}

/// A part of a message: of Anthropic, or of Converse.
void read_part(json_value part, request_content& out) {
  const std::string_view type = part["type"].string();
  if (type == "tool_use") return add_call(part["id"].string(), part["name"].string(), part["input"], out);
  if (type == "tool_result") {
    set_prompt_place(prompt_form::member, "system", out);
    return add_result(part["tool_use_id"].string(), {}, part["content"], out);
  }
  if (type == "document" || type == "search_result" || type.ends_with("_tool_result"))
    return out.unkeyed.push_back(part);
  if (const json_value use = part["toolUse"])
    return add_call(use["toolUseId"].string(), use["name"].string(), use["input"], out);
  const json_value result = part["toolResult"];
  if (!result) return out.unkeyed.push_back(either(part, "document", "searchResult"));
  set_prompt_place(prompt_form::parts, "system", out);
  const json_value content = result["content"];
  const json_value value = converse_result(content);
  add_result(result["toolUseId"].string(), {}, value, out, value.is_object() ? content : json_value());
}

void read_message(json_value message, request_content& out) {
  const std::string_view role = message["role"].string();
  const json_value content = message["content"];
  if (role == "tool" || role == "function") {
    const std::string_view id = either(message, "tool_call_id", "toolCallId").string();
    const json_value name = either(message, "name", "tool_name");
    if (content.is_object()) return out.unkeyed.push_back(content);  // a form that no API has
    return add_result(id, name.string(), content, out);
  }
  const json_value calls = either(message, "tool_calls", "toolCalls");
  if (role == "assistant") {
    for (const json_value& call : calls.elements()) {
      const json_value function = call["function"];
      add_call(call["id"].string(), function["name"].string(), function["arguments"], out);
    }
  }
  for (const json_value& part : content.elements()) read_part(part, out);
}

/// An item of OpenAI Responses or of Interactions.
void read_item(json_value item, request_content& out) {
  const std::string_view type = item["type"].string();
  const std::string_view id = item["call_id"].string();
  if (type == "function_call" || type == "custom_tool_call") {
    const json_value arguments = either(item, "arguments", "input");
    return add_call(id.empty() ? item["id"].string() : id, item["name"].string(), arguments, out);
  }
  if (type == "function_call_output" || type == "custom_tool_call_output") {
    set_prompt_place(prompt_form::member, "instructions", out);
    return add_result(id, {}, item["output"], out);
  }
  if (type != "function_result") {
    for (const std::string_view name : {"output", "outputs", "result", "results", "error", "tools"})
      out.unkeyed.push_back(item[name]);
    return;
  }
  set_prompt_place(prompt_form::member, "system_instruction", out);
  add_result(id, item["name"].string(), item["result"], out);
}

/// A part of Gemini. Its results are objects.
void read_gemini_part(json_value part, request_content& out) {
  const auto id_of = [](json_value one) { return either(one, "id", "name").string(); };
  if (const json_value call = either(part, "functionCall", "function_call"))
    return add_call(id_of(call), call["name"].string(), call["args"], out);
  const json_value found = either(part, "functionResponse", "function_response");
  if (found) return add_result(id_of(found), found["name"].string(), found["response"], out, found["parts"]);
  out.unkeyed.push_back(either(part, "codeExecutionResult", "code_execution_result"));
}

}  // namespace

request_content read_request(json_value root) {
  request_content out;
  out.unkeyed.push_back(root["documents"]);
  if (const json_value contents = root["contents"]; contents.is_array()) {
    out.list = contents;
    set_prompt_place(prompt_form::object_of_parts,
                     root["system_instruction"] ? "system_instruction" : "systemInstruction", out);
    for (const json_value& one : contents) {
      for (const json_value& part : one["parts"].elements()) read_gemini_part(part, out);
    }
  } else if (const json_value input = root["input"]; input.is_array()) {
    out.list = input;
    for (const json_value& item : input) read_item(item, out);
  } else if (const json_value messages = root["messages"]; messages.is_array()) {
    out.list = messages;
    for (const json_value& one : messages) read_message(one, out);
    if (root["threadId"] && root["runId"]) set_prompt_place(prompt_form::list_of_contexts, "context", out);
  }
  return out;
}

}  // namespace citestream::provenance
