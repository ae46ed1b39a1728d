// The names by which command lines and configurations choose what a session does.
#pragma once

#include <citestream/session/options.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

[[nodiscard]] std::vector<std::string> style_names();
[[nodiscard]] std::vector<std::string> grammar_names();
/// `auto` first, which no find_dialect() finds.
[[nodiscard]] std::vector<std::string> dialect_names();
[[nodiscard]] std::vector<std::string> offset_names();

[[nodiscard]] std::vector<std::string> identifier_names();
/// \p name is one of these.
[[nodiscard]] identifier_kind identifier_named(std::string_view name);

[[nodiscard]] std::vector<std::string> addition_names();
/// \p name is one of these.
[[nodiscard]] additions addition_named(std::string_view name);

[[nodiscard]] std::vector<std::string> egress_names();
/// What is wrong with a pattern of addresses; empty: nothing.
[[nodiscard]] std::string trouble_of_address(const std::string& pattern);

/// What is wrong with a marker's pattern, and where; empty: nothing.
[[nodiscard]] std::string trouble_of_pattern(const std::string& pattern);

}  // namespace citestream::tools
