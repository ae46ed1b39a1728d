// Joins the events of answers that are one text: those of Titan and Llama, and of graph questions.
#include "replay/joined_answer.hpp"
#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

/// An answer of Titan or Llama.
class text_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    return root["outputText"].is_string() || root["generation"].is_string();
  }

  void add(json_value root) override {
    titan_ = titan_ || root["outputText"].is_string();
    for (const json_value& each : root) {
      if (each.key() == "outputText" || each.key() == "generation") {
        text_ += each.string();
      } else if (each.key() == "inputTextTokenCount") {
        prompt_ = each.raw();
      } else if (each.key() != "index") {
        top_.set(each.key(), each);
      }
    }
  }

  std::string json() override {
    top_.set(titan_ ? "outputText" : "generation", json_string(text_));
    if (!titan_) return top_.json();
    return "{\"inputTextTokenCount\":" + prompt_ + ",\"results\":[" + top_.json() + "]}";
  }

 private:
  joined_members top_;
  std::string text_;
  std::string prompt_{"0"};  ///< number of its tokens
  bool titan_{};
};

/// An answer to a graph question.
class graph_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) { return static_cast<bool>(payload_of(root)); }

  void add(json_value root) override {
    const json_value payload = payload_of(root);
    top_.set_all(payload);
    text_ += payload["answer"].string();
  }

  std::string json() override {
    top_.set("answer", json_string(text_));
    return top_.json();
  }

 private:
  /// Returns what an event has of the answer, or a missing value.
  static json_value payload_of(json_value root) {
    const json_value payload = root["data"].is_object() ? root["data"] : root;
    const bool known =
        payload["answer"] && (payload["question"] || payload["sources"] || payload["references"]);
    return known ? payload : json_value();
  }

  joined_members top_;
  std::string text_;
};

}  // namespace

extern constinit const form_entry model_text_form = entry_of<text_answer>(answer_form::model_text);
extern constinit const form_entry graph_question_form = entry_of<graph_answer>(answer_form::graph_question);

}  // namespace citestream::replay
