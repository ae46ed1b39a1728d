/// \file
/// RAG servers, in two forms. The retrieved sources are at the top level of an event or of the body, in a
/// list of objects or names (\ref source_list_names).
/// - OpenAI's form: the text is in `choices`.
/// - The plain form: the text is a string at the top level called `answer`, `response`, `text` or `content`,
///   and there are no members that other protocols have. In a stream, each event has a piece of the text, and
///   the list may be in any event, before or after the text. Such a stream has no event that ends the answer.
///
/// `dialect/sources.hpp` lists the members that are read. The number of a source is its place in the list,
/// from 1.
#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "dialect/chat.hpp"
#include "dialect/sources.hpp"

namespace citestream {

namespace {

/// Returns true if there is a list that later events may fill.
bool has_empty_list(json_value root) noexcept {
  for (const std::string_view name : source_list_names) {
    const json_value list = root[name];
    if (list.is_array() ? list.empty() : list["results"].is_array()) return true;
  }
  return false;
}

/// The name of the text of an answer in the plain form, whatever other members it has. Empty: the payload has
/// OpenAI's form, or no text.
std::string_view any_text_name(json_value root) noexcept {
  if (root["choices"]) return {};
  for (const std::string_view name : {"answer", "response", "text", "content"}) {
    if (root[name].is_string()) return name;
  }
  return {};
}

/// The same. Empty also if the payload has members of other protocols.
std::string_view text_name(json_value root) noexcept {
  for (const std::string_view other :
       {"object", "type", "event_type", "event", "data", "generation_id", "error"}) {
    if (root[other]) return {};
  }
  return any_text_name(root);
}

/// Returns true if the members next to the text of an event are those that RAG servers send: an event without
/// a list is recognised by them.
bool is_piece_of_text(json_value root, std::string_view text) noexcept {
  constexpr std::string_view neighbours[] = {"id",         "index",           "question",   "query",
                                             "session_id", "conversation_id", "message_id", "references",
                                             "citations",  "sources"};
  for (json_value member = root.first(); member; member = member.next()) {
    if (member.key() != text && std::ranges::find(neighbours, member.key()) == std::end(neighbours))
      return false;
  }
  return true;
}

bool recognise(json_value root, payload_kind kind) {
  if (const std::string_view text = text_name(root); !text.empty()) {
    if (source_list(root) || has_empty_list(root)) return true;
    return kind == payload_kind::event && is_piece_of_text(root, text);
  }
  if (source_list_of_answer(root, kind)) return true;
  return root["choices"].is_array() && chat::is_chat_object(root) && has_empty_list(root);
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  // Only a body for which the user has chosen this dialect gets here with members of other protocols.
  const std::string_view text = kind == payload_kind::body ? any_text_name(root) : text_name(root);
  const bool plain = !text.empty();
  if (!chat::read_with_sources(root, kind, source_list(root), out, plain)) return false;
  if (!plain) return chat::read_parts(root, kind, out);
  choice_event& answer = out.choices.emplace_back();
  chat::read_slot(root, text, answer);
  answer.end.here = kind == payload_kind::body;
  answer.end.expected = answer.end.here;
  return true;
}

}  // namespace

constinit const dialect rag_dialect{.name = "rag",
                                    .recognise = &recognise,
                                    .read = &read,
                                    .grammars = list_grammars,
                                    .stream = {.takes_comments = true}};

}  // namespace citestream
