#include "replay/converse_body.hpp"

#include "rewrite/json.hpp"

namespace citestream::replay {

bool converse_answer::begins(json_value root) {
  return root["contentBlockIndex"].integer().has_value();
}

void converse_answer::block::add(json_value root) {
  const json_value delta = root["delta"];
  text += delta["text"].string();
  input += delta["toolUse"]["input"].string();
  if (const json_value one = delta["citation"])
    citations.append(citations.empty() ? "" : ",").append(one.raw());
  tool.set_all(root["start"]["toolUse"]);
}

void converse_answer::block::append(std::string& list) {
  std::string plain = "{\"text\":" + json_string(text) + '}';
  if (!tool.empty()) {
    tool.set("input", complete_input(input));
    plain = "{\"toolUse\":";
    tool.append(plain);
    plain += '}';
  } else if (!citations.empty()) {
    plain = "{\"citationsContent\":{\"content\":[" + plain + "],\"citations\":[" + citations + "]}}";
  } else if (text.empty()) {
    return;  // reasoning, or the result of a tool of the server
  }
  list.append(list.empty() ? "" : ",").append(plain);
}

void converse_answer::add(json_value root) {
  if (const auto index = root["contentBlockIndex"].integer()) return blocks_[*index].add(root);
  for (json_value each = root.first(); each; each = each.next()) {
    if (each.key() != "role" && each.key() != "p") top_.set(each.key(), each);
  }
}

void converse_answer::add_to(std::int64_t index, json_value root) {
  blocks_[index].add(root);
}

std::string converse_answer::json() {
  std::string list;
  for (auto& [index, one] : blocks_) one.append(list);
  top_.set("output", "{\"message\":{\"role\":\"assistant\",\"content\":[" + list + "]}}");
  std::string out;
  top_.append(out);
  return out;
}

bool nova_answer::begins(json_value root) {
  return root["messageStart"]["role"].is_string();
}

void nova_answer::add(json_value root) {
  if (root["contentBlockStop"]) return;
  const json_value event = root.first();
  if (event["delta"]["text"].is_string()) {
    if (!text_) text_ = event["contentBlockIndex"].integer();
    return events_.add_to(text_.value_or(0), event);
  }
  if (event["contentBlockIndex"]) text_.reset();
  events_.add(event);
}

}  // namespace citestream::replay
