/// \file
/// Azure OpenAI "On Your Data": OpenAI's form, with the retrieved documents in `delta.context.citations`
/// (`message.context.citations` in a body), usually in the first event. `[doc2]` in the text is the second
/// one.
///
/// If the `url` of a document is not a string, it is ignored.
#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <string>

#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace azure {
namespace {

bool has_context(json_value root, payload_kind kind) noexcept {
  return std::ranges::any_of(root["choices"].elements(), [=](json_value choice) {
    const json_value context = chat::holder_of(choice, kind)["context"];
    return context["citations"].is_array() || context["intent"].is_string();
  });
}

bool has_own_object(json_value root) noexcept {
  return root["object"].string().starts_with("extensions.chat.completion");
}

bool recognise(json_value root, payload_kind kind) {
  return (has_own_object(root) && root["choices"].is_array()) || has_context(root, kind);
}

reference read_document(json_value found, std::int64_t number) {
  reference ref;
  ref.type = source_type::document;
  ref.id = "doc" + std::to_string(number);
  ref.title = first_text(found, {"title", "filepath"});
  ref.url = found["url"].string();
  ref.text = found["content"].string();
  ref.score = found["score"].number();
  ref.number = number;
  return ref;
}

void read_references(json_value choice, payload_kind kind, const choice_event& found, dialect_event& out) {
  const json_value list = chat::holder_of(choice, kind)["context"]["citations"];
  std::int64_t number = 0;
  for (const json_value& entry : list.elements()) {
    ++number;  // an entry that is not an object has a number too
    if (entry.is_object()) out.references.push_back({found.choice, read_document(entry, number)});
  }
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  if (!chat::read_payload(root, kind, &read_references, out, has_own_object(root))) return false;
  chat::read_parts(root, kind, out);
  return true;
}

constexpr const grammar* grammars[] = {&source_grammar};

}  // namespace
}  // namespace azure

extern constinit const dialect azure_dialect{.name = "azure",
                                             .recognise = &azure::recognise,
                                             .read = &read_object<&azure::read>,
                                             .grammars = azure::grammars,
                                             .markers = {.for_references = {}},
                                             .stream = {.takes_comments = true}};

}  // namespace citestream
