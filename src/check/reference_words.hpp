/// \file
/// What is read of a reference once, for all claims that cite it: its words, numbers and sentences.
#pragma once

#include <citestream/base/byte_range.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/language_count.hpp"
#include "check/text_words.hpp"
#include "check/vocabulary.hpp"
#include "check/word_hash.hpp"

namespace citestream::check_detail {

/// One word of a reference.
struct reference_word {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t begin{};  ///< in bytes of the reference
  std::uint32_t end{};
  std::uint32_t number{none};  ///< index in reference_words::numbers()
  std::uint32_t next{none};    ///< a later word that may have the same hash
  std::uint64_t hash{};        ///< of its stem or value
};

/// One number of a reference.
struct reference_number {
  std::size_t place{};  ///< index in reference_words::words()
  std::size_t begin{};  ///< in bytes of the reference
  std::size_t end{};
  number value;
};

/// A part of a reference that is compared with a claim word by word: see excerpt_of().
struct excerpt_words : text_words {
  byte_range place;
};

/// How many words of an excerpt are compared.
inline constexpr std::size_t max_excerpt_words = 256;
/// How many excerpts a reference keeps.
inline constexpr std::size_t max_excerpts = 16;

/// One reference: its text, and its words in one language in the order of the text. A warm object allocates
/// only for a longer text.
class reference_words {
 public:
  /// Takes another text, of which the first 4 GiB count.
  void assign(std::string_view text);
  /// Returns how many stop words of each language the text has.
  [[nodiscard]] const language_count& languages();
  /// Reads the words unless they are those of this language already. Linear time.
  void read(language in, const word_hash& hash);

  /// Returns true if assign() took \p text.
  [[nodiscard]] bool is(std::string_view text) const noexcept { return given_ == text; }
  /// Returns the text with its lines joined: see join_lines().
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::span<const reference_word> words() const noexcept { return words_; }
  [[nodiscard]] std::span<const reference_number> numbers() const noexcept { return numbers_; }

  /// Returns the first word that may have \p hash, or none; reference_word::next leads to the others.
  [[nodiscard]] std::uint32_t first_like(std::uint64_t hash) const noexcept {
    return buckets_[hash & (buckets_.size() - 1)];
  }

  /// Returns where the sentence that contains the byte before \p at starts. A sentence ends at a line feed of
  /// text(), or at `.`, `!` or `?` before white space, but not at an inner dot: see is_inner_dot().
  [[nodiscard]] std::size_t sentence_start(std::size_t at) const noexcept;
  /// Returns where the sentence that contains the byte \p at ends.
  [[nodiscard]] std::size_t sentence_end(std::size_t at) const noexcept;

  /// Returns the words of an excerpt. Reads it unless it is among the last max_excerpts that were read.
  /// Valid until the next call.
  [[nodiscard]] excerpt_words& excerpt(const byte_range& place);

 private:
  void index();

  std::string given_;
  std::string text_;  ///< `given_` with its lines joined
  std::optional<language_count> languages_;
  std::optional<language> language_;  ///< of the words below, which are those of `text_`; unset: not read
  word_hash hash_;
  std::vector<reference_word> words_;
  std::vector<reference_number> numbers_;
  std::vector<std::uint32_t> buckets_;  ///< the first word of each; the size is a power of two
  std::vector<std::size_t> sentence_ends_;
  std::vector<excerpt_words> excerpts_;
  std::size_t excerpts_read_{};
};

/// The references that were read last.
class kept_references {
 public:
  /// How many bytes of references are kept. With their words they take about nine times as much, and up to
  /// forty times if all their sentences have been excerpts.
  static constexpr std::size_t max_bytes = std::size_t{128} * 1024;
  /// How many references are kept.
  static constexpr std::size_t max_count = 128;

  /// Returns the object with \p text, and with its words if it is kept. Drops the oldest references beyond
  /// the limits. Valid until the next call.
  [[nodiscard]] reference_words& find(std::string_view text);
  /// Hashes the words of all references.
  [[nodiscard]] const word_hash& hash() const noexcept { return hash_; }

 private:
  struct kept {
    std::uint64_t hash{};  ///< of the size and the last bytes of its text
    std::unique_ptr<reference_words> words;
  };

  word_hash hash_;
  std::vector<kept> kept_;  ///< in the order in which they were read
  std::size_t bytes_{};     ///< of `kept_`
};

}  // namespace citestream::check_detail
