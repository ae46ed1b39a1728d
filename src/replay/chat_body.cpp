#include "replay/chat_body.hpp"

#include <algorithm>
#include <utility>

#include "rewrite/json.hpp"

namespace citestream::replay {

void chat_content::add(json_value content) {
  if (content.is_string()) {
    form_ = std::max(form_, form::string);
    text_ += content.string();
  } else if (content.is_array()) {
    form_ = form::list;
    for (json_value part = content.first(); part; part = part.next()) add_part(part);
  }
}

std::optional<std::string> chat_content::json() {
  if (form_ == form::none) return std::nullopt;
  if (form_ == form::string) return json_string(text_);
  end_text();
  return '[' + parts_ + ']';
}

void chat_content::add_part(json_value part) {
  if (part["type"].string() == "text") {
    text_ += part["text"].string();
    return;
  }
  end_text();
  append(part.raw());
}

void chat_content::end_text() {
  if (!text_.empty()) append("{\"type\":\"text\",\"text\":" + json_string(text_) + '}');
  text_.clear();
}

void chat_content::append(std::string_view part) {
  parts_.append(parts_.empty() ? "" : ",").append(part);
}

void chat_choice::tool_call::add(json_value delta) {
  for (json_value each = delta.first(); each; each = each.next()) {
    if (each.key() != "function") {
      own.set(each.key(), each);
      continue;
    }
    function.set_all(each);
    arguments += each["arguments"].string();
  }
}

void chat_choice::tool_call::append(std::string& out) {
  function.set("arguments", json_string(arguments));
  std::string whole;
  function.append(whole);
  own.set("function", std::move(whole));
  own.append(out);
}

void chat_choice::add(json_value choice) {
  const json_value delta = choice["delta"];
  for (json_value each = choice.first(); each; each = each.next()) {
    if (each.key() == "delta" || each.key() == "message") {
      own_.set("message", std::string());  // keeps its place
      has_message_ = true;
    } else if (each.key() == "text" && each.is_string()) {
      own_.set("text", std::string());  // keeps its place
      if (!text_) text_.emplace();
      text_->append(each.string());
    } else {
      own_.set(each.key(), each);
    }
  }
  has_delta_ = has_delta_ || delta.is_object();
  // Some APIs also send the whole message. Its text is used only if there are no deltas.
  add_message(choice["message"], !has_delta_);
  add_message(delta, true);
}

void chat_choice::append(std::string& out) {
  if (auto content = content_.json()) message_.set("content", std::move(*content));
  if (!tool_calls_.empty()) {
    std::string list;
    for (auto& [index, call] : tool_calls_) {
      list += list.empty() ? '[' : ',';
      call.append(list);
    }
    message_.set("tool_calls", list + ']');
  }
  std::string message;
  message_.append(message);
  if (has_message_) own_.set("message", std::move(message));
  if (text_) own_.set("text", json_string(*text_));
  own_.append(out);
}

void chat_choice::add_message(json_value message, bool with_text) {
  for (json_value each = message.first(); each; each = each.next()) {
    if (each.key() == "content") {
      message_.set("content", "null");
      if (with_text) content_.add(each);
    } else if (each.key() == "tool_calls" && each.is_array()) {
      for (json_value call = each.first(); with_text && call; call = call.next()) {
        tool_calls_[call["index"].integer().value_or(0)].add(call);
      }
    } else {
      message_.set(each.key(), each);
    }
  }
}

bool chat_answer::begins(json_value root) {
  return root["choices"].is_array();
}

void chat_answer::add(json_value root) {
  if (!begins(root)) return;
  for (json_value each = root.first(); each; each = each.next()) {
    if (each.key() == "choices") {
      top_.set("choices", std::string());  // keeps its place
    } else if (each.key() == "object" && each.string() != "text_completion") {
      top_.set("object", std::string("\"chat.completion\""));
    } else {
      top_.set(each.key(), each);
    }
  }
  std::int64_t place = 0;
  for (json_value each = root["choices"].first(); each; each = each.next(), ++place) {
    choices_[each["index"].integer().value_or(place)].add(each);
  }
}

std::string chat_answer::json() {
  std::string list;
  for (auto& [index, choice] : choices_) {
    list += list.empty() ? '[' : ',';
    choice.append(list);
  }
  top_.set("choices", list.empty() ? "[]" : list + ']');
  std::string out;
  top_.append(out);
  return out;
}

}  // namespace citestream::replay
