/// \file
/// The content words of a claim: all words except stop words, with the hashes that find them in a reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "check/lexicon.hpp"
#include "check/vocabulary.hpp"
#include "check/word_hash.hpp"
#include "check/words.hpp"
#include "cite/hash_table.hpp"

namespace citestream::check_detail {

inline constexpr std::uint32_t no_word = cite_detail::none;

/// One distinct content word.
struct content_word {
  std::size_t begin{};              ///< of its first occurrence, in bytes of the claim
  std::size_t end{};                ///< exclusive
  std::uint32_t follower{no_word};  ///< index of the content word after that occurrence
  bool name{};                      ///< probably a name
  bool first{};                     ///< the capitalised first word of a sentence: a name or not
  bool number{};                    ///< `value` is set
  bool change{};                    ///< a number after `by`: the difference of two others
  rounding rounds{};                ///< what the claim says about a number that need not be exact
  check_detail::number value{};
};

/// Returns the end of what starts with the word at \p at and is part of no claim: a web address, a mark
/// (`[1]`), a page (`(p. 3)`), an opener (`In summary,`) or the `US` of `US$`. Returns \p at if another word
/// is there.
[[nodiscard]] std::size_t skipped_end(std::string_view text, std::size_t at) noexcept;

/// Returns true if a word negates the next one, as in `non-toxic` and the French `non remboursable`. \p after
/// is the text after it.
[[nodiscard]] bool is_prefix(std::string_view folded, std::string_view after, language in) noexcept;

/// The distinct content words of one claim. A warm object allocates only if a claim has more words than any
/// before it.
class claim_words {
 public:
  /// \p hash must be that of the references.
  explicit claim_words(const word_hash& hash) : hash_(hash) {}

  /// Reads another claim. \p claim must stay valid until the next call.
  void read(std::string_view claim, language in);

  /// The language in which the claim and its references are read.
  [[nodiscard]] language in_language() const noexcept { return language_; }

  [[nodiscard]] std::span<const content_word> all() const noexcept { return words_; }
  /// The number of words with a follower.
  [[nodiscard]] std::size_t pairs() const noexcept { return pairs_; }

  /// Returns the index of the content word that has \p hash or the same meaning, or no_word.
  [[nodiscard]] std::uint32_t find(std::uint64_t hash) const noexcept;

  /// A hash, and the content word that has it.
  struct hashed_word {
    std::uint64_t hash{};
    std::uint32_t index{};
  };
  /// All hashes that find() can find, each once.
  [[nodiscard]] std::span<const hashed_word> hashes() const noexcept { return hashes_; }

  /// Returns true if the claim reports a decline: see mentions_decline().
  [[nodiscard]] bool declines() const noexcept;

 private:
  void insert(std::uint64_t hash, std::uint32_t index);
  [[nodiscard]] std::uint32_t add(const word& seen, word_reader& reader);
  void note(const word_sense& sense) noexcept;
  [[nodiscard]] rounding rounding_at(std::size_t begin) const noexcept;
  void follow(std::uint32_t before, std::uint32_t index) noexcept;
  void clear();

  /// What the words before a number say about it.
  struct words_before {
    rounding rounds{};
    std::uint8_t reach{};  ///< how many words later `rounds` still counts
    bool by{};             ///< the last word is `by`
  };

  std::string_view claim_;
  words_before before_;
  language language_{};
  mutable std::optional<bool> declines_;  ///< computed on first use
  word_hash hash_;
  std::vector<content_word> words_;
  cite_detail::hash_table by_hash_;  ///< indices of `words_`
  std::vector<hashed_word> hashes_;
  std::size_t pairs_{};
};

}  // namespace citestream::check_detail
