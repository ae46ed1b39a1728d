// The content words of a claim, to be looked up by the words of its references.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "check/words.hpp"

namespace citestream::check_detail {

inline constexpr std::uint32_t no_word = ~std::uint32_t{0};

/// One distinct content word.
struct content_word {
  std::size_t begin{};  ///< bytes of the claim where it stands first
  std::size_t end{};
  std::uint32_t follower{no_word};  ///< the content word behind it there
  bool name{};
  bool first{};  ///< of a sentence, with a capital, which then says nothing: it may be a name or not
  bool number{};
  check_detail::number value;
};

/// A claim taken apart. Warm, it allocates only for claims with more words than before.
class claim_words {
 public:
  claim_words();

  /// Reads another claim, which must live until the next.
  void read(std::string_view claim);

  [[nodiscard]] std::span<const content_word> all() const noexcept { return words_; }
  /// Distinct pairs of neighbours.
  [[nodiscard]] std::size_t pairs() const noexcept { return pairs_; }

  /// The content word that \p seen, just read by \p reader, is; no_word for others. Changes the reader's
  /// bytes.
  [[nodiscard]] std::uint32_t find(const word& seen, word_reader& reader) const noexcept;

  /// Whether the claim says that something became less (says_decline()).
  [[nodiscard]] bool declines() const noexcept;

  /// The first letters of what find() finds, numbers aside.
  [[nodiscard]] const letter_pairs& starts() const noexcept { return starts_; }

 private:
  struct slot {
    std::uint64_t hash{};
    std::uint32_t index{};
    std::uint32_t epoch{};  ///< slots of an earlier claim count as empty
  };

  [[nodiscard]] std::uint64_t hash_of(std::string_view bytes) const noexcept;
  [[nodiscard]] std::uint64_t hash_of(const number& value) const noexcept;
  [[nodiscard]] std::uint32_t look_up(std::uint64_t hash) const noexcept;
  void insert(std::uint64_t hash, std::uint32_t index);
  void insert_word(std::string_view stem, std::uint32_t index);
  [[nodiscard]] std::uint32_t add(const word& seen, word_reader& reader);
  void clear();

  std::string_view claim_;
  mutable std::optional<bool> declines_;  ///< once asked for
  std::uint64_t key_;  ///< so that nobody can choose words that collide; results do not depend on it
  std::vector<content_word> words_;
  std::vector<slot> slots_;  ///< open addressing; a power of two, at most half full
  std::size_t used_{};
  std::uint32_t epoch_{1};
  std::size_t pairs_{};
  letter_pairs starts_;
};

}  // namespace citestream::check_detail
