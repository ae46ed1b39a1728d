/// \file
/// OpenRouter: OpenAI's form, with `provider` at the top level and ids that start with `gen-`.
///
/// Annotations precede the text, with indices 0. The finish reason is sent twice: in the event that ends
/// the answer, and again in the one that brings the usage. Comments precede the first event.
#include <citestream/dialect/dialect.hpp>

#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace openrouter {
namespace {

bool recognise(json_value root, payload_kind) {
  // Streams with numbered sources are read by other dialects.
  if (!chat::is_chat_object(root) || chat::has_numbered_sources(root)) return false;
  return !root["provider"].string().empty() || root["id"].string().starts_with("gen-");
}

}  // namespace
}  // namespace openrouter

extern constinit const dialect openrouter_dialect{.name = "openrouter",
                                                  .recognise = &openrouter::recognise,
                                                  .read = &read_object<&chat::read_general<>>,
                                                  .signs = {.general = true},
                                                  .stream = {.cites_places = true, .takes_comments = true}};

}  // namespace citestream
