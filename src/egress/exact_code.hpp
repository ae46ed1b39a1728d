/// \file
/// Code that stays byte for byte (`egress_code::exact`), in forms that every renderer takes for code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text_ahead.hpp"

namespace citestream {

/// Some bytes that are code, and what is written for them.
struct code_piece {
  std::size_t size{};  ///< bytes of the input; 0: more text is needed to tell
  std::string made;
};

class exact_code {
 public:
  /// \p text has been read, which is not a code_piece.
  void read(std::string_view text) noexcept;
  /// Whether a fence is open: then next() takes every byte.
  [[nodiscard]] bool in_fence() const noexcept { return fence_.length > 0; }
  /// What to take as code at the start of \p text; nothing if that is not code, or not certain to be.
  [[nodiscard]] std::optional<code_piece> next(const text_ahead& text);

 private:
  enum class certainty : std::uint8_t {
    certain,
    not_in_paragraph,  ///< renderers may read it differently, up to the next blank line
    not_in_text,       ///< or up to the end
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
  std::size_t run_{};  ///< of the last byte
  char last_{'\n'};
};

}  // namespace citestream
