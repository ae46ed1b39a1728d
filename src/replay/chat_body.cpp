// Joins the events of a chat completion, or of a text completion, whose choices have `text` instead of a
// message.
#include <algorithm>
#include <optional>

#include "replay/joined_answer.hpp"
#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

/// The content of a message: a list of parts if any event has a list, otherwise a string.
class chat_content {
 public:
  void add(json_value content) {
    if (content.is_string()) {
      form_ = std::max(form_, form::string);
      text_ += content.string();
    } else if (content.is_array()) {
      form_ = form::list;
      for (const json_value& part : content) add_part(part);
    }
  }

  /// Returns an empty string if no event has content.
  [[nodiscard]] std::string json() {
    if (form_ == form::none) return {};
    if (form_ == form::string) return json_string(text_);
    end_text();
    return '[' + parts_ + ']';
  }

 private:
  enum class form : std::uint8_t { none, string, list };

  void add_part(json_value part) {
    if (part["type"].string() == "text") {
      text_ += part["text"].string();
      return;
    }
    end_text();
    append_element(part.raw(), parts_);
  }

  void end_text() {
    if (!text_.empty()) append_element("{\"type\":\"text\",\"text\":" + json_string(text_) + '}', parts_);
    text_.clear();
  }

  form form_{};
  std::string text_;   ///< since the last part
  std::string parts_;  ///< comma-separated JSON
};

/// One tool call, whose arguments arrive in pieces.
struct chat_tool_call {
  joined_members own;
  joined_members function;
  std::string arguments;

  void add(json_value delta) {
    own.set_all(delta, "function");
    function.set_all(delta["function"]);
    arguments += delta["function"]["arguments"].string();
  }

  [[nodiscard]] std::string json() {
    function.set("arguments", json_string(arguments));
    own.set("function", function.json());
    return own.json();
  }
};

class chat_choice {
 public:
  void add(json_value choice) {
    for (const json_value& each : choice) {
      if (each.key() == "delta" || each.key() == "message") {
        own_.set("message", std::string());  // keeps its place
        has_message_ = true;
      } else {
        own_.set(each.key(), each);
      }
    }
    if (!text_ && choice["text"].is_string()) text_.emplace();
    if (text_) *text_ += choice["text"].string();
    has_delta_ = has_delta_ || choice["delta"].is_object();
    // Some APIs also send the whole message. Its text is used only if there are no deltas.
    add_message(choice["message"], !has_delta_);
    add_message(choice["delta"], true);
  }

  [[nodiscard]] std::string json() {
    if (std::string content = content_.json(); !content.empty()) message_.set("content", content);
    if (!tool_calls_.empty()) message_.set("tool_calls", list_of(tool_calls_));
    if (has_message_) own_.set("message", message_.json());
    if (text_) own_.set("text", json_string(*text_));
    return own_.json();
  }

 private:
  void add_message(json_value message, bool with_text) {
    for (const json_value& each : message) {
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

  joined_members own_;
  joined_members message_;
  chat_content content_;
  std::optional<std::string> text_;
  bool has_message_{};
  bool has_delta_{};
  std::map<std::int64_t, chat_tool_call> tool_calls_;
};

class chat_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) { return root["choices"].is_array(); }

  void add(json_value root) override {
    if (!begins(root)) return;
    top_.set_all(root);
    if (root["object"] && root["object"].string() != "text_completion")
      top_.set("object", "\"chat.completion\"");
    std::int64_t place = 0;
    for (json_value each = root["choices"].first(); each; each = each.next(), ++place) {
      choices_[each["index"].integer().value_or(place)].add(each);
    }
  }

  std::string json() override {
    top_.set("choices", list_of(choices_));
    return top_.json();
  }

 private:
  joined_members top_;
  std::map<std::int64_t, chat_choice> choices_;
};

}  // namespace

extern constinit const form_entry chat_form = entry_of<chat_answer>(answer_form::chat);

}  // namespace citestream::replay
