/// \file
/// Mistral: OpenAI's form, where `content` is a string or a list of parts: `{"type":"text","text":…}`,
/// `{"type":"reference","reference_ids":[0]}`, and others that pass through unchanged (`thinking`).
///
/// Each text part is a text of its own. A `reference` part is a citation without a marker, at its position
/// between the texts. Its ids, numbers or strings, are keys of a tool result in the request, an object with
/// members `"0"`, `"1"`, …, which the answer does not repeat (docs.mistral.ai, "Citations & References"). A
/// part `{"type":"tool_reference","url":…,"title":…}` is a citation and its reference.
#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"

namespace citestream {
namespace mistral {
namespace {

constexpr std::string_view model_families[] = {"mistral-", "ministral-", "magistral-",   "codestral-",
                                               "pixtral-", "devstral-",  "open-mistral", "open-mixtral"};

bool is_own_model(std::string_view model) noexcept {
  return std::ranges::any_of(model_families,
                             [=](std::string_view family) { return model.starts_with(family); });
}

bool has_own_parts(json_value root, payload_kind kind) noexcept {
  const auto is_own = [](json_value part) {
    const std::string_view type = part["type"].string();
    return type == "reference" || type == "tool_reference" || type == "thinking";
  };
  return std::ranges::any_of(root["choices"], [=](json_value choice) {
    return std::ranges::any_of(chat::holder_of(choice, kind)["content"].elements(), is_own);
  });
}

bool recognise(json_value root, payload_kind kind) {
  if (!root["choices"].is_array() || chat::has_numbered_sources(root)) return false;
  return (chat::is_chat_object(root) && is_own_model(root["model"].string())) || has_own_parts(root, kind);
}

/// Adds the citations and references of a part that is not text.
void read_cited(json_value part, std::uint32_t choice, dialect_event& out) {
  const std::string_view type = part["type"].string();
  if (type == "tool_reference" && !part["url"].string().empty()) {
    reference ref;
    ref.type = source_type::web;
    ref.url = part["url"].string();
    ref.title = part["title"].string();
    ref.text = part["description"].string();
    out.cited.push_back(ref.url);
    out.references.push_back({choice, std::move(ref)});
  }
  if (type != "reference") return;
  for (const json_value& id : part["reference_ids"].elements()) {
    if (const auto number = id.integer(); number && *number >= 0) {
      out.cited.push_back(std::to_string(*number));
    } else if (!id.string().empty()) {
      out.cited.emplace_back(id.string());
    }
  }
}

}  // namespace
}  // namespace mistral

extern constinit const dialect mistral_dialect{
    .name = "mistral",
    .recognise = &mistral::recognise,
    .read = &read_object<&chat::read_general<&mistral::read_cited>>,
    .signs = {.general = true},
    .stream = {.cites_places = true, .takes_comments = true}};

}  // namespace citestream
