// Streams to measure with: made up here, the same in every run, shaped like those that providers send.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_bench {

// How an event looks.
enum class shape : std::uint8_t {
  writer,      // 550 bytes around the text, which stands in `message` a second time
  openai,      // 300 bytes around the text
  random,      // the same, with a field of random text and length in every event
  perplexity,  // 3.5 KB of search results, and all of the text so far, in every event
};

// How often the text cites.
enum class density : std::uint8_t { none, usual, dense };
constexpr std::size_t tokens_between_markers = 40;       // usual
constexpr std::size_t tokens_between_dense_markers = 4;  // dense

// One whole stream.
struct corpus {
  std::string name;
  std::string bytes;                // with room behind it for what reads past its end (simdjson: 64 bytes)
  std::size_t events{};             // with a payload: `[DONE]` not counted
  std::vector<std::string> deltas;  // its texts
  bool variant{};                   // of another one: measured as a whole only
};

// A stream of `events` events.
[[nodiscard]] corpus make_corpus(shape how, density markers, std::size_t events);

// The stream in a file. \throws std::runtime_error  where it cannot be read or holds no event
[[nodiscard]] corpus read_corpus(const std::string& file);

// The shapes with citations as usual, and `files`; then, as variants, the shapes with none and with many.
[[nodiscard]] std::vector<corpus> all_corpora(const std::vector<std::string>& files);

// Tokens of text with markers of the form `[label](identifier)`, each of at most four characters.
[[nodiscard]] std::vector<std::string> four_character_deltas(density markers, std::size_t count);

// Gives each `data` payload of a stream, `[DONE]` left out.
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
