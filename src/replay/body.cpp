// How a stream becomes one body.
//
// Events of Responses hold the response so far, so the last one is the body. Others are joined.
//
// The form of the answer (answer_form) is that of the first event that has one. Texts of its
// events are concatenated. For every other member the most informative value is kept: see joined_members.
// Choices and tool calls are joined by their index.
#include "replay/body.hpp"

#include <citestream/chunk/document.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "framing/frame_decoder.hpp"
#include "replay/cohere_body.hpp"
#include "replay/gemini_body.hpp"
#include "replay/interaction_body.hpp"
#include "replay/joined_members.hpp"

namespace citestream::replay {
namespace {

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

/// One choice of a chat answer.
class chat_choice {
 public:
  void add(json_value choice) {
    const json_value delta = choice["delta"];
    for (json_value each = choice.first(); each; each = each.next()) {
      if (each.key() == "delta" || each.key() == "message") {
        own_.set("message", std::string());
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
    if (has_text_) message_.set("content", json_string(text_));
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
    own_.set("message", std::move(message));
    own_.append(out);
  }

 private:
  void add_message(json_value message, bool with_text) {
    for (json_value each = message.first(); each; each = each.next()) {
      if (each.key() == "content") {
        message_.set("content", "null");
        if (with_text && each.is_string()) {
          has_text_ = true;
          text_ += each.string();
        }
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
  std::string text_;
  bool has_text_{};
  bool has_delta_{};
  std::map<std::int64_t, tool_call> tool_calls_;
};

class chat_answer {
 public:
  void add(json_value root) {
    for (json_value each = root.first(); each; each = each.next()) {
      if (each.key() != "choices" && each.key() != "object") {
        top_.set(each.key(), each);
        continue;
      }
      top_.set(each.key(), std::string("\"chat.completion\""));
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

class graph_answer {
 public:
  void add(json_value payload) {
    for (json_value each = payload.first(); each; each = each.next()) top_.set(each.key(), each);
    text_ += payload["answer"].string();
  }

  std::string json() {
    top_.set("answer", json_string(text_));
    std::string out;
    top_.append(out);
    return out;
  }

 private:
  joined_members top_;
  std::string text_;
};

/// An object of Ollama's lines. Texts and tool calls are joined, the other members are those of the last
/// line.
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

class ollama_answer {
 public:
  void add(json_value root) {
    top_.add(root);
    if (!root["message"].is_object()) return;
    message_.add(root["message"]);
    has_message_ = true;
  }

  std::string json() {
    if (has_message_) top_.set("message", message_.json());
    return top_.json();
  }

 private:
  joined_lines top_;
  joined_lines message_;
  bool has_message_{};
};

/// A message of Anthropic.
class message_answer {
 public:
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
      if (!input.empty()) own.set("input", input);
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
  void add(json_value root) {
    if (const auto index = root["contentBlockIndex"].integer()) return blocks_[*index].add(root);
    for (json_value each = root.first(); each; each = each.next()) {
      if (each.key() != "role" && each.key() != "p") top_.set(each.key(), each);
    }
  }

  /// Adds an event of Nova, such as `{"contentBlockDelta":{…}}`. Each token may have a block of its own, so
  /// texts are joined until a block of another kind begins.
  void add_nova(json_value root) {
    if (root["contentBlockStop"]) return;
    const json_value event = root.first();
    if (event["delta"]["text"].is_string()) {
      if (!text_) text_ = event["contentBlockIndex"].integer();
      return blocks_[text_.value_or(0)].add(event);
    }
    if (event["contentBlockIndex"]) text_.reset();
    add(event);
  }

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
      for (json_value each = use.first(); each; each = each.next()) tool.set(each.key(), each);
    }

    void append(std::string& list) {
      std::string own;
      tool.append(own);
      std::string plain = "{\"text\":" + json_string(text) + '}';
      if (own != "{}") {
        tool.set("input", input.empty() ? "{}" : input);
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
  std::optional<std::int64_t> text_;  ///< the block to which texts of Nova are added
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

/// Returns the form of a line of Ollama, or unknown.
answer_form ollama_form(json_value root) {
  if (!root["done"].boolean()) return answer_form::unknown;
  if (root["message"].is_object()) return answer_form::ollama_chat;
  return root["response"].is_string() ? answer_form::ollama_generate : answer_form::unknown;
}

/// Returns the payload of a graph question's event, or a missing value.
json_value graph_payload(json_value root) {
  const json_value payload = root["data"].is_object() ? root["data"] : root;
  const bool known =
      payload["answer"] && (payload["question"] || payload["sources"] || payload["references"]);
  return known ? payload : json_value();
}

/// Returns the form of the answer that an event belongs to, or unknown.
answer_form form_of(json_value root) {
  if (root["choices"].is_array()) return answer_form::chat;
  if (root["response"]["object"].string() == "response") return answer_form::response;
  if (root["type"].string() == "message_start") return answer_form::message;
  if (cohere_answer::begins(root)) return answer_form::cohere;
  if (gemini_answer::begins(root)) return answer_form::gemini;
  if (interaction_answer::begins(root)) return answer_form::interaction;
  if (root["contentBlockIndex"].integer()) return answer_form::converse;
  if (root["messageStart"]["role"].is_string()) return answer_form::nova;
  if (text_answer::begins(root)) return answer_form::model_text;
  return graph_payload(root) ? answer_form::graph_question : ollama_form(root);
}

/// An answer of any form: that of the first event that has one.
class joined_answer {
 public:
  void add(json_value root) {
    if (form_ == answer_form::unknown) form_ = form_of(root);
    if (form_ == answer_form::converse) converse_.add(root);
    if (form_ == answer_form::nova) converse_.add_nova(root);
    if (form_ == answer_form::model_text) text_.add(root);
    if (form_ == answer_form::chat && root["choices"].is_array()) chat_.add(root);
    if (form_ == answer_form::graph_question) graph_.add(graph_payload(root));
    if (ollama_form(root) == form_) lines_.add(root);
    if (form_ == answer_form::message) message_.add(root);
    if (form_ == answer_form::cohere) cohere_.add(root);
    if (form_ == answer_form::gemini) gemini_.add(root);
    if (form_ == answer_form::interaction) interaction_.add(root);
    if (form_ == answer_form::response && root["response"].is_object()) response_ = root["response"].raw();
  }

  [[nodiscard]] answer_form form() const noexcept { return form_; }

  std::string json() {
    if (form_ == answer_form::chat) return chat_.json();
    if (form_ == answer_form::graph_question) return graph_.json();
    if (form_ == answer_form::response) return response_;
    if (form_ == answer_form::message) return message_.json();
    if (form_ == answer_form::cohere) return cohere_.json();
    if (form_ == answer_form::gemini) return gemini_.json();
    if (form_ == answer_form::interaction) return interaction_.json();
    if (form_ == answer_form::converse || form_ == answer_form::nova) return converse_.json();
    if (form_ == answer_form::model_text) return text_.json();
    return form_ == answer_form::unknown ? std::string() : lines_.json();
  }

 private:
  answer_form form_{answer_form::unknown};
  chat_answer chat_;
  graph_answer graph_;
  std::string response_;
  ollama_answer lines_;
  message_answer message_;
  cohere_answer cohere_;
  converse_answer converse_;
  gemini_answer gemini_;
  interaction_answer interaction_;
  text_answer text_;
};

}  // namespace

answer_body join_stream(const recording& from) {
  const std::string bytes = from.bytes();
  frame_decoder decoder(limits{}.max_event_bytes);
  document json;
  joined_answer joined;
  bool encoded = false;
  const auto read = [&] {
    for (frame item; decoder.next(item);) {
      if (item.kind != frame_kind::event && item.kind != frame_kind::unterminated) continue;
      const status result = json.parse(item.data);
      if (result) continue;  // for example "[DONE]"
      encoded = encoded || (item.message != nullptr && !item.message->encoded.empty());
      joined.add(json.root());
    }
  };
  decoder.feed(bytes);
  read();
  decoder.finish();
  read();
  return {encoded ? answer_form::invoke : joined.form(), joined.json()};
}

}  // namespace citestream::replay
