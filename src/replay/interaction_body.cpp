// Joins the events of an interaction of Gemini.
#include "replay/joined_answer.hpp"
#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

class interaction_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    return root["interaction"]["object"].string() == "interaction";
  }

  void add(json_value root) override {
    top_.set_all(root["interaction"]);
    const auto index = root["index"].integer();
    if (!index) return;
    step& to = steps_[*index];
    const json_value start = root["step"];
    to.own.set_all(start, "content");
    for (const json_value& one : start["content"]) to.add(one);
    to.add(root["delta"]);
  }

  std::string json() override {
    top_.set("steps", list_of(steps_));
    return top_.json();
  }

 private:
  struct step {
    joined_members own;
    std::string text;
    std::string annotations;  ///< comma-separated JSON
    bool has_text{};

    /// Adds a delta, or a part with which the step starts.
    void add(json_value delta) {
      has_text = has_text || delta["type"].string() == "text";
      text += delta["text"].string();
      for (const json_value& one : delta["annotations"]) append_element(one.raw(), annotations);
      if (delta["signature"].is_string()) own.set("signature", delta["signature"]);
    }

    [[nodiscard]] std::string json() {
      if (has_text) {
        std::string part = "[{\"text\":" + json_string(text) + ",\"type\":\"text\"";
        if (!annotations.empty()) part.append(",\"annotations\":[").append(annotations).append("]");
        own.set("content", part + "}]");
      }
      return own.json();
    }
  };

  joined_members top_;
  std::map<std::int64_t, step> steps_;
};

}  // namespace

extern constinit const form_entry interaction_form = entry_of<interaction_answer>(answer_form::interaction);

}  // namespace citestream::replay
