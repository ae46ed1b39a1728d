/// \file
/// Guesses whether a place in a text is prose, code or a formula.
///
/// The guess affects only how something is made inert, never whether it is. It therefore knows only fences,
/// code spans, indented code, `$` and `$$`, and no other rules of Markdown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream {

enum class surroundings : std::uint8_t { prose, code, formula };

/// Reads a text and guesses what the next place in it is.
class code_guess {
 public:
  /// Takes text that has been read. Linear.
  void read(std::string_view text) noexcept;
  /// Takes text without line ends, backticks, tildes, `$` and backslashes.
  void read_words(std::string_view text) noexcept;
  /// What the place in front of the byte \p next is.
  [[nodiscard]] surroundings before(char next) noexcept;

 private:
  enum class line_part : std::uint8_t { blank, marker, text };
  enum class formula : std::uint8_t { none, inside_line, display };
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
  std::size_t indent_{};
  run run_;
  run fence_;           ///< the open fence; length 0: none
  std::size_t span_{};  ///< number of backticks that opened the code span; 0: none
  formula formula_{};
  char last_{'\n'};
};

}  // namespace citestream
