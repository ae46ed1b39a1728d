// Joins the lines of an answer of Ollama.
#include "replay/joined_answer.hpp"
#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

/// An object of the lines. Texts and tool calls are joined.
struct ollama_lines {
  joined_members own;
  std::map<std::string, std::string> texts;
  std::string calls;  ///< comma-separated JSON

  void add(json_value line) {
    const json_value list = line["tool_calls"];
    own.set_all(line, list.is_array() ? "tool_calls" : "");
    for (const std::string_view key : {"content", "thinking", "response"}) {
      if (line[key].is_string()) texts[std::string(key)] += line[key].string();
    }
    for (const json_value& call : list) append_element(call.raw(), calls);
  }

  [[nodiscard]] std::string json() {
    for (const auto& [key, text] : texts) own.set(key, json_string(text));
    if (!calls.empty()) own.set("tool_calls", '[' + calls + ']');
    return own.json();
  }
};

/// An answer in a chat, in `message`, or to a request that continues a text, in `response`.
template <bool Chat>
class ollama_answer final : public joined_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    return root["done"].boolean() && (Chat ? root["message"].is_object() : root["response"].is_string());
  }

  void add(json_value root) override {
    if (!begins(root)) return;
    line_.add(root);
    message_.add(root["message"]);
  }

  std::string json() override {
    if (Chat) line_.own.set("message", message_.json());
    return line_.json();
  }

 private:
  ollama_lines line_;
  ollama_lines message_;
};

}  // namespace

extern constinit const form_entry ollama_chat_form = entry_of<ollama_answer<true>>(answer_form::ollama_chat);
extern constinit const form_entry ollama_generate_form =
    entry_of<ollama_answer<false>>(answer_form::ollama_generate);

}  // namespace citestream::replay
