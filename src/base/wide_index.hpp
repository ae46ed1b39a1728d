/// \file
/// Where a text has characters outside ASCII: converts a position in one unit to all three, without the text.
///
/// Characters of equal width that follow each other are one run; between two runs the text is ASCII. A text
/// in ASCII needs no memory. Memory is bounded: behind the last run that is kept, positions are not known.
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

  /// Characters of equal width.
  struct run {
    text_offset begin;
    text_offset end;
  };
  std::size_t max_runs_;
  text_offset base_;
  std::vector<run> runs_;
  std::optional<text_offset> full_;  ///< the first character that is not in `runs_`
};

}  // namespace citestream
