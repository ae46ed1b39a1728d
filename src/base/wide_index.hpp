/// \file
/// Where a text has characters outside ASCII: converts a position in one unit to all three, without the text.
///
/// Characters of equal width that follow each other are one run; between two runs the text is ASCII. A text
/// in ASCII needs no memory. Memory is bounded: after the last run that is kept, positions are not known.
#pragma once

#include <citestream/base/offsets.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace citestream {

/// The characters outside ASCII of one text.
class wide_index {
 public:
  static constexpr std::size_t default_max_runs = 16'384;

  explicit wide_index(std::size_t max_runs = default_max_runs) noexcept : max_runs_(max_runs) {}

  /// The text before \p base is not added. Positions in it are known only if it is in ASCII.
  void start(const text_offset& base) noexcept { base_ = base; }
  [[nodiscard]] bool started() const noexcept { return base_.has_value(); }
  /// Adds the character with the first byte \p lead at \p begin. Call in the order of the text.
  void add(const text_offset& begin, unsigned char lead);
  /// Adds the characters of \p text, which starts at \p begin.
  void add_all(text_offset begin, std::string_view text);

  /// Returns \p position in all units: the start of the character that it is in. Nothing if there were too
  /// many runs before it, or if it is before the start and not known.
  [[nodiscard]] std::optional<text_offset> find(std::uint64_t position, offset_unit unit) const noexcept;
  /// Prepares for another text; keeps capacity.
  void reset() noexcept;

 private:
  void add_run(const text_offset& begin, const text_offset& width, std::uint64_t count);

  /// Characters of equal width. Small, because a text in another script than Latin has one for each word.
  struct run {
    std::uint32_t utf8{};       ///< where it begins
    std::uint32_t utf16{};      ///< the same
    std::uint32_t codepoint{};  ///< the same
    std::uint32_t width : 3 {};
    std::uint32_t count : 29 {};

    [[nodiscard]] text_offset begin() const noexcept { return {utf8, utf16, codepoint}; }
    [[nodiscard]] text_offset end() const noexcept;
  };
  static constexpr std::uint64_t max_position = 0xFFFF'FFFFU;
  static constexpr std::uint64_t max_count = (1U << 29U) - 1;

  std::size_t max_runs_;
  std::optional<text_offset> base_;  ///< nothing before start()
  std::vector<run> runs_;
  std::optional<text_offset> full_;  ///< the first character that is not in `runs_`
};

}  // namespace citestream
