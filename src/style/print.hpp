/// \file
/// Functions that several styles use.
#pragma once

#include <citestream/style/style.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream::style_detail {

/// Maximum size of a title that is printed.
inline constexpr std::size_t max_title_bytes = 1024;

/// Appends `number` in decimal digits.
void append_number(std::int64_t number, std::string& out);

/// Appends the name of a source, made inert: the label of the marker, else the title or URL of its best
/// reference, else the key. A label that is only a number (`[[1]](url)`) is ignored. Instead of a key that is
/// only a number, the `id` of the reference is printed; if that is missing or a number, too, the key in
/// brackets. Returns false if nothing was appended.
bool append_title(std::string_view label, std::string_view identifier, const reference* best,
                  inert_place place, std::string& out);

}  // namespace citestream::style_detail
