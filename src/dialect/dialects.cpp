#include <citestream/dialect/dialect.hpp>

#include <array>

namespace citestream {

extern const dialect anthropic_dialect;
extern const dialect cloudflare_dialect;
extern const dialect cohere_dialect;
extern const dialect ollama_dialect;

namespace {

/// One line per dialect, in the order in which they are tried: specific ones first, general ones last.
constexpr const dialect* table[] = {
    &responses_dialect,   //
    &anthropic_dialect,   //
    &cohere_dialect,      //
    &perplexity_dialect,  //
    &writer_dialect,      //
    &azure_dialect,       //
    &xai_dialect,         //
    &cloudflare_dialect,  //
    &ollama_dialect,      //
    &rag_dialect,         //
    &openrouter_dialect,  //
    &mistral_dialect,     //
    &openai_dialect,      //
};

}  // namespace

std::span<const dialect* const> dialects() noexcept {
  return table;
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
