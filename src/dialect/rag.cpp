/// \file
/// Plain RAG servers: OpenAI's form, with the retrieved sources at the top level of an event or of the body,
/// in a list of objects or names called `references`, `citations` or `sources` (or in its member `results`).
///
/// `dialect/sources.hpp` lists the members that are read. The number of a source is its place in the list,
/// from 1.
#include <citestream/dialect/dialect.hpp>

#include <string_view>

#include "dialect/chat.hpp"
#include "dialect/sources.hpp"

namespace citestream {

namespace {

constexpr std::string_view list_names[] = {"references", "citations", "sources"};

/// Returns true if there is a list that later events may fill.
bool has_empty_list(json_value root) noexcept {
  for (const std::string_view name : list_names) {
    const json_value list = root[name];
    if (list.is_array() ? list.empty() : list["results"].is_array()) return true;
  }
  return false;
}

bool recognise(json_value root, payload_kind kind) {
  if (first_source_of_answer(root, kind)) return true;
  return root["choices"].is_array() && chat::is_chat_object(root) && has_empty_list(root);
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  return chat::read_with_sources(root, kind, first_source(root), out) && chat::read_parts(root, kind, out);
}

}  // namespace

constinit const dialect rag_dialect{
    .name = "rag", .recognise = &recognise, .read = &read, .grammars = chat::list_grammars};

}  // namespace citestream
