#include "replay/message_body.hpp"

#include <string_view>

#include "rewrite/json.hpp"

namespace citestream::replay {

bool message_answer::begins(json_value root) {
  return root["type"].string() == "message_start";
}

void message_answer::block::add(json_value delta) {
  input += delta["partial_json"].string();
  if (const json_value one = delta["citation"])
    citations.append(citations.empty() ? "[" : ",").append(one.raw());
  for (const std::string_view key : {"text", "thinking", "signature"}) {
    if (delta[key].is_string()) texts[std::string(key)] += delta[key].string();
  }
}

std::string message_answer::block::json() {
  for (const auto& [key, text] : texts) own.set(key, json_string(text));
  if (!citations.empty()) own.set("citations", citations + "]");
  if (!input.empty()) own.set("input", complete_input(input));
  std::string out;
  own.append(out);
  return out;
}

void message_answer::set_all(json_value from, joined_members& to) {
  for (json_value each = from.first(); each; each = each.next()) {
    if (each.key() == "usage") {
      set_all(each, usage_);
    } else {
      to.set(each.key(), each);
    }
  }
}

void message_answer::add(json_value root) {
  const std::string_view type = root["type"].string();
  if (type == "message_start") set_all(root["message"], message_);
  const json_value index = root["index"];
  if (type == "content_block_start") {
    block& begun = blocks_[index.integer().value_or(0)];
    set_all(root["content_block"], begun.own);
    begun.add(root["content_block"]);
  }
  if (type == "content_block_delta") blocks_[index.integer().value_or(0)].add(root["delta"]);
  if (type != "message_delta") return;
  set_all(root["delta"], message_);
  set_all(root["usage"], usage_);
  if (root["citestream"]) message_.set("citestream", root["citestream"]);
}

std::string message_answer::json() {
  std::string content;
  for (auto& [index, one] : blocks_) content.append(content.empty() ? "[" : ",").append(one.json());
  message_.set("content", content.empty() ? "[]" : content + "]");
  std::string usage;
  usage_.append(usage);
  if (usage != "{}") message_.set("usage", usage);
  std::string out;
  message_.append(out);
  return out;
}

}  // namespace citestream::replay
