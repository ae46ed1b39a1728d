#include <citestream/dialect/dialect.hpp>

#include "base/enum_text.hpp"
#include "base/fnv1a.hpp"
#include "base/path_reader.hpp"

namespace citestream {

extern const dialect ag_ui_dialect, ai_sdk_ui_dialect, anthropic_dialect, azure_dialect, bedrock_dialect,
    bedrock_rag_dialect, bedrock_text_dialect, cloudflare_dialect, cohere_dialect, gemini_dialect,
    interactions_dialect, mistral_dialect, nova_dialect, ollama_dialect, openrouter_dialect,
    perplexity_dialect, rag_dialect, responses_dialect, writer_dialect, xai_dialect;

namespace {

/// One line per dialect, in the order in which they are tried: specific ones first, general ones last.
constexpr const dialect* table[] = {
    &responses_dialect,     //
    &anthropic_dialect,     //
    &cohere_dialect,        //
    &ai_sdk_ui_dialect,     //
    &ag_ui_dialect,         //
    &gemini_dialect,        //
    &interactions_dialect,  //
    &bedrock_dialect,       //
    &bedrock_rag_dialect,   //
    &nova_dialect,          //
    &bedrock_text_dialect,  //
    &perplexity_dialect,    //
    &writer_dialect,        //
    &azure_dialect,         //
    &xai_dialect,           //
    &cloudflare_dialect,    //
    &ollama_dialect,        //
    &rag_dialect,           //
    &openrouter_dialect,    //
    &mistral_dialect,       //
    &openai_dialect,        //
};

/// Returns true if \p path ends in \p end, in which one `*` matches any text.
bool matches_end(std::string_view path, std::string_view end) noexcept {
  const std::size_t star = end.find('*');
  if (star == std::string_view::npos) return path.ends_with(end);
  const std::string_view last = end.substr(star + 1);
  return path.ends_with(last) &&
         path.substr(0, path.size() - last.size()).find(end.substr(0, star)) != std::string_view::npos;
}

}  // namespace

std::span<const dialect* const> dialects() noexcept {
  return table;
}

text_unit unit_named(std::string_view id) noexcept {
  // Without a key: an upstream that makes ids collide harms only its own answer.
  const std::uint64_t hash = fnv1a::hash_of(id);
  return {static_cast<std::uint32_t>(hash >> 32U), static_cast<std::uint32_t>(hash)};
}

std::string_view name(other_text_place place) noexcept {
  static constexpr std::string_view names[] = {"refusal", "message", "message_refusal"};
  return enum_text<other_text_place::message_refusal>(names, place);
}

const dialect* find_dialect(std::string_view name) noexcept {
  for (const dialect* candidate : table) {
    if (candidate->name == name) return candidate;
  }
  return nullptr;
}

api_request find_api(std::string_view target) {
  std::string path = path_of(target);
  if (path.ends_with('/')) path.pop_back();
  api_request out;
  std::size_t longest = 0;  // "/responses/*" also matches paths below other APIs
  for (const dialect* const one : table) {
    for (const api_path& known : one->paths) {
      if (known.end.size() <= longest || !matches_end(path, known.end)) continue;
      longest = known.end.size();
      out = {one, known.kind};
    }
  }
  // Servers of many protocols answer at `/chat`.
  if (out.api == nullptr && path.ends_with("/chat")) out.kind = request_kind::chat;
  return out;
}

}  // namespace citestream
