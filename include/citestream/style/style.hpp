/// \file
/// Styles: how a citation is printed into the text.
#pragma once

#include <citestream/marker/grammar.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace citestream {

/// What a style does with the white space around a marker.
enum class spacing : std::uint8_t {
  untouched,  ///< the text passes unchanged and at once, markers included
  stays,
  goes,  ///< spaces and tabs before a marker are removed
  tidy,  ///< groups, wrapping parentheses and blanks are removed so that the text reads on
};

/// A style: stateless, chosen at run time, open to users of the library.
struct style {
  std::string_view name;
  spacing space{};
  /// Appends what stands in the text for a marker; null: nothing.
  void (*render)(const marker_fields& marker, std::uint32_t number, std::string& out){};
};

extern const style strip_style;    ///< nothing is left of a marker (the default)
extern const style keep_style;     ///< the text as it came
extern const style numeric_style;  ///< `[1]`

/// All styles, in the order in which `--help` names them.
[[nodiscard]] std::span<const style* const> styles() noexcept;

/// The style with that name, or null.
[[nodiscard]] const style* find_style(std::string_view name) noexcept;

}  // namespace citestream
