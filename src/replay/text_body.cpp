#include "replay/text_body.hpp"

#include "rewrite/json.hpp"

namespace citestream::replay {

namespace {

/// Returns what an event has of the answer to a graph question, or a missing value.
json_value graph_payload(json_value root) {
  const json_value payload = root["data"].is_object() ? root["data"] : root;
  const bool known =
      payload["answer"] && (payload["question"] || payload["sources"] || payload["references"]);
  return known ? payload : json_value();
}

}  // namespace

bool text_answer::begins(json_value root) {
  return root["outputText"].is_string() || root["generation"].is_string();
}

void text_answer::add(json_value root) {
  titan_ = titan_ || root["outputText"].is_string();
  for (json_value each = root.first(); each; each = each.next()) {
    if (each.key() == "outputText" || each.key() == "generation") {
      text_ += each.string();
    } else if (each.key() == "inputTextTokenCount") {
      prompt_ = each.raw();
    } else if (each.key() != "index") {
      top_.set(each.key(), each);
    }
  }
}

std::string text_answer::json() {
  top_.set(titan_ ? "outputText" : "generation", json_string(text_));
  std::string out;
  top_.append(out);
  return titan_ ? "{\"inputTextTokenCount\":" + prompt_ + ",\"results\":[" + out + "]}" : out;
}

bool graph_answer::begins(json_value root) {
  return static_cast<bool>(graph_payload(root));
}

void graph_answer::add(json_value root) {
  const json_value payload = graph_payload(root);
  top_.set_all(payload);
  text_ += payload["answer"].string();
}

std::string graph_answer::json() {
  top_.set("answer", json_string(text_));
  std::string out;
  top_.append(out);
  return out;
}

}  // namespace citestream::replay
