/// \file
/// Writer: chat, graph questions and applications.
///
/// Chat is OpenAI's form with `message` next to `delta`, the same text in both. References are in
/// `graph_data.references`, which may be in `delta`, in `message`, at the top level, or in several of these.
/// Graph questions have their text in `answer` (a delta in events) and references at the top level, sometimes
/// all of it inside `data`. Applications have their text in `delta.content`. Their events do not report the
/// end of the answer.
///
/// `sources` repeat `references` with less detail. They count only for files that no reference in the
/// same payload names.
#include <citestream/dialect/dialect.hpp>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace writer {
namespace {

// ---- references

/// The id of a file, in either spelling.
std::string_view file_id(json_value object) noexcept {
  return first_text(object, {"fileId", "file_id"});
}

void read_reference(json_value object, source_type type, std::optional<std::uint32_t> choice,
                    dialect_event& out) {
  reference ref;
  ref.type = type;
  ref.id = file_id(object);
  ref.cite = object["cite"].string();
  ref.title = object["title"].string();
  ref.url = object["url"].string();
  ref.text = object["text"].string();
  if (ref.id.empty() && ref.cite.empty() && ref.url.empty() && ref.text.empty()) return;
  ref.score = object["score"].number();
  ref.page = object["page"].integer();
  out.references.push_back({choice, std::move(ref)});
}

void read_references(json_value references, std::optional<std::uint32_t> choice, dialect_event& out) {
  for (const json_value& file : references["files"].elements())
    read_reference(file, source_type::file, choice, out);
  for (const json_value& page : references["web"].elements())
    read_reference(page, source_type::web, choice, out);
}

/// The files that references name.
using named_files = std::set<std::string>;

named_files files_named_in(const dialect_event& read) {
  named_files out;
  for (const found_reference& found : read.references) out.insert(found.ref.id);
  return out;
}

/// Reads the sources of other files than \p named.
void read_sources(json_value sources, std::optional<std::uint32_t> choice, const named_files& named,
                  dialect_event& out) {
  for (const json_value& source : sources.elements()) {
    reference ref;
    ref.type = source_type::file;
    ref.id = file_id(source);
    if (ref.id.empty() || named.contains(ref.id)) continue;
    ref.text = source["snippet"].string();
    out.references.push_back({choice, std::move(ref)});
  }
}

void read_choice_references(json_value choice, payload_kind, const choice_event& found, dialect_event& out) {
  for (const std::string_view holder : {"delta", "message"}) {
    read_references(choice[holder]["graph_data"]["references"], found.choice, out);
  }
}

/// Reads all sources in a payload of a chat. Call after its references have been read.
void read_chat_sources(json_value root, dialect_event& out) {
  const named_files named = files_named_in(out);
  std::size_t at = 0;  // read_choices() has read the objects of the list
  for (const json_value& choice : root["choices"].elements()) {
    if (!choice.is_object()) continue;
    const choice_event& found = out.choices[at++];
    for (const std::string_view holder : {"delta", "message"})
      read_sources(choice[holder]["graph_data"]["sources"], found.choice, named, out);
  }
  read_sources(root["graph_data"]["sources"], std::nullopt, named, out);
}

// ---- shapes

bool is_text(json_value value) noexcept {
  return value.is_string() || value.is_null();
}

/// The object of a graph question: the root, or the object in `data`.
json_value question_of(json_value root) noexcept {
  const json_value data = root["data"];
  return data.is_object() && !root["answer"] ? data : root;
}

/// Returns true if \p object may be part of the answer to a graph question.
bool is_question(json_value object) noexcept {
  if (object["choices"]) return false;
  return is_text(object["answer"]) || object["subqueries"].is_array() || object["references"].is_object();
}

/// Returns true if \p object has members that no other provider sends together.
bool is_surely_question(json_value object) noexcept {
  if (object["choices"] || !is_text(object["answer"]) || !is_text(object["question"])) return false;
  return object["subqueries"] || object["references"].is_object() ||
         !file_id(object["sources"].first_element()).empty();
}

bool is_application(json_value root) noexcept {
  // In other protocols `type` names the event, and `delta` has other contents.
  const json_value delta = root["delta"];
  if (!delta.is_object() || root["choices"] || root["type"]) return false;
  return is_text(delta["content"]) || delta["stages"].is_array() || is_text(delta["title"]);
}

bool is_surely_application(json_value root) noexcept {
  const json_value delta = root["delta"];
  return is_application(root) && is_text(delta["content"]) && (delta["stages"] || delta["title"]);
}

bool has_own_members(json_value holder) noexcept {
  return holder.is_object() && (holder["graph_data"] || holder["llm_data"]);
}

bool is_surely_chat(json_value root, payload_kind kind) noexcept {
  const json_value choices = root["choices"];
  if (!choices.is_array() || chat::has_numbered_sources(root)) return false;
  if (root["graph_data"].is_object()) return true;
  for (const json_value& choice : choices) {
    if (has_own_members(chat::holder_of(choice, kind))) return true;
    if (kind == payload_kind::event && chat::mirroring_of(choice) == chat::mirroring::equal) {
      return chat::is_chat_object(root) && !chat::accumulates(root, kind);
    }
  }
  return false;
}

bool recognise(json_value root, payload_kind kind) {
  return root.is_object() &&
         (is_surely_chat(root, kind) || is_surely_question(question_of(root)) || is_surely_application(root));
}

// ---- reading

bool read_chat(json_value root, payload_kind kind, dialect_event& out) {
  if (!chat::read_choices(root, kind, &read_choice_references, out)) return false;
  read_references(root["graph_data"]["references"], std::nullopt, out);
  read_references(root["references"], std::nullopt, out);
  read_chat_sources(root, out);
  chat::read_parts(root, kind, out);
  return true;
}

/// Adds the only choice of a payload, whose text is at `holder[key]`.
void read_single(json_value holder, std::string_view key, payload_kind kind, dialect_event& out) {
  choice_event found;
  chat::read_slot(holder, key, found);
  found.end.here = kind == payload_kind::body;
  found.end.expected = false;
  out.choices.push_back(found);
}

void read_question(json_value object, payload_kind kind, dialect_event& out) {
  read_single(object, "answer", kind, out);
  read_references(object["references"], std::nullopt, out);
  read_references(object["graph_data"]["references"], std::nullopt, out);
  read_sources(object["sources"], std::nullopt, files_named_in(out), out);
}

/// Returns true for `{"error":…}` and for Writer's own `{"tpe":…,"errors":[…]}`.
bool is_error(json_value root) noexcept {
  return chat::is_error(root) || root["errors"].is_array();
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  out.root = root;
  out.signals.error = is_error(root);
  bool known = true;
  if (root["choices"].is_array() || chat::is_chat_object(root)) {
    known = read_chat(root, kind, out);
  } else if (const json_value object = question_of(root); is_question(object)) {
    read_question(object, kind, out);
  } else if (is_application(root)) {
    read_single(root["delta"], "content", kind, out);
  } else if (const json_value data = root["graph_data"]; data.is_object()) {
    read_references(data["references"], std::nullopt, out);
  } else {
    known = out.signals.error || root["usage"].is_object();
  }
  return known;
}

constexpr api_path paths[] = {{"/graphs/question", request_kind::graph_question}};

}  // namespace
}  // namespace writer

extern constinit const dialect writer_dialect{.name = "writer",
                                              .recognise = &writer::recognise,
                                              .read = &read_object<&writer::read>,
                                              .markers = {.for_references = {}},
                                              .stream = {.takes_comments = true},
                                              .paths = writer::paths};

}  // namespace citestream
