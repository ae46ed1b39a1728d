#include "instructions.hpp"

#include <citestream/provenance/provenance.hpp>

#include <string>

#include "rewrite/json.hpp"

namespace citestream {

using provenance::prompt_form;

namespace {

constexpr std::string_view instructions =
    "How to cite the results of tools in your answer:\n"
    "- The line above a result, such as [REF|d_1] or [REF|a_2], is its key. Keys with d_ are data that a "
    "tool has read, keys with a_ are answers of other agents.\n"
    "- Write the key in the same form directly after the sentence or phrase that it supports: [REF|d_1]. If "
    "several results support it, write their keys in one pair of brackets: [REF|d_1|d_3].\n"
    "- Cite figures, dates, names, definitions, findings and opinions that you take from a result, in its "
    "words or in yours.\n"
    "- Do not cite your own reasoning, connecting words or common knowledge. Do not cite again what you have "
    "already cited in this answer.\n"
    "- Cite the result that is closest to the source: if both data and the answer of another agent contain "
    "it, use the d_ key. Use an a_ key only for what no data here contains, and never both for one "
    "statement.\n"
    "- Use only keys that appear above a result in this conversation. Never invent or change a key. What no "
    "result supports has no key.\n"
    "- Do not cite in any other way, and do not add a list of sources.";
// A request that contains the first line does not get the instructions again.
constexpr std::string_view first_line = instructions.substr(0, instructions.find('\n'));

bool is_prompt(json_value message) noexcept {
  const std::string_view role = message["role"].string();
  return role == "system" || role == "developer";
}

bool has_instructions(json_value prompt) noexcept {
  return prompt.raw().find(first_line) != std::string_view::npos;
}

/// The instructions in an object, between the given bytes.
std::string as_object(std::string_view before, std::string_view after) {
  std::string out(before);
  append_json_string(instructions, out);
  return out.append(after);
}

std::string as_part() {
  return as_object(R"({"type":"text","text":)", "}");
}

void append_to_text(json_value content, splicer& edits) {
  std::string json;
  append_json_string(instructions, json);
  json.replace(0, 1, content.string().empty() ? "" : "\\n\\n");
  const std::size_t quote = content.range().end - 1;
  edits.replace({quote, quote + 1}, json);
}

void insert_message(json_value messages, splicer& edits) {
  const std::size_t bracket = messages.range().begin;
  edits.replace({bracket, bracket + 1}, as_object(R"([{"role":"system","content":)", "},"));
}

/// Puts the instructions into the first message with a system prompt, or into a new one.
void add_to_messages(json_value messages, splicer& edits) {
  json_value prompt;
  for (const json_value& message : messages) {
    if (!is_prompt(message)) continue;
    const json_value content = message["content"];
    if (has_instructions(content)) return;
    if (!prompt && (content.is_string() || content.is_array())) prompt = content;
  }
  if (prompt.is_string()) {
    append_to_text(prompt, edits);
  } else if (prompt.is_array()) {
    edits.insert_elements(prompt.range(), as_part());
  } else {
    insert_message(messages, edits);
  }
}

/// An element of the list that a protocol has for its system prompt.
std::string element_of(prompt_form form) {
  if (form == prompt_form::member) return as_part();
  if (form == prompt_form::list_of_contexts)
    return as_object(R"({"description":"How to cite","value":)", "}");
  return as_object(R"({"text":)", "}");
}

/// A whole system prompt.
std::string prompt_of(prompt_form form) {
  if (form == prompt_form::member) return as_object("", "");
  const std::string list = "[" + element_of(form) + "]";
  return form == prompt_form::object_of_parts ? "{\"parts\":" + list + "}" : list;
}

}  // namespace

std::string_view citation_instructions() noexcept {
  return instructions;
}

void provenance::add_instructions(json_value root, const request_content& request, splicer& edits) {
  if (request.prompt == prompt_form::message) return add_to_messages(request.list, edits);
  const json_value prompt = root[request.prompt_name];
  const json_value list = request.prompt == prompt_form::object_of_parts ? prompt["parts"] : prompt;
  if (has_instructions(prompt)) return;
  if (!prompt) {
    edits.insert_member(root.range(), request.prompt_name, prompt_of(request.prompt));
  } else if (list.is_array()) {
    edits.insert_elements(list.range(), element_of(request.prompt));
  } else if (list.is_string()) {
    append_to_text(list, edits);
  } else {
    edits.replace(prompt.range(), prompt_of(request.prompt));
  }
}

}  // namespace citestream
