/// \file
/// Streams to measure with. They are generated, the same in every run, and have the form of providers'
/// streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_bench {

/// The form of an event.
enum class shape : std::uint8_t {
  writer,      ///< 550 bytes around the text, which is repeated in `message`
  openai,      ///< 300 bytes around the text
  random,      ///< the same, with a field of random text and length in every event
  perplexity,  ///< 3.5 KB of search results and all text so far in every event
  responses,   ///< OpenAI Responses: 250 bytes around the text, which is repeated at the end
  anthropic,   ///< Anthropic Messages: 110 bytes around the text
};

/// The density of markers.
enum class density : std::uint8_t { none, usual, dense };
constexpr std::size_t tokens_between_markers = 40;       ///< for density::usual
constexpr std::size_t tokens_between_dense_markers = 4;  ///< for density::dense

/// One complete stream.
struct corpus {
  std::string name;
  std::string bytes;                ///< with spare capacity, because simdjson reads 64 bytes past the end
  std::size_t events{};             ///< with a payload, without `[DONE]`
  std::vector<std::string> deltas;  ///< its texts
  bool alike{};    ///< its events have the shapes of earlier ones; those of a file may have any
  bool variant{};  ///< a variant of another corpus, with which only whole streams are measured
};

/// Makes a stream of \p events events.
[[nodiscard]] corpus make_corpus(shape how, density markers, std::size_t events);

/// Reads the stream in a file. \throws std::runtime_error  if it cannot be read or has no event
[[nodiscard]] corpus read_corpus(const std::string& file);

/// Returns the shapes with density::usual and the streams in \p files, then variants with no and many
/// citations.
[[nodiscard]] std::vector<corpus> all_corpora(const std::vector<std::string>& files);

/// Number of deltas in one answer of the benchmarks of single stages.
inline constexpr std::size_t deltas_per_answer = 4000;

/// Returns tokens of at most four characters, of text with markers of the form `[label](identifier)`.
[[nodiscard]] std::vector<std::string> four_character_deltas(density markers, std::size_t count);

/// Calls the function for each `data` payload of a stream except `[DONE]`.
template <typename Take>
void for_each_payload(std::string_view bytes, const Take& take) {
  constexpr std::string_view field = "data: ";
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    if (line.starts_with(field) && line != "data: [DONE]") take(line.substr(field.size()));
    bytes.remove_prefix(line.size() == bytes.size() ? line.size() : line.size() + 1);
  }
}

}  // namespace citestream_bench
