/// \file
/// xAI: OpenAI's form, with `[[1]](url)` in the text and the URLs in `citations`, a list of strings at the
/// top level of the last event.
///
/// Before that event only the name of the model distinguishes it from OpenAI. A Markdown link is a citation
/// if it is to a page that is known as a source; other links are text.
#include <citestream/dialect/dialect.hpp>

#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace xai {
namespace {

bool recognise(json_value root, payload_kind) {
  if (!root["choices"].is_array()) return false;
  if (chat::is_chat_object(root) && root["model"].string().starts_with("grok")) return true;
  return root["citations"].first_element().is_string();
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  if (!chat::read_payload(root, kind, &chat::read_annotations, out, root["citations"].is_array()))
    return false;
  chat::read_numbered_sources(root, out);
  chat::read_parts(root, kind, out);
  return true;
}

constexpr const grammar* grammars[] = {&numeric_grammar, &link_grammar};

}  // namespace
}  // namespace xai

extern constinit const dialect xai_dialect{.name = "xai",
                                           .recognise = &xai::recognise,
                                           .read = &read_object<&xai::read>,
                                           .grammars = xai::grammars,
                                           .markers = {.only_known = link_alone, .for_references = {}},
                                           .stream = {.cites_places = true, .takes_comments = true}};

}  // namespace citestream
