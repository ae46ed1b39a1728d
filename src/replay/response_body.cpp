#include "replay/response_body.hpp"

#include <algorithm>

#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

void append_element(std::string_view json, std::string& list) {
  list.append(list.empty() || json.empty() ? "" : ",").append(json);
}

}  // namespace

constexpr response_answer::text_form response_answer::of_parts[] = {
    {"response.output_text.delta", "text", "output_text"},
    {"response.refusal.delta", "refusal", "refusal"},
    {"response.reasoning_text.delta", "text", "reasoning_text"},
    {"response.reasoning_summary_text.delta", "text", "summary_text"},
};

constexpr response_answer::text_form response_answer::of_items[] = {
    {"response.function_call_arguments.delta", "arguments"},
    {"response.mcp_call_arguments.delta", "arguments"},
    {"response.custom_tool_call_input.delta", "input"},
    {"response.code_interpreter_call_code.delta", "code"},
};

void response_answer::growing_text::add(std::span<const text_form> forms, json_value root) {
  const auto found = std::ranges::find(forms, root["type"].string(), &text_form::event);
  if (found == forms.end()) return;
  form = &*found;
  text += root["delta"].string();
}

bool response_answer::begins(json_value root) {
  return root["response"]["object"].string() == "response";
}

void response_answer::part::add(json_value root) {
  own.set_all(root["part"]);
  if (const json_value annotation = root["annotation"]) append_element(annotation.raw(), annotations);
  text.add(of_parts, root);
}

std::string response_answer::part::json() {
  if (own.empty()) {  // the event that begins the part is missing
    const text_form& begun = text.form == nullptr ? of_parts[0] : *text.form;
    own.set("type", json_string(begun.part_type));
    own.set(begun.key, json_string(text.text));
    if (&begun == &of_parts[0]) own.set("annotations", "[]");
  }
  if (text.form != nullptr) own.set(text.form->key, json_string(text.text));
  if (!annotations.empty()) own.set("annotations", '[' + annotations + ']');
  std::string out;
  own.append(out);
  return out;
}

void response_answer::item::add(json_value root) {
  const std::string_view type = root["type"].string();
  own.set_all(root["item"]);
  if (type == "response.output_item.done") complete = root["item"].raw();
  has_status = has_status || root["item"]["status"];
  if (root["item_id"].is_string()) id = root["item_id"].raw();
  if (const auto index = root["content_index"].integer()) parts[*index].add(root);
  if (const auto index = root["summary_index"].integer()) summaries[*index].add(root);
  text.add(of_items, root);
}

std::string response_answer::item::json() {
  if (!complete.empty()) return complete;
  if (own.empty() && parts.empty()) return {};  // nothing says what it is
  if (own.empty()) {                            // the event that begins the item is missing
    own.set("type", "\"message\"");
    if (!id.empty()) own.set("id", id);
    own.set("role", "\"assistant\"");
  }
  const auto list = [&](std::string_view key, std::map<std::int64_t, part>& from) {
    std::string elements;
    for (auto& [index, one] : from) append_element(one.json(), elements);
    if (!elements.empty()) own.set(key, '[' + elements + ']');
  };
  list("content", parts);
  list("summary", summaries);
  if (text.form != nullptr) own.set(text.form->key, json_string(text.text));
  if (has_status || !parts.empty() || text.form != nullptr) own.set("status", "\"incomplete\"");
  std::string out;
  own.append(out);
  return out;
}

void response_answer::add(json_value root) {
  const std::string_view type = root["type"].string();
  const json_value whole = root["response"];
  if (whole.is_object()) {
    top_.set_all(whole);
    const bool begun =
        type == "response.created" || type == "response.queued" || type == "response.in_progress";
    if (!begun) complete_ = whole.raw();
  }
  if (const auto index = root["output_index"].integer()) items_[*index].add(root);
}

std::string response_answer::json() {
  if (!complete_.empty()) return complete_;
  std::string output;
  for (auto& [index, one] : items_) append_element(one.json(), output);
  top_.set("status", "\"incomplete\"");
  top_.set("output", '[' + output + ']');
  std::string out;
  top_.append(out);
  return out;
}

}  // namespace citestream::replay
