// The words of a text, one after the other, for the score.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "check/number.hpp"

namespace citestream::check_detail {

/// A set of first two letters: most words of a text are told apart from those that are looked for by them.
class letter_pairs {
 public:
  void clear() noexcept { bits_ = {}; }
  /// \p b is 0 for words of one letter. Bytes of folded words.
  void add(char a, char b) noexcept { bits_[place(a, b) / 64] |= std::uint64_t{1} << place(a, b) % 64; }
  /// False: no word with these letters was added. True says little.
  [[nodiscard]] bool may_have(char a, char b) const noexcept {
    return (bits_[place(a, b) / 64] >> place(a, b) % 64 & 1U) != 0;
  }

 private:
  [[nodiscard]] static std::size_t place(char a, char b) noexcept {
    return (static_cast<std::size_t>(static_cast<unsigned char>(a)) * 31 +
            static_cast<std::size_t>(static_cast<unsigned char>(b)) * 37) %
           1024;
  }
  std::array<std::uint64_t, 16> bits_{};
};

/// One word. `begin` and `end` are bytes of the text.
struct word {
  enum class form : std::uint8_t {
    plain,   ///< letters and digits
    pair,    ///< one or two characters of a script without spaces
    month,   ///< of a date in digits: `bytes` is the stem of its name
    number,  ///< `value` counts; `bytes` is empty
  };
  form kind{};
  bool capital{};        ///< starts with a capital letter
  bool inner_capital{};  ///< has one elsewhere, or a digit
  std::size_t place{};   ///< how many words stand before it
  std::size_t begin{};
  std::size_t end{};
  std::size_t size{};  ///< of `bytes`
  number value;
};

/// Reads words: runs of letters and digits, folded (lower case, no accents), without `'s` and the like;
/// `U.S.` is one; a number with all that belongs to it is one; a date in digits is three: `2024-03-15`,
/// `15.03.2024`, `3/15/2024` (the month first, unless it cannot be one). Linear.
class word_reader {
 public:
  static constexpr std::size_t max_word_bytes = 64;  ///< letters past it do not count

  explicit word_reader(std::string_view text) noexcept : text_(text) {}
  /// Gives only numbers, and of plain words those that may start with two of these letters; the others count
  /// for `place` alone. \p wanted must live as long.
  word_reader(std::string_view text, const letter_pairs& wanted) noexcept : text_(text), wanted_(&wanted) {}

  /// \return false at the end
  [[nodiscard]] bool next(word& out) noexcept;

  /// The folded letters of the word that next() gave, to be changed at will.
  [[nodiscard]] std::array<char, max_word_bytes + 8>& bytes() noexcept { return bytes_; }

  /// Goes on at \p place, which is not before what was read.
  void skip_to(std::size_t place) noexcept { at_ = place; }

 private:
  [[nodiscard]] std::size_t unwanted_at(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t read_ascii_run(word& out, std::size_t size) noexcept;
  void read_plain(word& out) noexcept;
  bool read_beyond_ascii(word& out) noexcept;
  void finish_plain(word& out) noexcept;
  bool read_ideographs(word& out) noexcept;
  void read_digits(word& out) noexcept;
  [[nodiscard]] bool find_date() noexcept;
  bool read_date(word& out) noexcept;
  void read_initials(word& out) noexcept;
  [[nodiscard]] std::size_t currency_sign(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t apostrophe_at(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t short_form(std::size_t at) const noexcept;

  std::string_view text_;
  const letter_pairs* wanted_{};
  std::size_t at_{};
  std::size_t second_at_{~std::size_t{0}};  ///< where the last pair's second character stands
  std::size_t count_{};
  struct date_part {
    std::size_t begin{};
    std::size_t end{};
    std::uint8_t month{};  ///< 0: a number
  };
  std::array<date_part, 3> date_{};
  std::uint8_t date_left_{};  ///< parts of `date_` still to come
  std::array<char, max_word_bytes + 8> bytes_{};
};

}  // namespace citestream::check_detail
