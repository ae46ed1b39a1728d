#include "replay/ollama_body.hpp"

#include <utility>

#include "rewrite/json.hpp"

namespace citestream::replay {

namespace {

bool is_text(std::string_view key) {
  return key == "content" || key == "thinking" || key == "response";
}

}  // namespace

void joined_lines::add(json_value line) {
  for (json_value each = line.first(); each; each = each.next()) {
    if (each.is_string() && is_text(each.key())) {
      texts_[std::string(each.key())] += each.string();
      own_.set(each.key(), std::string());  // keeps its place
    } else if (each.key() == "tool_calls" && each.is_array()) {
      for (json_value call = each.first(); call; call = call.next()) {
        calls_.append(calls_.empty() ? "" : ",").append(call.raw());
      }
    } else if (each.key() == "message") {
      own_.set(each.key(), std::string());  // keeps its place
    } else {
      own_.set(each.key(), each);
    }
  }
}

void joined_lines::set(std::string_view key, std::string raw) {
  own_.set(key, std::move(raw));
}

std::string joined_lines::json() {
  for (const auto& [key, text] : texts_) own_.set(key, json_string(text));
  if (!calls_.empty()) own_.set("tool_calls", '[' + calls_ + ']');
  std::string out;
  own_.append(out);
  return out;
}

bool ollama_generate_answer::begins(json_value root) {
  return root["done"].boolean() && root["response"].is_string();
}

void ollama_generate_answer::add(json_value root) {
  if (begins(root)) line_.add(root);
}

bool ollama_chat_answer::begins(json_value root) {
  return root["done"].boolean() && root["message"].is_object();
}

void ollama_chat_answer::add(json_value root) {
  if (!begins(root)) return;
  line_.add(root);
  message_.add(root["message"]);
}

std::string ollama_chat_answer::json() {
  line_.set("message", message_.json());
  return line_.json();
}

}  // namespace citestream::replay
