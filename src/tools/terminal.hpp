/// \file
/// Colours and notices for terminals.
#pragma once

#include <string>

namespace citestream::tools {

class byte_input;

inline constexpr const char* red = "\033[31m";  // ECMA-48, 8.3.117
inline constexpr const char* cyan = "\033[36m";
inline constexpr const char* faint = "\033[2m";
inline constexpr const char* plain = "\033[0m";

/// Returns true if \p descriptor is a terminal that shows colours and NO_COLOR is unset or empty
/// (https://no-color.org).
[[nodiscard]] bool shows_colours(int descriptor);

/// If \p input is a terminal, prints a line on standard error that explains how to end the input.
void announce_terminal(const byte_input& input, const std::string& command);

}  // namespace citestream::tools
