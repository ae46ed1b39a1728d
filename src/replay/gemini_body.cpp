// Joins the chunks of Gemini's `streamGenerateContent` into the body of `generateContent`.
#include <utility>

#include "replay/joined_answer.hpp"
#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

class gemini_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    const bool chunk = root["usageMetadata"] || root["modelVersion"] || root["responseId"];
    return root["candidates"].is_array() && chunk;
  }

  void add(json_value root) override {
    top_.set_all(root);
    for (const json_value& each : root["candidates"])
      candidates_[each["index"].integer().value_or(0)].add(each);
  }

  std::string json() override {
    top_.set("candidates", list_of(candidates_));
    return top_.json();
  }

 private:
  /// Parts that follow each other and are all text, or all thoughts; or one part of another kind.
  struct part {
    joined_members own;
    std::string text;
    bool is_text{};
    bool thought{};
  };

  struct candidate {
    joined_members own;
    joined_members content;
    joined_members grounding;
    std::vector<part> parts;
    std::map<std::string, std::string> lists;  ///< of the grounding: comma-separated JSON

    void add(json_value from) {
      own.set_all(from);
      if (from["content"].is_object()) {
        content.set("parts", std::string());  // the first member
        content.set_all(from["content"]);
        for (const json_value& one : from["content"]["parts"]) add_part(one);
      }
      if (from["groundingMetadata"].is_object()) add_grounding(from["groundingMetadata"]);
    }

    void add_part(json_value from) {
      const bool is_text = from["text"].is_string();
      const bool thought = from["thought"].boolean().value_or(false);
      const bool goes_on =
          is_text && !parts.empty() && parts.back().is_text && parts.back().thought == thought;
      if (!goes_on) parts.push_back({{}, {}, is_text, thought});
      part& to = parts.back();
      to.text += from["text"].string();
      to.own.set_all(from);
    }

    /// A later chunk may add to a list, or send it again.
    void add_grounding(json_value from) {
      grounding.set_all(from);
      for (const json_value& each : from) {
        if (!each.is_array()) continue;
        std::string list;
        for (const json_value& one : each) append_element(one.raw(), list);
        std::string& known = lists[std::string(each.key())];
        if (list.starts_with(known)) {
          known = std::move(list);
        } else {
          append_element(list, known);
        }
      }
    }

    [[nodiscard]] std::string json() {
      std::string list;
      for (part& one : parts) {
        if (one.is_text) one.own.set("text", json_string(one.text));
        append_element(one.own.json(), list);
      }
      if (!content.empty()) {
        content.set("parts", '[' + list + ']');
        own.set("content", content.json());
      }
      for (const auto& [key, elements] : lists) grounding.set(key, '[' + elements + ']');
      if (!grounding.empty()) own.set("groundingMetadata", grounding.json());
      return own.json();
    }
  };

  joined_members top_;
  std::map<std::int64_t, candidate> candidates_;
};

}  // namespace

extern constinit const form_entry gemini_form = entry_of<gemini_answer>(answer_form::gemini);

}  // namespace citestream::replay
