/// \file
/// What a place in a text probably is: prose, code or a formula.
///
/// A guess, and nothing but looks depends on it: it chooses how something is made inert, never whether. So
/// it knows fences, code spans, indented code, `$` and `$$`, and no further rule of Markdown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream {

enum class surroundings : std::uint8_t { prose, code, formula };

class code_guess {
 public:
  /// \p text has been read. Linear.
  void read(std::string_view text) noexcept;
  /// The same for text without line ends, backticks, tildes, `$` and backslashes.
  void read_words(std::string_view text) noexcept;
  /// What the place before \p next is.
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
  run fence_;           ///< the fence that is open; length 0: none
  std::size_t span_{};  ///< backticks that opened the code span; 0: none
  formula formula_{};
  char last_{'\n'};
};

}  // namespace citestream
