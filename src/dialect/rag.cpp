/// \file
/// RAG servers, in two forms. The retrieved sources are in a list of objects or names at the top level of an
/// event or of the body (\ref source_list_names).
/// - OpenAI's form: the text is in `choices`.
/// - The plain form: the text is a string at the top level (`text_names` below), without members of other
///   protocols. In a stream, each event has a piece of the text, and the list may be in any event, before or
///   after the text. An event with `"done":true` or a finish reason ends the answer; a stream without one is
///   complete, too. In a body, the text and the list may be in an object at the top level.
///
/// `dialect/sources.hpp` lists the members of a source that are read.
#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"
#include "dialect/sources.hpp"

namespace citestream {
namespace rag {
namespace {

/// Members with the text of an answer. Of two, the first is used.
constexpr std::string_view text_names[] = {"answer", "response", "text", "content", "result", "token"};

/// Members that end the answer if they are `true`.
constexpr std::string_view end_names[] = {"done", "finished", "is_final"};

/// Members that RAG servers send next to a piece of text. An event without a list is recognised by them.
constexpr std::string_view members_next_to_text[] = {
    "id",         "index",         "question",  "query",    "session_id", "conversation_id",
    "message_id", "created",       "timestamp", "metadata", "created_at", "model",
    "type",       "finish_reason", "done",      "finished", "is_final"};

/// Those that only answers have. Other JSON data may have a `text` and an `index`, too.
constexpr std::string_view members_of_answers[] = {"question",     "query", "session_id", "conversation_id",
                                                   "message_id",   "type",  "done",       "finished",
                                                   "finish_reason"};

/// Members of other protocols.
constexpr std::string_view foreign_names[] = {"object", "event_type",    "event",
                                              "data",   "generation_id", "error"};

template <std::size_t Count>
bool contains(const std::string_view (&names)[Count], std::string_view name) noexcept {
  return std::ranges::find(names, name) != std::end(names);
}

template <std::size_t Count>
bool has_any(json_value object, const std::string_view (&names)[Count]) noexcept {
  return std::ranges::any_of(names,
                             [=](std::string_view name) { return object[name] && !object[name].is_null(); });
}

/// Returns true if there is a list that later events may fill.
bool has_empty_list(json_value root) noexcept {
  return std::ranges::any_of(answer_list_names, [=](std::string_view name) {
    const json_value list = root[name];
    return list.is_array() ? list.empty() : list["results"].is_array();
  });
}

/// The name of the text of an answer in the plain form. Empty: the payload has OpenAI's form, or no text.
std::string_view text_name(json_value root) noexcept {
  if (root["choices"]) return {};
  for (const std::string_view name : text_names) {
    if (root[name].is_string()) return name;
  }
  return {};
}

/// Returns true if the text in an object is not that of an answer: the object has members of other protocols,
/// or a type other than `token`, such as that of retrieved context.
bool is_foreign(json_value root) noexcept {
  const json_value type = root["type"];
  return (type && !type.is_null() && type.string() != "token") || has_any(root, foreign_names);
}

/// The object with the answer: the payload, or an object in a body that has a text and a list.
json_value holder_of(json_value root, payload_kind kind) noexcept {
  if (kind == payload_kind::event || !text_name(root).empty()) return root;
  if (root["choices"] || root["type"] || root["object"] || root["event"] || root["event_type"]) return root;
  const json_value answers = root["answers"];
  const json_value only = answers[std::size_t{1}] ? json_value() : answers[std::size_t{0}];
  for (const json_value& inner : {root["data"], root["result"], only}) {
    if (!text_name(inner).empty() && (source_list(inner) || has_empty_list(inner))) return inner;
  }
  return root;
}

/// Returns true if all members next to the text of an event are those that RAG servers send.
bool is_piece_of_text(json_value root, std::string_view text) noexcept {
  const bool marked = text == "answer" || text == "response" || has_any(root, members_of_answers);
  bool bare = true;
  for (const json_value& member : root) {
    const std::string_view key = member.key();
    if (key == text || contains(source_list_names, key)) continue;
    if (!contains(members_next_to_text, key)) return false;
    bare = bare && key == "id";
  }
  return marked || bare;
}

bool recognise_plain(json_value root, std::string_view text, payload_kind kind) noexcept {
  if (source_list(root) || has_empty_list(root)) return true;
  return kind == payload_kind::event && is_piece_of_text(root, text);
}

bool recognise(json_value root, payload_kind kind) {
  const json_value holder = holder_of(root, kind);
  const std::string_view text = text_name(holder);
  if (!text.empty() && !is_foreign(holder)) return recognise_plain(holder, text, kind);
  if (source_list_of_answer(root, kind)) return true;
  return root["choices"].is_array() && chat::is_chat_object(root) && has_empty_list(root);
}

/// Returns true if an event in the plain form ends the answer.
bool is_end(json_value root) noexcept {
  return !root["finish_reason"].string().empty() ||
         std::ranges::any_of(end_names,
                             [=](std::string_view name) { return root[name].boolean().value_or(false); });
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  const bool body = kind == payload_kind::body;
  const json_value holder = holder_of(root, kind);
  // Only a body for which the user has chosen this dialect gets here with members of other protocols.
  const bool may_be_plain = !root["choices"] && (body || !is_foreign(root));
  const std::string_view text = may_be_plain ? text_name(holder) : std::string_view();
  const bool ends = may_be_plain && (body ? !text.empty() : is_end(root));
  const bool plain = !text.empty() || ends;
  if (!chat::read_with_sources(root, kind, source_list(holder), out, plain)) return false;
  if (!plain) {
    chat::read_parts(root, kind, out);
    return true;
  }
  choice_event& answer = out.choices.emplace_back();
  if (!text.empty()) chat::read_slot(holder, text, answer);
  answer.end.here = answer.end.expected = ends;
  return true;
}

}  // namespace
}  // namespace rag

extern constinit const dialect rag_dialect{.name = "rag",
                                           .recognise = &rag::recognise,
                                           .read = &read_object<&rag::read>,
                                           .grammars = list_grammars,
                                           .signs = {.may_precede = true},
                                           .stream = {.cites_places = true, .takes_comments = true}};

}  // namespace citestream
