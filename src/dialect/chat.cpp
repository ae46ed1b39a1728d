#include "dialect/chat.hpp"

#include <optional>

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
  if (kind == payload_kind::event && mirroring_of(choice) == mirroring::equal) {
    out.mirror = choice["message"]["content"].range();
  }
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

}  // namespace citestream::chat
