// How a stream becomes one body.
//
// The first event that a form of answer (answer_form) recognises as its own decides which class joins the
// events. Each class concatenates texts and keeps, for every other member, the most informative value: see
// joined_members. Choices, blocks and tool calls are joined by their index. The last event of Responses holds
// the whole response, which is the body; without it the items are joined. A message of Bedrock may hold an
// encoded event of a model, which frame_decoder.hpp decodes: the body is then that of the model.
#include "replay/body.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "framing/frame_decoder.hpp"
#include "replay/cohere_body.hpp"
#include "replay/gemini_body.hpp"
#include "replay/interaction_body.hpp"
#include "replay/joined_members.hpp"
#include "replay/response_body.hpp"
#include "rewrite/json.hpp"

namespace citestream::replay {
namespace {

/// Returns the input of a tool call, an empty object if it is not valid JSON: the recording may break off
/// inside it.
std::string complete_input(const std::string& joined) {
  document json;
  const status error = json.parse(joined);
  return error.code == errc::invalid_json ? "{}" : joined;
}

/// One tool call, whose arguments arrive in pieces.
struct tool_call {
  joined_members own;
  joined_members function;
  std::string arguments;

  void add(json_value delta) {
    for (json_value each = delta.first(); each; each = each.next()) {
      if (each.key() != "function") {
        own.set(each.key(), each);
        continue;
      }
      for (json_value inner = each.first(); inner; inner = inner.next()) function.set(inner.key(), inner);
      arguments += each["arguments"].string();
    }
  }

  void append(std::string& out) {
    function.set("arguments", json_string(arguments));
    std::string whole;
    function.append(whole);
    own.set("function", std::move(whole));
    own.append(out);
  }
};

/// The content of a chat message: a list of parts if any event has a list, otherwise a string.
class chat_content {
 public:
  void add(json_value content) {
    if (content.is_string()) {
      form_ = std::max(form_, form::string);
      text_ += content.string();
    } else if (content.is_array()) {
      form_ = form::list;
      for (json_value part = content.first(); part; part = part.next()) add_part(part);
    }
  }

  /// The content as JSON; nothing if no event has any. Call it after the last event.
  [[nodiscard]] std::optional<std::string> json() {
    if (form_ == form::none) return std::nullopt;
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
    append(part.raw());
  }

  void end_text() {
    if (!text_.empty()) append("{\"type\":\"text\",\"text\":" + json_string(text_) + '}');
    text_.clear();
  }

  void append(std::string_view part) { parts_.append(parts_.empty() ? "" : ",").append(part); }

  form form_{};
  std::string text_;   ///< since the last part
  std::string parts_;  ///< comma-separated JSON
};

/// One choice of a chat answer, or of a text completion, which has `text` instead of a message.
class chat_choice {
 public:
  void add(json_value choice) {
    const json_value delta = choice["delta"];
    for (json_value each = choice.first(); each; each = each.next()) {
      if (each.key() == "delta" || each.key() == "message") {
        own_.set("message", std::string());  // keeps its place
        has_message_ = true;
      } else if (each.key() == "text" && each.is_string()) {
        own_.set("text", std::string());  // keeps its place
        if (!text_) text_.emplace();
        text_->append(each.string());
      } else {
        own_.set(each.key(), each);
      }
    }
    has_delta_ = has_delta_ || delta.is_object();
    // Some APIs also send the whole message. Its text is used only if there are no deltas.
    add_message(choice["message"], !has_delta_);
    add_message(delta, true);
  }

  void append(std::string& out) {
    if (auto content = content_.json()) message_.set("content", std::move(*content));
    if (!tool_calls_.empty()) {
      std::string list;
      for (auto& [index, call] : tool_calls_) {
        list += list.empty() ? '[' : ',';
        call.append(list);
      }
      message_.set("tool_calls", list + ']');
    }
    std::string message;
    message_.append(message);
    if (has_message_) own_.set("message", std::move(message));
    if (text_) own_.set("text", json_string(*text_));
    own_.append(out);
  }

 private:
  void add_message(json_value message, bool with_text) {
    for (json_value each = message.first(); each; each = each.next()) {
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
  std::map<std::int64_t, tool_call> tool_calls_;
};

class chat_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) { return root["choices"].is_array(); }

  void add(json_value root) {
    if (!begins(root)) return;
    for (json_value each = root.first(); each; each = each.next()) {
      if (each.key() == "choices") {
        top_.set("choices", std::string());  // keeps its place
      } else if (each.key() == "object" && each.string() != "text_completion") {
        top_.set("object", std::string("\"chat.completion\""));
      } else {
        top_.set(each.key(), each);
      }
    }
    std::int64_t place = 0;
    for (json_value each = root["choices"].first(); each; each = each.next(), ++place) {
      choices_[each["index"].integer().value_or(place)].add(each);
    }
  }

  std::string json() {
    std::string list;
    for (auto& [index, choice] : choices_) {
      list += list.empty() ? '[' : ',';
      choice.append(list);
    }
    top_.set("choices", list.empty() ? "[]" : list + ']');
    std::string out;
    top_.append(out);
    return out;
  }

 private:
  joined_members top_;
  std::map<std::int64_t, chat_choice> choices_;
};

/// An answer to a graph question.
class graph_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) { return static_cast<bool>(payload_of(root)); }

  void add(json_value root) {
    const json_value payload = payload_of(root);
    top_.set_all(payload);
    text_ += payload["answer"].string();
  }

  std::string json() {
    top_.set("answer", json_string(text_));
    std::string out;
    top_.append(out);
    return out;
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

/// An object of Ollama's lines. Texts and tool calls are joined. Each other member has its most informative
/// value (joined_members).
class joined_lines {
 public:
  void add(json_value line) {
    for (json_value each = line.first(); each; each = each.next()) {
      if (each.is_string() && is_text(each.key())) {
        texts_[std::string(each.key())] += each.string();
        own_.set(each.key(), std::string());
      } else if (each.key() == "tool_calls" && each.is_array()) {
        for (json_value call = each.first(); call; call = call.next()) {
          calls_.append(calls_.empty() ? "" : ",").append(call.raw());
        }
      } else if (each.key() == "message") {
        own_.set(each.key(), std::string());  // keeps its place
      } else {
        own_.set(each.key(), each);
      }
    }
  }
  void set(std::string_view key, std::string raw) { own_.set(key, std::move(raw)); }

  std::string json() {
    for (const auto& [key, text] : texts_) own_.set(key, json_string(text));
    if (!calls_.empty()) own_.set("tool_calls", '[' + calls_ + ']');
    std::string out;
    own_.append(out);
    return out;
  }

 private:
  static bool is_text(std::string_view key) {
    return key == "content" || key == "thinking" || key == "response";
  }

  joined_members own_;
  std::map<std::string, std::string> texts_;
  std::string calls_;
};

/// An answer of Ollama to a request that continues a text, in `response`.
class ollama_generate_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    return root["done"].boolean() && root["response"].is_string();
  }

  void add(json_value root) {
    if (begins(root)) line_.add(root);
  }

  std::string json() { return line_.json(); }

 private:
  joined_lines line_;
};

/// An answer of Ollama in a chat, in `message`.
class ollama_chat_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    return root["done"].boolean() && root["message"].is_object();
  }

  void add(json_value root) {
    if (!begins(root)) return;
    line_.add(root);
    message_.add(root["message"]);
  }

  std::string json() {
    line_.set("message", message_.json());
    return line_.json();
  }

 private:
  joined_lines line_;
  joined_lines message_;
};

/// A message of Anthropic.
class message_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) { return root["type"].string() == "message_start"; }

  void add(json_value root) {
    const std::string_view type = root["type"].string();
    if (type == "message_start") set_all(root["message"], message_);
    const json_value index = root["index"];
    if (type == "content_block_start") {
      block& begun = blocks_[index.integer().value_or(0)];
      set_all(root["content_block"], begun.own);
      begun.add(root["content_block"]);
    }
    if (type == "content_block_delta") blocks_[index.integer().value_or(0)].add(root["delta"]);
    if (type != "message_delta") return;
    set_all(root["delta"], message_);
    set_all(root["usage"], usage_);
    if (root["citestream"]) message_.set("citestream", root["citestream"]);
  }

  std::string json() {
    std::string content;
    for (auto& [index, one] : blocks_) content.append(content.empty() ? "[" : ",").append(one.json());
    message_.set("content", content.empty() ? "[]" : content + "]");
    std::string usage;
    usage_.append(usage);
    if (usage != "{}") message_.set("usage", usage);
    std::string out;
    message_.append(out);
    return out;
  }

 private:
  /// One block: its first event, and what its deltas add.
  struct block {
    joined_members own;
    std::map<std::string, std::string> texts;  ///< `text`, `thinking`, `signature`
    std::string input;                         ///< JSON of a tool call
    std::string citations;

    void add(json_value delta) {
      input += delta["partial_json"].string();
      if (const json_value one = delta["citation"])
        citations.append(citations.empty() ? "[" : ",").append(one.raw());
      for (const std::string_view key : {"text", "thinking", "signature"}) {
        if (delta[key].is_string()) texts[std::string(key)] += delta[key].string();
      }
    }
    std::string json() {
      for (const auto& [key, text] : texts) own.set(key, json_string(text));
      if (!citations.empty()) own.set("citations", citations + "]");
      if (!input.empty()) own.set("input", complete_input(input));
      std::string out;
      own.append(out);
      return out;
    }
  };

  void set_all(json_value from, joined_members& to) {
    for (json_value each = from.first(); each; each = each.next()) {
      if (each.key() == "usage") {
        set_all(each, usage_);
      } else {
        to.set(each.key(), each);
      }
    }
  }

  joined_members message_;
  joined_members usage_;
  std::map<std::int64_t, block> blocks_;
};

/// An answer of Bedrock's Converse: its blocks by index, and what the last messages say.
class converse_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    return root["contentBlockIndex"].integer().has_value();
  }

  void add(json_value root) {
    if (const auto index = root["contentBlockIndex"].integer()) return blocks_[*index].add(root);
    for (json_value each = root.first(); each; each = each.next()) {
      if (each.key() != "role" && each.key() != "p") top_.set(each.key(), each);
    }
  }

  /// Adds an event to a block other than its own.
  void add_to(std::int64_t index, json_value root) { blocks_[index].add(root); }

  std::string json() {
    std::string list;
    for (auto& [index, one] : blocks_) one.append(list);
    top_.set("output", "{\"message\":{\"role\":\"assistant\",\"content\":[" + list + "]}}");
    std::string out;
    top_.append(out);
    return out;
  }

 private:
  struct block {
    std::string text;
    std::string citations;
    std::string input;
    joined_members tool;

    void add(json_value root) {
      const json_value delta = root["delta"];
      text += delta["text"].string();
      input += delta["toolUse"]["input"].string();
      if (const json_value one = delta["citation"])
        citations.append(citations.empty() ? "" : ",").append(one.raw());
      const json_value use = root["start"]["toolUse"];
      tool.set_all(use);
    }

    void append(std::string& list) {
      std::string own;
      tool.append(own);
      std::string plain = "{\"text\":" + json_string(text) + '}';
      if (own != "{}") {
        tool.set("input", complete_input(input));
        own.clear();
        tool.append(own);
        plain = "{\"toolUse\":" + own + '}';
      } else if (!citations.empty()) {
        plain = "{\"citationsContent\":{\"content\":[" + plain + "],\"citations\":[" + citations + "]}}";
      } else if (text.empty()) {
        return;  // reasoning, or the result of a tool of the server
      }
      list.append(list.empty() ? "" : ",").append(plain);
    }
  };

  joined_members top_;
  std::map<std::int64_t, block> blocks_;
};

/// An answer of Nova: events of Converse, each in an object such as `{"contentBlockDelta":{…}}`. Each token
/// may have a block of its own, so texts are joined until a block of another kind begins.
class nova_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) { return root["messageStart"]["role"].is_string(); }

  void add(json_value root) {
    if (root["contentBlockStop"]) return;
    const json_value event = root.first();
    if (event["delta"]["text"].is_string()) {
      if (!text_) text_ = event["contentBlockIndex"].integer();
      return events_.add_to(text_.value_or(0), event);
    }
    if (event["contentBlockIndex"]) text_.reset();
    events_.add(event);
  }

  std::string json() { return events_.json(); }

 private:
  converse_answer events_;
  std::optional<std::int64_t> text_;  ///< the block to which texts are added
};

/// An answer of Titan or Llama: their texts are joined.
class text_answer {
 public:
  [[nodiscard]] static bool begins(json_value root) {
    return root["outputText"].is_string() || root["generation"].is_string();
  }

  void add(json_value root) {
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

  std::string json() {
    top_.set(titan_ ? "outputText" : "generation", json_string(text_));
    std::string out;
    top_.append(out);
    return titan_ ? "{\"inputTextTokenCount\":" + prompt_ + ",\"results\":[" + out + "]}" : out;
  }

 private:
  joined_members top_;
  std::string text_;
  std::string prompt_{"0"};
  bool titan_{};
};

/// The events of one answer, which are joined.
class joined_answer {
 public:
  joined_answer() = default;
  joined_answer(const joined_answer&) = delete;
  joined_answer& operator=(const joined_answer&) = delete;
  virtual ~joined_answer() = default;

  virtual void add(json_value root) = 0;
  virtual std::string json() = 0;
};

template <typename Answer>
class joined final : public joined_answer {
 public:
  void add(json_value root) override { answer_.add(root); }
  std::string json() override { return answer_.json(); }

 private:
  Answer answer_;
};

/// A form of answer, and what joins its events.
struct form_entry {
  answer_form form;
  bool (*begins)(json_value root);  ///< an event shows that the answer has this form
  std::unique_ptr<joined_answer> (*make)();
};

template <typename Answer>
constexpr form_entry entry(answer_form form) {
  return {form, &Answer::begins,
          []() -> std::unique_ptr<joined_answer> { return std::make_unique<joined<Answer>>(); }};
}

/// The first that fits is taken.
constexpr form_entry forms[] = {
    entry<chat_answer>(answer_form::chat),
    entry<response_answer>(answer_form::response),
    entry<message_answer>(answer_form::message),
    entry<cohere_answer>(answer_form::cohere),
    entry<gemini_answer>(answer_form::gemini),
    entry<interaction_answer>(answer_form::interaction),
    entry<converse_answer>(answer_form::converse),
    entry<nova_answer>(answer_form::nova),
    entry<text_answer>(answer_form::model_text),
    entry<graph_answer>(answer_form::graph_question),
    entry<ollama_chat_answer>(answer_form::ollama_chat),
    entry<ollama_generate_answer>(answer_form::ollama_generate),
};

}  // namespace

answer_body join_stream(const recording& from) {
  const std::string bytes = from.bytes();
  frame_decoder decoder(limits{}.max_event_bytes);
  document json;
  answer_form form{answer_form::unknown};
  std::unique_ptr<joined_answer> answer;
  bool encoded = false;
  const auto read = [&] {
    for (frame item; decoder.next(item);) {
      if (item.kind != frame_kind::event && item.kind != frame_kind::unterminated) continue;
      const status result = json.parse(item.data);
      if (result) continue;  // for example "[DONE]"
      encoded = encoded || (item.message != nullptr && !item.message->encoded.empty());
      if (answer == nullptr) {
        const auto begun =
            std::ranges::find_if(forms, [&](const form_entry& one) { return one.begins(json.root()); });
        if (begun == std::end(forms)) continue;
        form = begun->form;
        answer = begun->make();
      }
      answer->add(json.root());
    }
  };
  decoder.feed(bytes);
  read();
  decoder.finish();
  read();
  if (answer == nullptr) return {};
  return {encoded ? answer_form::invoke : form, answer->json()};
}

}  // namespace citestream::replay
