#include "replay/cohere_body.hpp"

#include <string_view>

#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

/// Appends `"name":"text"`.
void append_member(std::string_view name, std::string_view text, std::string& out) {
  out.append("\"").append(name).append("\":");
  append_json_string(text, out);
}

/// Appends `,"name":[list]` if the list is not empty.
void append_list(std::string_view name, std::string_view list, std::string& out) {
  if (!list.empty()) out.append(",\"").append(name).append("\":[").append(list).append("]");
}

}  // namespace

bool cohere_answer::begins(json_value root) {
  return root["type"].string() == "message-start" && root["delta"]["message"]["content"].is_array();
}

void cohere_answer::add_content(json_value content, block& to) {
  if (content["type"]) to.type = content["type"].string();
  to.text.append(content["text"].string()).append(content["thinking"].string());
}

void cohere_answer::add_call(json_value call, tool_call& to) {
  if (call["id"]) to.id = call["id"].string();
  const json_value function = call["function"];
  if (function["name"]) to.name = function["name"].string();
  to.arguments.append(function["arguments"].string());
}

void cohere_answer::add(json_value root) {
  const std::string_view type = root["type"].string();
  const std::int64_t index = root["index"].integer().value_or(0);
  const json_value message = root["delta"]["message"];
  if (type == "message-start") id_ = root["id"].string();
  if (type == "content-start" || type == "content-delta") add_content(message["content"], blocks_[index]);
  if (type == "tool-plan-delta") plan_.append(message["tool_plan"].string());
  if (type == "tool-call-start" || type == "tool-call-delta") add_call(message["tool_calls"], calls_[index]);
  if (type == "citation-start")
    citations_.append(citations_.empty() ? "" : ",").append(message["citations"].raw());
  if (type != "message-end") return;
  for (json_value one = root["delta"].first(); one; one = one.next())
    end_.append(",\"").append(one.key()).append("\":").append(one.raw());
}

std::string cohere_answer::json() const {
  std::string contents;
  for (const auto& [index, one] : blocks_) {
    contents.append(contents.empty() ? "{" : ",{");
    append_member("type", one.type, contents);
    contents.append(",");
    append_member(one.type == "thinking" ? "thinking" : "text", one.text, contents);
    contents.append("}");
  }
  std::string calls;
  for (const auto& [index, one] : calls_) {
    calls.append(calls.empty() ? "{" : ",{");
    append_member("id", one.id, calls);
    calls.append(",\"type\":\"function\",\"function\":{");
    append_member("name", one.name, calls);
    calls.append(",");
    append_member("arguments", one.arguments, calls);
    calls.append("}}");
  }
  std::string out("{");
  append_member("id", id_, out);
  out.append(",\"message\":{\"role\":\"assistant\",\"content\":[").append(contents).append("]");
  if (!plan_.empty()) out.append(",");
  if (!plan_.empty()) append_member("tool_plan", plan_, out);
  append_list("tool_calls", calls, out);
  append_list("citations", citations_, out);
  return out.append("}").append(end_).append("}");
}

}  // namespace citestream::replay
