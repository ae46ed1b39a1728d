// Joins the events of Cohere v2.
#include "replay/joined_answer.hpp"
#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

class cohere_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    return root["type"].string() == "message-start" && root["delta"]["message"]["content"].is_array();
  }

  void add(json_value root) override {
    const std::string_view type = root["type"].string();
    const std::int64_t index = root["index"].integer().value_or(0);
    const json_value message = root["delta"]["message"];
    if (type == "message-start") {
      top_.set("id", json_string(root["id"].string()));
      top_.set("message", std::string());  // keeps its place
    }
    if (type == "content-start" || type == "content-delta") blocks_[index].add(message["content"]);
    if (type == "tool-plan-delta") plan_ += message["tool_plan"].string();
    if (type == "tool-call-start" || type == "tool-call-delta") calls_[index].add(message["tool_calls"]);
    if (type == "citation-start") append_element(message["citations"].raw(), citations_);
    if (type == "message-end") top_.set_all(root["delta"]);
  }

  std::string json() override {
    joined_members message;
    message.set("role", "\"assistant\"");
    message.set("content", list_of(blocks_));
    if (!plan_.empty()) message.set("tool_plan", json_string(plan_));
    if (!calls_.empty()) message.set("tool_calls", list_of(calls_));
    if (!citations_.empty()) message.set("citations", '[' + citations_ + ']');
    top_.set("message", message.json());
    return top_.json();
  }

 private:
  struct block {
    std::string type;
    std::string text;

    void add(json_value content) {
      if (content["type"]) type = content["type"].string();
      text.append(content["text"].string()).append(content["thinking"].string());
    }
    [[nodiscard]] std::string json() const {
      return "{\"type\":" + json_string(type) + (type == "thinking" ? ",\"thinking\":" : ",\"text\":") +
             json_string(text) + '}';
    }
  };

  struct tool_call {
    std::string id;
    std::string name;
    std::string arguments;

    void add(json_value call) {
      const json_value function = call["function"];
      if (call["id"]) id = call["id"].string();
      if (function["name"]) name = function["name"].string();
      arguments += function["arguments"].string();
    }
    [[nodiscard]] std::string json() const {
      return "{\"id\":" + json_string(id) + R"(,"type":"function","function":{"name":)" + json_string(name) +
             ",\"arguments\":" + json_string(arguments) + "}}";
    }
  };

  joined_members top_;
  std::map<std::int64_t, block> blocks_;
  std::string plan_;
  std::map<std::int64_t, tool_call> calls_;
  std::string citations_;  ///< comma-separated JSON
};

}  // namespace

extern constinit const form_entry cohere_form = entry_of<cohere_answer>(answer_form::cohere);

}  // namespace citestream::replay
