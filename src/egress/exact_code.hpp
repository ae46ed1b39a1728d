/// \file
/// Code that is not changed (`egress_code::exact`), in forms that every renderer takes for code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text_ahead.hpp"

namespace citestream {

/// Some bytes of code, and what is written for them.
struct code_piece {
  std::size_t size{};  ///< number of bytes of the input; 0: more text is needed to decide
  std::string made;
};

/// Reads a text and finds the code in it that need not be changed.
class exact_code {
 public:
  /// Takes text that has been read and is not a code_piece.
  void read(std::string_view text) noexcept;
  /// Returns true if a fence is open: next() then takes every byte.
  [[nodiscard]] bool in_fence() const noexcept { return fence_.length > 0; }
  /// The code at the start of \p text; nothing if there is none, or if it is not certain.
  [[nodiscard]] std::optional<code_piece> next(const text_ahead& text);

 private:
  enum class certainty : std::uint8_t {
    certain,
    not_in_paragraph,  ///< renderers may disagree up to the next blank line
    not_in_text,       ///< renderers may disagree up to the end
  };
  struct fence {
    char mark{};
    std::size_t length{};
  };
  struct line {
    bool blank{true};  ///< so far
    bool starts{true};
    bool after_blank{true};
  };

  void read(char c) noexcept;
  void doubt(certainty how) noexcept;
  [[nodiscard]] std::optional<code_piece> open_fence(const text_ahead& text);
  [[nodiscard]] code_piece fence_line(const text_ahead& text);
  [[nodiscard]] std::optional<code_piece> span(const text_ahead& text);
  code_piece take(std::string_view bytes, std::string made);

  certainty certainty_{};
  fence fence_;
  line line_;
  std::size_t run_{};  ///< length of the run of the last byte
  char last_{'\n'};
};

}  // namespace citestream
