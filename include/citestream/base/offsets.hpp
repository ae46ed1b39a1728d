/// \file
/// Positions in text, in the three units that clients count in, and what they mean for a citation.
#pragma once

#include <citestream/base/version.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace citestream {

/// The unit of an offset.
enum class offset_unit : std::uint8_t {
  utf8,       ///< bytes
  utf16,      ///< UTF-16 code units: JavaScript, Java, C# (the default on the wire)
  codepoint,  ///< Unicode scalar values: Python
};

/// "utf8", "utf16" or "codepoint".
[[nodiscard]] std::string_view name(offset_unit unit) noexcept;

/// The unit with that name, if there is one.
[[nodiscard]] std::optional<offset_unit> offset_unit_from_name(std::string_view name) noexcept;

/// A position in UTF-8 text, kept in all three units at once.
///
/// The text may be cut anywhere. A code point counts at its first byte.
struct text_offset {
  std::uint64_t utf8{};       ///< bytes
  std::uint64_t utf16{};      ///< UTF-16 code units
  std::uint64_t codepoint{};  ///< Unicode scalar values

  /// Moves past \p text.
  void advance(std::string_view text) noexcept;

  /// The position in one unit.
  [[nodiscard]] std::uint64_t in(offset_unit unit) const noexcept {
    return unit == offset_unit::utf8 ? utf8 : unit == offset_unit::utf16 ? utf16 : codepoint;
  }

  friend bool operator==(const text_offset&, const text_offset&) = default;  ///< member by member
  /// A position \p further on.
  friend text_offset operator+(const text_offset& from, const text_offset& further) noexcept {
    return {from.utf8 + further.utf8, from.utf16 + further.utf16, from.codepoint + further.codepoint};
  }
  /// The distance from \p from, which is not later.
  friend text_offset operator-(const text_offset& to, const text_offset& from) noexcept {
    return {to.utf8 - from.utf8, to.utf16 - from.utf16, to.codepoint - from.codepoint};
  }
};

/// A span of text.
struct text_span {
  text_offset start;  ///< of its first byte
  text_offset end;    ///< exclusive
};

/// What the position of a citation is.
enum class citation_anchor : std::uint8_t {
  marker,  ///< where the marker is, or what was printed for it
  claim,   ///< the words that the citation supports
  point,   ///< one place in the text, or what was printed there
  block,   ///< a whole text of the answer, such as a content block
  none,    ///< unknown: all positions are 0
};

/// "marker", "claim", "point", "block" or "none".
[[nodiscard]] std::string_view name(citation_anchor anchor) noexcept;

/// Properties of a citation of the provider that do not depend on where it is.
struct native_traits {
  citation_anchor anchor{citation_anchor::none};  ///< what its position is
  bool joins{};                 ///< it belongs to the citation before it, which has several references
  std::optional<double> score;  ///< how sure the provider is that the reference supports the claim
  bool end_inclusive{};         ///< ends of positions in the form of the provider are inclusive

  /// Copies the traits of \p other. The members of a derived object do not change.
  void set_traits(const native_traits& other) noexcept { *this = other; }
};

}  // namespace citestream
