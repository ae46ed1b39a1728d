/// \file
/// Guesses whether a place in a text is prose, code or a formula.
///
/// The guess affects only how something is made inert, never whether it is, so it may be wrong. It knows
/// fences, code spans, indented code and formulas, and ignores the other rules of Markdown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream {

/// What a place in a text is.
enum class surroundings : std::uint8_t { prose, code, formula };

/// Reads a text and guesses what the next place in it is.
class code_guess {
 public:
  /// Takes text that has been read. Linear.
  void read(std::string_view text) noexcept;
  /// Takes text without line ends, backticks, tildes, `$` and backslashes.
  void read_words(std::string_view text) noexcept;
  /// Guesses what the place after the text read is. \p next: the byte that follows, which may end a run of
  /// marks.
  [[nodiscard]] surroundings before(char next) noexcept;
  /// Returns true if the place that before() called prose may be in a formula.
  [[nodiscard]] bool may_be_formula() const noexcept {
    return formula_ == formula::amount || formula_ == formula::bracketed;
  }

 private:
  /// What the line contains so far.
  enum class line_part : std::uint8_t {
    blank,   ///< white space only
    marker,  ///< ends in a list marker or `>`
    text,
  };
  enum class formula : std::uint8_t {
    none,
    amount,     ///< in the word that begins with a `$` and a digit, which may be an amount of money
    bracketed,  ///< after `\(` or `\[`
    certain,
  };
  /// A run of backticks, tildes or dollar signs.
  struct run {
    char mark{};
    std::size_t length{};
    bool starts_line{};
  };

  void read(char c) noexcept;
  void end_run(char next) noexcept;
  void end_fence_run(const run& one) noexcept;
  void end_dollars(std::size_t length, char next) noexcept;
  void end_line() noexcept;

  line_part part_{};
  std::size_t indent_{};  ///< of the line; a tab counts as 4
  run run_;               ///< the run at the end of the text; length 0: none
  run fence_;             ///< the open fence; length 0: none
  std::size_t span_{};    ///< number of backticks that opened the code span; 0: none
  formula formula_{};
  char last_{'\n'};  ///< the last byte; a blank for the second of two backslashes
};

}  // namespace citestream
