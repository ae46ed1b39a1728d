// Joins the events of Bedrock's Converse, and those of Nova.
#include <optional>

#include "replay/joined_answer.hpp"
#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

/// An answer of Converse: its blocks by index, and the members of its last messages.
class converse_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    return root["contentBlockIndex"].integer().has_value();
  }

  void add(json_value root) override {
    if (const auto index = root["contentBlockIndex"].integer()) return add_to(*index, root);
    for (const json_value& each : root) {
      if (each.key() != "role" && each.key() != "p") top_.set(each.key(), each);
    }
  }

  /// Adds an event to a block other than its own.
  void add_to(std::int64_t index, json_value root) { blocks_[index].add(root); }

  std::string json() override {
    top_.set("output", R"({"message":{"role":"assistant","content":)" + list_of(blocks_) + "}}");
    return top_.json();
  }

 private:
  struct block {
    std::string text;
    std::string citations;  ///< comma-separated JSON
    std::string input;      ///< JSON of a tool call
    joined_members tool;

    void add(json_value root) {
      const json_value delta = root["delta"];
      text += delta["text"].string();
      input += delta["toolUse"]["input"].string();
      append_element(delta["citation"].raw(), citations);
      tool.set_all(root["start"]["toolUse"]);
    }

    /// Returns an empty string for reasoning, and for the result of a tool of the server.
    [[nodiscard]] std::string json() {
      if (!tool.empty()) {
        tool.set("input", complete_input(input));
        return "{\"toolUse\":" + tool.json() + '}';
      }
      if (citations.empty() && text.empty()) return {};
      std::string plain = "{\"text\":" + json_string(text) + '}';
      if (citations.empty()) return plain;
      return "{\"citationsContent\":{\"content\":[" + plain + "],\"citations\":[" + citations + "]}}";
    }
  };

  joined_members top_;
  std::map<std::int64_t, block> blocks_;
};

/// An answer of Nova: events of Converse, each in an object such as `{"contentBlockDelta":{…}}`. Each token
/// may have a block of its own, so texts are joined until a block of another kind begins.
class nova_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) { return root["messageStart"]["role"].is_string(); }

  void add(json_value root) override {
    if (root["contentBlockStop"]) return;
    const json_value event = root.first();
    if (event["delta"]["text"].is_string()) {
      if (!text_) text_ = event["contentBlockIndex"].integer();
      return events_.add_to(text_.value_or(0), event);
    }
    if (event["contentBlockIndex"]) text_.reset();
    events_.add(event);
  }

  std::string json() override { return events_.json(); }

 private:
  converse_answer events_;
  std::optional<std::int64_t> text_;  ///< the block to which texts are added
};

}  // namespace

extern constinit const form_entry converse_form = entry_of<converse_answer>(answer_form::converse);
extern constinit const form_entry nova_form = entry_of<nova_answer>(answer_form::nova);

}  // namespace citestream::replay
