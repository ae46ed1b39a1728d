#include <citestream/dialect/dialect.hpp>

#include <array>

namespace citestream {

extern const dialect ag_ui_dialect;
extern const dialect ai_sdk_ui_dialect;
extern const dialect anthropic_dialect;
extern const dialect bedrock_dialect;
extern const dialect bedrock_rag_dialect;
extern const dialect cloudflare_dialect;
extern const dialect cohere_dialect;
extern const dialect gemini_dialect;
extern const dialect interactions_dialect;
extern const dialect nova_dialect;
extern const dialect bedrock_text_dialect;
extern const dialect ollama_dialect;

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

}  // namespace

std::span<const dialect* const> dialects() noexcept {
  return table;
}

text_unit unit_named(std::string_view id) noexcept {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a; ids that collide come from the same upstream
  for (const char byte : id) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return {static_cast<std::uint32_t>(hash >> 32U), static_cast<std::uint32_t>(hash)};
}

std::string_view name(other_text_place place) noexcept {
  constexpr std::array<std::string_view, 3> names{"refusal", "message", "message_refusal"};
  return names[static_cast<std::size_t>(place)];
}

const dialect* find_dialect(std::string_view name) noexcept {
  for (const dialect* candidate : table) {
    if (candidate->name == name) return candidate;
  }
  return nullptr;
}

}  // namespace citestream
