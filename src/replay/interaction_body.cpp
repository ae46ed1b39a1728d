#include "replay/interaction_body.hpp"

#include <string_view>

#include "rewrite/json.hpp"

namespace citestream::replay {

bool interaction_answer::begins(json_value root) {
  return root["interaction"]["object"].string() == "interaction";
}

/// Adds a delta, or a part with which the step starts.
void interaction_answer::step::add(json_value delta) {
  has_text = has_text || delta["type"].string() == "text";
  text += delta["text"].string();
  for (json_value one = delta["annotations"].first(); one; one = one.next())
    annotations.append(annotations.empty() ? "" : ",").append(one.raw());
  if (delta["signature"].is_string()) own.set("signature", delta["signature"]);
}

std::string interaction_answer::step::json() {
  if (has_text) {
    std::string part = "[{\"text\":" + json_string(text) + ",\"type\":\"text\"";
    if (!annotations.empty()) part.append(",\"annotations\":[").append(annotations).append("]");
    own.set("content", part + "}]");
  }
  std::string out;
  own.append(out);
  return out;
}

void interaction_answer::add(json_value root) {
  const json_value whole = root["interaction"];
  for (json_value each = whole.first(); each; each = each.next()) top_.set(each.key(), each);
  const auto index = root["index"].integer();
  if (!index) return;
  step& to = steps_[*index];
  const json_value start = root["step"];
  for (json_value each = start.first(); each; each = each.next()) {
    if (each.key() != "content") to.own.set(each.key(), each);
  }
  for (json_value one = start["content"].first(); one; one = one.next()) to.add(one);
  to.add(root["delta"]);
}

std::string interaction_answer::json() {
  std::string list;
  for (auto& [index, one] : steps_) list.append(list.empty() ? "[" : ",").append(one.json());
  top_.set("steps", list.empty() ? "[]" : list + ']');
  std::string out;
  top_.append(out);
  return out;
}

}  // namespace citestream::replay
