// What several styles print.
#pragma once

#include <citestream/style/inert.hpp>
#include <citestream/style/style.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream::style_detail {

// As much of a title as is shown.
inline constexpr std::size_t max_title_bytes = 1024;

// Appends `number` in decimal digits.
void append_number(std::int64_t number, std::string& out);

// Appends what to call a source, inert: the marker's label, else the title of its best reference, else its
// address, else the key. A label that is only a number (`[[1]](url)`) counts as none, and a key that is one
// stands in brackets. Nothing where none of them shows. \return whether anything was appended
bool append_title(std::string_view label, std::string_view identifier, const reference* best,
                  inert_place place, std::string& out);

}  // namespace citestream::style_detail
