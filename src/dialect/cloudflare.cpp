/// \file
/// Cloudflare AI Search: OpenAI's form, with the retrieved chunks next to the answer.
///
/// A stream starts with an event whose payload is the list of chunks itself (`event: chunks`); a body has the
/// list in `chunks`. These members of a chunk are read: `id`, `text`, `score` and `item.key`, a URL or file
/// name by which models cite it. Chunks of one file share it. The number of a chunk is its place in the list,
/// from 1. Source: developers.cloudflare.com/ai-search, "REST API" and "Show source citations".
#include <citestream/dialect/dialect.hpp>

#include <string_view>

#include "base/web_url.hpp"
#include "dialect/chat.hpp"
#include "dialect/payload_parts.hpp"
#include "dialect/sources.hpp"

namespace citestream {
namespace cloudflare {
namespace {

/// The first chunk of the payload; missing if it has none.
json_value first_chunk(json_value root) noexcept {
  return (root.is_array() ? root : root["chunks"]).first_element();
}

bool is_chunk(json_value entry) noexcept {
  return entry["text"].is_string() && !entry["item"]["key"].string().empty();
}

bool recognise(json_value root, payload_kind kind) {
  if (root.is_array()) return kind == payload_kind::event && is_chunk(first_chunk(root));
  return root["choices"].is_array() && is_chunk(first_chunk(root));
}

void read_chunks(json_value root, dialect_event& out) {
  std::int64_t number = 1;
  for (json_value chunk = first_chunk(root); chunk; chunk = chunk.next(), ++number) {
    if (!is_chunk(chunk)) continue;
    reference ref = read_source(chunk, number);
    const std::string_view key = chunk["item"]["key"].string();
    const bool web = is_web_url(key);
    ref.cite = key;
    ref.type = web ? source_type::web : source_type::file;
    if (web) ref.url = key;
    const std::string_view title = chunk["item"]["metadata"]["title"].string();
    ref.title = title.empty() ? key : title;
    out.references.push_back({std::nullopt, std::move(ref)});
  }
}

bool read_answer(json_value root, payload_kind kind, dialect_event& out) {
  const bool known = static_cast<bool>(first_chunk(root));
  if (!chat::read_payload(root, kind, &chat::read_annotations, out, known)) return false;
  read_chunks(root, out);
  chat::read_parts(root, kind, out);
  return true;
}

bool read(json_value root, payload_kind kind, dialect_event& out) {
  if (!root.is_array()) return read_object<&read_answer>(root, kind, out);
  out.clear();
  if (!is_chunk(first_chunk(root))) return false;
  read_chunks(root, out);
  return !root.ambiguous();
}

}  // namespace
}  // namespace cloudflare

extern constinit const dialect cloudflare_dialect{.name = "cloudflare",
                                                  .recognise = &cloudflare::recognise,
                                                  .read = &cloudflare::read,
                                                  .grammars = list_grammars,
                                                  .stream = {.cites_places = true, .takes_comments = true}};

}  // namespace citestream
