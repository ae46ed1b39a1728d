/// \file
/// OpenAI's chat completions, and servers that follow them closely (vLLM, many gateways).
///
/// Text: `choices[].delta.content` in events, `choices[].message.content` in bodies, each a string or a list
/// of parts. References: `annotations[].url_citation` next to the text, in any event.
#include <citestream/dialect/dialect.hpp>

#include <algorithm>

#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace openai {
namespace {

bool has_holder(json_value root, payload_kind kind) noexcept {
  return std::ranges::any_of(root["choices"].elements(),
                             [=](json_value choice) { return chat::holder_of(choice, kind).is_object(); });
}

bool recognise(json_value root, payload_kind kind) {
  if (!root["choices"].is_array() || chat::has_numbered_sources(root)) return false;
  return (chat::is_chat_object(root) || has_holder(root, kind)) && !chat::accumulates(root, kind);
}

bool may_hold_message(json_value root) {
  return has_holder(root, payload_kind::event) || has_holder(root, payload_kind::body);
}

constexpr api_path paths[] = {{"/chat/completions"}};

}  // namespace
}  // namespace openai

constinit const dialect openai_dialect{
    .name = "openai",
    .recognise = &openai::recognise,
    .read = &read_object<&chat::read_general<>>,
    .signs = {.may_hold_message = &openai::may_hold_message, .general = true},
    .stream = {.cites_places = true, .takes_comments = true},
    .paths = openai::paths};

}  // namespace citestream
