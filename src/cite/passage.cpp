// How the passage is found.
//
// Each distinct word of the claim gets a bit. The text is read once: a word that is in the claim sets its bit
// in the mask of the sentence, and at the end of the sentence the bits are counted. Words are told apart by a
// hash; a collision could only make a sentence look better than it is.
#include "passage.hpp"

#include <array>
#include <bit>
#include <cstdint>

#include "base/ascii.hpp"
#include "base/characters.hpp"
#include "base/code_point.hpp"
#include "base/fnv1a.hpp"

namespace citestream {

namespace {

/// A longer sentence ends at the next blank.
constexpr std::size_t max_sentence_bytes = 400;
/// Bits of a mask.
constexpr std::size_t max_words = 64;

bool is_word_byte(char byte) noexcept {
  return ascii::is_digit(byte) || is_letter_byte(byte);
}

/// Reads one word after the other.
class hashed_words {
 public:
  explicit hashed_words(std::string_view text) noexcept : text_(text) {}

  /// Reads the word at \p at, if there is one, and moves past it; otherwise moves by one byte. \return its
  /// hash, or 0 if it is not a word, or one of one letter
  std::uint64_t take(std::size_t& at) const noexcept {
    if (!is_word_byte(text_[at])) {
      ++at;
      return 0;
    }
    const std::size_t begin = at;
    const bool alone = is_alone(text_[at]);
    std::uint64_t hash = fnv1a::start;
    do {
      hash = fnv1a::extend(hash, ascii::lower(text_[at]));
      ++at;
    } while (at < text_.size() && continues(alone, text_[at]));
    return at - begin == 1 && ascii::is_letter(text_[begin]) ? 0 : hash;
  }

 private:
  /// From U+3000 on, most scripts have no blanks between words.
  [[nodiscard]] static bool is_alone(char byte) noexcept { return static_cast<unsigned char>(byte) >= 0xE3; }
  [[nodiscard]] static bool continues(bool alone, char byte) noexcept {
    return alone ? is_continuation(byte) : is_word_byte(byte) && !is_alone(byte);
  }
  std::string_view text_;
};

/// The distinct words of a claim, each with a bit.
class claim_word_bits {
 public:
  explicit claim_word_bits(std::string_view claim) noexcept {
    const hashed_words words(claim);
    for (std::size_t at = 0; at < claim.size() && count_ < max_words;) {
      const std::uint64_t word = words.take(at);
      if (word == 0 || bit_of(word) != 0) continue;
      std::uint8_t& slot = *slot_of(word);
      hashes_[count_] = word;
      slot = static_cast<std::uint8_t>(++count_);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  /// 0 if the claim has no such word.
  [[nodiscard]] std::uint64_t bit_of(std::uint64_t word) noexcept {
    const std::uint8_t place = *slot_of(word);
    return place == 0 ? 0 : std::uint64_t{1} << (place - 1U);
  }

 private:
  /// The slot of a word, or the free one for it. There are four slots for each word, so that one is free.
  [[nodiscard]] std::uint8_t* slot_of(std::uint64_t word) noexcept {
    std::size_t at = (word ^ (word >> 32U)) % slots_.size();
    while (slots_[at] != 0 && hashes_[slots_[at] - 1U] != word) at = (at + 1) % slots_.size();
    return &slots_[at];
  }

  std::array<std::uint64_t, max_words> hashes_{};
  std::array<std::uint8_t, 4 * max_words> slots_{};  ///< place in `hashes_`, from 1
  std::size_t count_{};
};

/// Returns true if a sentence of \p size bytes ends before \p at. Lines of one paragraph continue with a
/// small letter.
bool ends_before(std::string_view text, std::size_t at, std::size_t size) noexcept {
  const char before = text[at - 1];
  const char after = text[at];
  if (before == '\n') return after < 'a' || after > 'z';
  if (ascii::is_space(after))
    return before == '.' || before == '!' || before == '?' || size >= max_sentence_bytes;
  const std::string_view wide = text.substr(at < 3 ? 0 : at - 3, 3);
  return wide == "。" || wide == "！" || wide == "？";
}

/// Without the white space around it.
byte_range trimmed(std::string_view text, byte_range found) noexcept {
  while (found.begin < found.end && ascii::is_space(text[found.begin])) ++found.begin;
  while (found.begin < found.end && ascii::is_space(text[found.end - 1])) --found.end;
  return found;
}

}  // namespace

std::optional<byte_range> find_passage(std::string_view claim, std::string_view text) {
  claim_word_bits wanted(claim);
  const hashed_words words(text);
  std::optional<byte_range> best;
  int most = 0;
  std::uint64_t found = 0;
  for (std::size_t at = 0, begin = 0; at < text.size();) {
    found |= wanted.bit_of(words.take(at));
    if (at < text.size() && !ends_before(text, at, at - begin)) continue;
    const byte_range sentence = trimmed(text, {begin, at});
    const int count = std::popcount(found);
    const bool shorter = best && sentence.size() < best->size();
    if (count > most || (count > 0 && count == most && shorter)) {
      best = sentence;
      most = count;
    }
    begin = at;
    found = 0;
  }
  if (2 * static_cast<std::size_t>(most) < wanted.size()) return std::nullopt;
  return best;
}

}  // namespace citestream
