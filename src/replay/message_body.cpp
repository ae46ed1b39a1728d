// Joins the events of Anthropic's Messages.
#include "replay/joined_answer.hpp"
#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

class message_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) { return root["type"].string() == "message_start"; }

  void add(json_value root) override {
    const std::string_view type = root["type"].string();
    const std::int64_t index = root["index"].integer().value_or(0);
    if (type == "message_start") {
      message_.set_all(root["message"], "usage");
      usage_.set_all(root["message"]["usage"]);
    }
    if (type == "content_block_start") {
      blocks_[index].own.set_all(root["content_block"]);
      blocks_[index].add(root["content_block"]);
    }
    if (type == "content_block_delta") blocks_[index].add(root["delta"]);
    if (type != "message_delta") return;
    message_.set_all(root["delta"]);
    usage_.set_all(root["usage"]);
    if (root["citestream"]) message_.set("citestream", root["citestream"]);
  }

  std::string json() override {
    message_.set("content", list_of(blocks_));
    if (!usage_.empty()) message_.set("usage", usage_.json());
    return message_.json();
  }

 private:
  /// One block: its first event, and what its deltas add.
  struct block {
    joined_members own;
    std::map<std::string, std::string> texts;  ///< `text`, `thinking`, `signature`
    std::string input;                         ///< JSON of a tool call
    std::string citations;                     ///< comma-separated JSON

    void add(json_value delta) {
      input += delta["partial_json"].string();
      append_element(delta["citation"].raw(), citations);
      for (const std::string_view key : {"text", "thinking", "signature"}) {
        if (delta[key].is_string()) texts[std::string(key)] += delta[key].string();
      }
    }

    [[nodiscard]] std::string json() {
      for (const auto& [key, text] : texts) own.set(key, json_string(text));
      if (!citations.empty()) own.set("citations", '[' + citations + ']');
      if (!input.empty()) own.set("input", complete_input(input));
      return own.json();
    }
  };

  joined_members message_;
  joined_members usage_;
  std::map<std::int64_t, block> blocks_;
};

}  // namespace

extern constinit const form_entry message_form = entry_of<message_answer>(answer_form::message);

}  // namespace citestream::replay
