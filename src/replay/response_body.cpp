// Joins the events of a response of OpenAI Responses.
//
// The last event has the whole response, which is the body. If a recording breaks off before it, the body has
// the items so far, with their texts and arguments joined, and the status `incomplete`.
#include <algorithm>
#include <span>

#include "replay/joined_answer.hpp"
#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

/// A text of a part or of an item itself, and the event that adds to it.
struct response_text {
  std::string_view event;
  std::string_view key;
  std::string_view part_type{};  ///< only of a part
};

constexpr response_text texts_of_parts[] = {
    {"response.output_text.delta", "text", "output_text"},
    {"response.refusal.delta", "refusal", "refusal"},
    {"response.reasoning_text.delta", "text", "reasoning_text"},
    {"response.reasoning_summary_text.delta", "text", "summary_text"},
};

constexpr response_text texts_of_items[] = {
    {"response.function_call_arguments.delta", "arguments"},
    {"response.mcp_call_arguments.delta", "arguments"},
    {"response.custom_tool_call_input.delta", "input"},
    {"response.code_interpreter_call_code.delta", "code"},
};

class response_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    return root["response"]["object"].string() == "response";
  }

  void add(json_value root) override {
    const std::string_view type = root["type"].string();
    const json_value whole = root["response"];
    if (whole.is_object()) {
      top_.set_all(whole);
      const bool begun =
          type == "response.created" || type == "response.queued" || type == "response.in_progress";
      if (!begun) complete_ = whole.raw();
    }
    if (const auto index = root["output_index"].integer()) items_[*index].add(root);
  }

  std::string json() override {
    if (!complete_.empty()) return complete_;
    top_.set("status", "\"incomplete\"");
    top_.set("output", list_of(items_));
    return top_.json();
  }

 private:
  struct growing_text {
    const response_text* form{};  ///< null if there was no text
    std::string text;

    /// Adds the delta of an event that is one of \p known.
    void add(std::span<const response_text> known, json_value root) {
      const auto found = std::ranges::find(known, root["type"].string(), &response_text::event);
      if (found == known.end()) return;
      form = &*found;
      text += root["delta"].string();
    }
  };

  struct part {
    joined_members own;
    growing_text text;
    std::string annotations;  ///< comma-separated JSON

    void add(json_value root) {
      own.set_all(root["part"]);
      append_element(root["annotation"].raw(), annotations);
      text.add(texts_of_parts, root);
    }

    [[nodiscard]] std::string json() {
      if (own.empty()) {  // the event that begins the part is missing
        const response_text& begun = text.form == nullptr ? texts_of_parts[0] : *text.form;
        own.set("type", json_string(begun.part_type));
        own.set(begun.key, json_string(text.text));
        if (&begun == &texts_of_parts[0]) own.set("annotations", "[]");
      }
      if (text.form != nullptr) own.set(text.form->key, json_string(text.text));
      if (!annotations.empty()) own.set("annotations", '[' + annotations + ']');
      return own.json();
    }
  };

  struct item {
    joined_members own;
    std::string complete;  ///< the item, once it is complete
    std::string id;        ///< JSON; empty if unknown
    bool has_status{};
    growing_text text;  ///< of the item itself
    std::map<std::int64_t, part> parts;
    std::map<std::int64_t, part> summaries;

    void add(json_value root) {
      own.set_all(root["item"]);
      if (root["type"].string() == "response.output_item.done") complete = root["item"].raw();
      has_status = has_status || root["item"]["status"];
      if (root["item_id"].is_string()) id = root["item_id"].raw();
      if (const auto index = root["content_index"].integer()) parts[*index].add(root);
      if (const auto index = root["summary_index"].integer()) summaries[*index].add(root);
      text.add(texts_of_items, root);
    }

    /// Returns the item, or an empty string if no event describes it.
    [[nodiscard]] std::string json() {
      if (!complete.empty()) return complete;
      if (own.empty() && parts.empty()) return {};
      if (own.empty()) {  // the event that begins the item is missing
        own.set("type", "\"message\"");
        if (!id.empty()) own.set("id", id);
        own.set("role", "\"assistant\"");
      }
      if (!parts.empty()) own.set("content", list_of(parts));
      if (!summaries.empty()) own.set("summary", list_of(summaries));
      if (text.form != nullptr) own.set(text.form->key, json_string(text.text));
      if (has_status || !parts.empty() || text.form != nullptr) own.set("status", "\"incomplete\"");
      return own.json();
    }
  };

  std::string complete_;  ///< the response, once it is complete
  joined_members top_;
  std::map<std::int64_t, item> items_;
};

}  // namespace

extern constinit const form_entry response_form = entry_of<response_answer>(answer_form::response);

}  // namespace citestream::replay
