/// \file
/// Reads the words of a text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "check/number.hpp"
#include "check/vocabulary.hpp"

namespace citestream::check_detail {

/// One word. `begin` and `end` are in bytes of the text.
struct word {
  enum class form : std::uint8_t {
    plain,   ///< letters and digits
    pair,    ///< one or two characters of a script without spaces
    month,   ///< of a date in digits, or `May`: the bytes are the stem of the month's name
    number,  ///< `value` is set, and there are no bytes
  };
  form kind{};
  bool capital{};        ///< starts with a capital letter
  bool inner_capital{};  ///< has a capital letter or a digit after its first character
  std::size_t begin{};
  std::size_t end{};
  std::size_t size{};  ///< of its folded form: see word_reader::folded()
  number value;
};

/// Returns true if the dot at \p at of \p text does not end a sentence: it is a decimal point (`3.5`), or
/// part of a German ordinal of up to two digits (`1. Januar`) or of an abbreviation (`Dr. Bell`).
[[nodiscard]] bool is_inner_dot(std::string_view text, std::size_t at, language in) noexcept;

/// Reads words: runs of letters and digits, folded (lower case, no accents), without `'s` and other short
/// forms. `U.S.` is one word, and the `A` of `Team A` is not the article. A number is one word together with
/// its unit. A date in digits is three words: `2024-03-15`, `15.03.2024`, `3/15/2024` (the month first, if it
/// can be one). Linear time.
class word_reader {
 public:
  static constexpr std::size_t max_word_bytes = 64;  ///< later letters are ignored

  /// The language decides how numbers are written.
  explicit word_reader(std::string_view text, language in = language::english) noexcept
      : text_(text), language_(vocabulary_of(in)) {}

  /// \return false at the end
  [[nodiscard]] bool next(word& out) noexcept;

  /// Returns the folded letters of \p last, the last word.
  [[nodiscard]] std::string_view folded(const word& last) const noexcept {
    return {bytes_.data(), last.size};
  }
  /// Stems the folded letters of \p last, the last word, if it is plain, and returns them.
  [[nodiscard]] std::string_view stemmed(const word& last) noexcept {
    const bool plain = last.kind == word::form::plain;
    return {bytes_.data(), plain ? stem({bytes_.data(), last.size}, language_) : last.size};
  }

  /// Continues at byte \p place, which must not be before the end of the last word.
  void skip_to(std::size_t place) noexcept { at_ = place; }

 private:
  [[nodiscard]] std::size_t read_ascii_run(word& out, std::size_t size) noexcept;
  void read_plain(word& out) noexcept;
  bool read_beyond_ascii(word& out) noexcept;
  void finish_plain(word& out) noexcept;
  [[nodiscard]] bool is_united_states(const word& out) const noexcept;
  [[nodiscard]] bool is_letter_a(const word& out) const noexcept;
  [[nodiscard]] bool is_may(const word& out) const noexcept;
  bool read_ideographs(word& out) noexcept;
  void read_digits(word& out) noexcept;
  [[nodiscard]] bool ends_field(std::size_t at) noexcept;
  [[nodiscard]] bool find_date() noexcept;
  bool read_date(word& out) noexcept;
  void read_initials(word& out) noexcept;
  [[nodiscard]] std::size_t apostrophe_at(std::size_t at) const noexcept;
  [[nodiscard]] std::size_t short_form(std::size_t at) const noexcept;

  std::string_view text_;
  language language_{};
  std::size_t at_{};
  std::size_t line_end_{};                  ///< `fields_` is known up to here
  bool fields_{};                           ///< the line has_fields()
  std::size_t second_at_{~std::size_t{0}};  ///< the position of the last pair's second character
  struct date_part {
    std::size_t begin{};
    std::size_t end{};
    std::uint8_t month{};  ///< 0 if the part is a day or a year
  };
  std::array<date_part, 3> date_{};
  std::uint8_t date_left_{};  ///< parts of `date_` not returned yet
  std::array<char, max_word_bytes + 8> bytes_{};
};

}  // namespace citestream::check_detail
