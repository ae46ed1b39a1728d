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
#include "replay/joined_answer.hpp"

namespace citestream::replay {

extern const form_entry chat_form;
extern const form_entry cohere_form;
extern const form_entry converse_form;
extern const form_entry gemini_form;
extern const form_entry graph_question_form;
extern const form_entry interaction_form;
extern const form_entry message_form;
extern const form_entry model_text_form;
extern const form_entry nova_form;
extern const form_entry ollama_chat_form;
extern const form_entry ollama_generate_form;
extern const form_entry response_form;

namespace {

/// The first form whose begins() accepts an event is used.
constexpr const form_entry* forms[] = {
    &chat_form,             //
    &response_form,         //
    &message_form,          //
    &cohere_form,           //
    &gemini_form,           //
    &interaction_form,      //
    &converse_form,         //
    &nova_form,             //
    &model_text_form,       //
    &graph_question_form,   //
    &ollama_chat_form,      //
    &ollama_generate_form,  //
};

}  // namespace

answer_body join_stream(const recording& from) {
  const std::string bytes = from.bytes();
  document json;
  answer_form form{answer_form::unknown};
  std::unique_ptr<joined_answer> answer;
  bool encoded = false;
  for_each_frame(bytes, limits{}.max_event_bytes, [&](const frame& item) {
    if (item.kind != frame_kind::event && item.kind != frame_kind::unterminated) return;
    if (json.parse(item.data)) return;  // for example "[DONE]"
    encoded = encoded || (item.message != nullptr && !item.message->encoded.empty());
    if (answer == nullptr) {
      const auto begun =
          std::ranges::find_if(forms, [&](const form_entry* one) { return one->begins(json.root()); });
      if (begun == std::end(forms)) return;
      form = (*begun)->form;
      answer = (*begun)->make();
    }
    answer->add(json.root());
  });
  if (answer == nullptr) return {};
  return {encoded ? answer_form::invoke : form, answer->json()};
}

}  // namespace citestream::replay
