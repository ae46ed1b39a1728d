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
#include <iterator>
#include <memory>
#include <string>

#include "framing/frame_decoder.hpp"
#include "replay/chat_body.hpp"
#include "replay/cohere_body.hpp"
#include "replay/converse_body.hpp"
#include "replay/gemini_body.hpp"
#include "replay/interaction_body.hpp"
#include "replay/message_body.hpp"
#include "replay/ollama_body.hpp"
#include "replay/response_body.hpp"
#include "replay/text_body.hpp"

namespace citestream::replay {
namespace {

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
