/// \file
/// What the position of a citation is.
#pragma once

#include <citestream/base/language.hpp>

#include <cstdint>
#include <string_view>

namespace citestream {

/// What the position of a citation is.
enum class citation_anchor : std::uint8_t {
  marker,  ///< where the marker is, or what was printed for it
  claim,   ///< the words that the citation supports
  point,   ///< one place in the text, or what was printed there
  block,   ///< a whole text of the answer, such as a content block
  none,    ///< the provider has not said where: all positions are 0
};

/// "marker", "claim", "point", "block" or "none".
[[nodiscard]] std::string_view name(citation_anchor anchor) noexcept;

}  // namespace citestream
