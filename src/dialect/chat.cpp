#include "dialect/chat.hpp"

#include <citestream/dialect/sources.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace citestream::chat {

namespace {

// Far beyond any number of choices that is asked for, far below what breaks arithmetic.
constexpr std::int64_t max_choice_index = 1'000'000;

/// Where a choice has no index, its place in the list is its index.
std::optional<std::uint32_t> index_of(json_value choice, std::uint32_t place) noexcept {
  const json_value value = choice["index"];
  if (value.kind() != json_kind::number) return place;
  const auto index = value.integer();
  if (!index || *index < 0 || *index > max_choice_index) return std::nullopt;
  return static_cast<std::uint32_t>(*index);
}

/// The first element of a list; missing where it is none.
json_value first_of(json_value list) noexcept {
  return list.is_array() ? list.first() : json_value();
}

void add_web_page(std::string_view url, json_value about, std::optional<std::int64_t> number,
                  dialect_event& out) {
  reference ref;
  ref.type = source_type::web;
  ref.url = url;
  ref.title = about["title"].string();
  ref.text = about["snippet"].string();
  if (ref.url.empty() && ref.title.empty() && ref.text.empty()) return;
  ref.number = number;
  out.references.push_back({std::nullopt, std::move(ref)});
}

void read_mirror(json_value choice, choice_event& out) noexcept {
  const mirroring found = mirroring_of(choice);
  if (found == mirroring::none) return;
  const json_value mirror = choice["message"]["content"];
  // Beside null, or another text, only this text reads like this.
  out.text_free = out.text_free && found == mirroring::equal && mirror.is_string();
  if (found != mirroring::equal) return;
  out.mirror = mirror.range();
  out.mirror_text = mirror.string();
}

bool read_choice(json_value choice, std::uint32_t place, payload_kind kind, choice_event& out) noexcept {
  const auto index = index_of(choice, place);
  if (!index) return false;
  out.choice = *index;
  // Some servers say "" where others say null.
  out.finish_reason = choice["finish_reason"].string();
  out.finished = kind == payload_kind::body || !out.finish_reason.empty();

  const json_value holder = holder_of(choice, kind);
  if (!holder.is_object()) return true;
  read_slot(holder, "content", out);
  out.can_annotate = true;
  if (const json_value list = holder["annotations"]) out.annotations = list.range();
  if (kind == payload_kind::event) read_mirror(choice, out);
  return true;
}

}  // namespace

json_value holder_of(json_value choice, payload_kind kind) noexcept {
  return choice[kind == payload_kind::event ? "delta" : "message"];
}

mirroring mirroring_of(json_value choice) noexcept {
  const json_value delta = choice["delta"];
  if (!delta.is_object()) return mirroring::none;
  const json_value mirror = choice["message"]["content"];
  if (!mirror.is_string() && !mirror.is_null()) return mirroring::none;
  return delta["content"].string() == mirror.string() ? mirroring::equal : mirroring::different;
}

bool accumulates(json_value root, payload_kind kind) noexcept {
  if (kind != payload_kind::event) return false;
  const json_value choices = root["choices"];
  if (!choices.is_array()) return false;
  for (json_value choice = choices.first(); choice; choice = choice.next()) {
    if (mirroring_of(choice) == mirroring::different) return true;
  }
  return false;
}

bool has_numbered_sources(json_value root) noexcept {
  for (const std::string_view key : {"citations", "search_results"}) {
    const json_value list = root[key];
    if (list.is_array() || list.is_object()) return true;
  }
  return false;
}

bool is_chat_object(json_value root) noexcept {
  const std::string_view object = root["object"].string();
  return object == "chat.completion.chunk" || object == "chat.completion";
}

bool is_error(json_value root) noexcept {
  const json_value error = root["error"];
  return error.is_object() || !error.string().empty();
}

void read_slot(json_value holder, std::string_view key, choice_event& out) noexcept {
  out.holder = holder.range();
  out.content_key = key;
  const json_value content = holder[key];
  if (content.is_string()) {
    out.slot = text_slot::string;
    out.text_free = true;
    out.text = content.string();
    out.token = content.range();
  } else if (content.is_null()) {
    out.slot = text_slot::null;
    out.token = content.range();
  } else {
    // Content in parts, for example: not a place that a string can take.
    out.slot = content ? text_slot::none : text_slot::absent;
  }
}

void read_annotations(json_value choice, payload_kind kind, const choice_event& found, dialect_event& out) {
  const json_value list = holder_of(choice, kind)["annotations"];
  if (!list.is_array()) return;
  for (json_value annotation = list.first(); annotation; annotation = annotation.next()) {
    const json_value source = annotation["url_citation"];
    if (source["url"].string().empty()) continue;
    reference ref;
    ref.type = source_type::web;
    ref.url = source["url"].string();
    ref.title = source["title"].string();
    ref.text = source["content"].string();
    out.references.push_back({found.choice, std::move(ref)});
  }
}

void read_numbered_sources(json_value root, dialect_event& out) {
  json_value cited = first_of(root["citations"]);
  json_value result = first_of(root["search_results"]);
  for (std::int64_t number = 1; cited || result; ++number) {
    if (cited.is_string() && !cited.string().empty() && !is_web(cited.string())) {  // the source itself
      out.references.push_back({std::nullopt, read_source(cited, number)});
      if (result) add_web_page(result["url"].string(), result, std::nullopt, out);
      cited = cited.next();
      result = result.next();
      continue;
    }
    const std::string_view url = cited.is_object() ? cited["url"].string() : cited.string();
    const std::string_view found = result["url"].string();
    const bool same = url.empty() || found.empty() || url == found;
    add_web_page(url.empty() ? found : url, same ? result : json_value(), number, out);
    if (!same) add_web_page(found, result, std::nullopt, out);
    cited = cited.next();
    result = result.next();
  }
}

bool read_choices(json_value root, payload_kind kind, reference_reader references, dialect_event& out) {
  const json_value choices = root["choices"];
  if (!choices.is_array()) return true;
  std::uint32_t place = 0;
  for (json_value choice = choices.first(); choice; choice = choice.next(), ++place) {
    if (!choice.is_object()) continue;
    choice_event found;
    if (!read_choice(choice, place, kind, found)) return false;
    references(choice, kind, found, out);
    out.choices.push_back(found);
  }
  return true;
}

bool read_payload(json_value root, payload_kind kind, reference_reader references, dialect_event& out,
                  bool known) {
  out.clear();
  if (!root.is_object()) return false;
  out.root = root.range();
  out.error = is_error(root);
  known =
      known || root["choices"].is_array() || is_chat_object(root) || out.error || root["usage"].is_object();
  if (!known || accumulates(root, kind)) return false;
  return read_choices(root, kind, references, out) && !root.ambiguous();
}

bool read_with_sources(json_value root, payload_kind kind, json_value first, dialect_event& out) {
  if (!read_payload(root, kind, &read_annotations, out, static_cast<bool>(first))) return false;
  std::int64_t number = 1;
  for (json_value entry = first; entry; entry = entry.next(), ++number) {
    if (is_source(entry)) out.references.push_back({std::nullopt, read_source(entry, number)});
  }
  return !root.ambiguous();
}

bool read_general(json_value root, payload_kind kind, dialect_event& out) {
  json_value first = first_source(root);
  if (first && !rag_dialect.recognise(root, kind)) first = {};
  if (!read_with_sources(root, kind, first, out)) return false;
  if (first.is_string())
    std::erase_if(out.references, [](const auto& found) { return found.ref.url.empty(); });
  return true;
}

}  // namespace citestream::chat
