/// \file
/// Where a URL in a text begins and ends, and whether a link destination is relative. Renderers disagree:
/// whatever one of them may read as a URL is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text_ahead.hpp"

namespace citestream::egress_detail {

/// How much of a pattern a text starts with. `begun`: the text ends inside the pattern.
enum class likeness : std::uint8_t { none, begun, whole };
/// The result of a comparison with a pattern.
struct match {
  likeness how{};
  std::size_t size{};  ///< number of bytes of the text that match
};

/// Compares \p text with the schemes of web URLs, in any case.
[[nodiscard]] match match_scheme(std::string_view text) noexcept;

/// Returns the end of the URL whose host starts at \p at. An unbalanced `)` ends it.
[[nodiscard]] std::size_t url_end(std::string_view text, std::size_t at) noexcept;

/// Punctuation that renderers do not count as part of a URL if it is at the end.
inline constexpr std::string_view closing_marks = ".,:!?*_~')";

/// Whether a URL ends at a place for every renderer (`certain`) or may continue for some (`open`).
enum class url_ending : std::uint8_t { open, certain, unknown };

/// Returns the ending of a URL in front of \p at. It is certain if white space follows, perhaps after one
/// `.`, `,` or `)`, which no renderer counts as part of a URL.
[[nodiscard]] url_ending ending_at(const text_ahead& text, std::size_t at) noexcept;

/// What a link destination is. `unknown`: too little of it can be seen.
enum class destination_kind : std::uint8_t { relative, other, unknown };

/// Where a URL is: after `](`, after `]:` (or alone, where only browsers read it), or after the `]:` of a
/// footnote, which may also be text.
enum class url_place : std::uint8_t { link, definition, footnote };

/// Returns the kind of the destination at the start of \p text.
[[nodiscard]] destination_kind kind_of_destination(std::string_view text, url_place place) noexcept;

}  // namespace citestream::egress_detail
