#include "replay/gemini_body.hpp"

#include <string_view>
#include <utility>

#include "rewrite/json.hpp"

namespace citestream::replay {

bool gemini_answer::begins(json_value root) {
  const bool chunk = root["usageMetadata"] || root["modelVersion"] || root["responseId"];
  return root["candidates"].is_array() && chunk;
}

void gemini_answer::candidate::add_part(json_value from) {
  const bool is_text = from["text"].is_string();
  const bool thought = from["thought"].boolean().value_or(false);
  const bool goes_on = is_text && !parts.empty() && parts.back().is_text && parts.back().thought == thought;
  if (!goes_on) parts.push_back({{}, {}, is_text, thought});
  part& to = parts.back();
  to.text += from["text"].string();
  to.own.set_all(from);
}

/// A later chunk may add to a list, or send it again.
void gemini_answer::candidate::add_grounding(json_value from) {
  own.set("groundingMetadata", std::string("{}"));  // keeps its place
  for (json_value each = from.first(); each; each = each.next()) {
    grounding.set(each.key(), each);
    if (!each.is_array()) continue;
    std::string list;
    for (json_value one = each.first(); one; one = one.next())
      list.append(list.empty() ? "" : ",").append(one.raw());
    std::string& known = lists[std::string(each.key())];
    if (list.starts_with(known)) {
      known = std::move(list);
    } else if (!list.empty()) {
      known.append(",").append(list);
    }
  }
}

void gemini_answer::candidate::add(json_value from) {
  for (json_value each = from.first(); each; each = each.next()) {
    if (each.key() == "content" && each.is_object()) {
      own.set("content", std::string());
      content.set("parts", std::string());
      for (json_value inner = each.first(); inner; inner = inner.next()) {
        if (inner.key() != "parts") content.set(inner.key(), inner);
      }
      for (json_value one = each["parts"].first(); one; one = one.next()) add_part(one);
    } else if (each.key() == "groundingMetadata" && each.is_object()) {
      add_grounding(each);
    } else {
      own.set(each.key(), each);
    }
  }
}

std::string gemini_answer::candidate::json() {
  std::string list;
  for (part& one : parts) {
    if (one.is_text) one.own.set("text", json_string(one.text));
    list += list.empty() ? '[' : ',';
    one.own.append(list);
  }
  std::string whole;
  if (!content.empty()) {
    content.set("parts", list.empty() ? "[]" : list + ']');
    content.append(whole);
    own.set("content", std::exchange(whole, {}));
  }
  if (!grounding.empty()) {
    for (const auto& [key, elements] : lists) grounding.set(key, '[' + elements + ']');
    grounding.append(whole);
    own.set("groundingMetadata", std::exchange(whole, {}));
  }
  own.append(whole);
  return whole;
}

void gemini_answer::add(json_value root) {
  for (json_value each = root.first(); each; each = each.next()) {
    if (each.key() == "candidates" && each.is_array()) {
      top_.set(each.key(), std::string());  // keeps its place
    } else {
      top_.set(each.key(), each);
    }
  }
  for (json_value each = root["candidates"].first(); each; each = each.next())
    candidates_[each["index"].integer().value_or(0)].add(each);
}

std::string gemini_answer::json() {
  std::string list;
  for (auto& [index, one] : candidates_) list.append(list.empty() ? "[" : ",").append(one.json());
  top_.set("candidates", list.empty() ? "[]" : list + ']');
  std::string out;
  top_.append(out);
  return out;
}

}  // namespace citestream::replay
