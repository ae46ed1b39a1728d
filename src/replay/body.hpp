/// \file
/// Converts a recorded stream into the JSON body that the API sends without streaming.
#pragma once

#include <cstdint>
#include <string>

#include "recording.hpp"

namespace citestream::replay {

/// The kind of events in a recording.
enum class answer_form : std::uint8_t {
  unknown,          ///< none of these: the stream cannot be converted
  chat,             ///< `chat.completion.chunk`s, `text_completion`s: anything with `choices`
  graph_question,   ///< `{"question","answer",…}`, bare or in `"data"`
  ollama_chat,      ///< lines `{"message":{…},"done":…}`
  ollama_generate,  ///< lines `{"response":…,"done":…}`
  response,         ///< of OpenAI Responses: the last event, or joined items
  converse,         ///< messages of Bedrock's ConverseStream
  invoke,           ///< messages of Bedrock with encoded events of a model
  message,          ///< of Anthropic: `message_start` and blocks
  cohere,           ///< of Cohere v2: texts and citations are joined
  gemini,           ///< chunks of Gemini: parts and grounding are joined
  interaction,      ///< of Gemini's Interactions: each step is joined
  nova,             ///< of Amazon Nova: the events of Converse, each in an object
  model_text,       ///< of Amazon Titan or Meta Llama: `outputText` or `generation`
};

/// The result of join_stream().
struct answer_body {
  answer_form form{answer_form::unknown};
  std::string json;  ///< empty if the form is unknown
};

/// Joins the events of \p from.
///
/// | answer | joined |
/// |---|---|
/// | chat | the content and tool calls of `choices[].message`; `object` is "chat.completion" |
/// | text completion | `choices[].text` |
/// | graph question | `answer` |
/// | Ollama | `message` or `response` |
/// | Anthropic | the blocks of `content` |
/// | Responses | nothing: the response in its last event; without it, the items, with status `incomplete` |
/// | Converse | the blocks of `output.message.content` |
/// | Gemini | the parts of `candidates` |
/// | interaction | the texts of `steps` |
/// | encoded events | as their model |
///
/// Every other member has its last informative value: null and objects that contain only nulls do not replace
/// others, and `graph_data` without references does not replace one with references. The input of a tool call
/// that breaks off is an empty object.
[[nodiscard]] answer_body join_stream(const recording& from);

}  // namespace citestream::replay
