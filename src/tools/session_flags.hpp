// The options of a session on a command line, made from the core's table.
#pragma once

#include <citestream/session/options.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "session/option_table.hpp"

namespace CLI {
class App;
}

namespace citestream::tools {

/// Values as typed, by the names of options; those that were not given have their defaults.
using session_flags = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Adds a flag for each option of the table that reaches \p reach: `egress_allow` is `--egress-allow`.
/// Invalid values are refused while parsing. \p flags must outlive the parsing.
void add_session_flags(CLI::App& command, std::uint8_t reach, session_flags& flags);

/// The options that \p flags name. Call after parsing.
[[nodiscard]] session_options options_from(const session_flags& flags);

/// The row of an option that the core's table has.
[[nodiscard]] const session_option& session_option_named(std::string_view name);

/// The names of a choice's values.
[[nodiscard]] std::vector<std::string> choices_of(const session_option& option);

}  // namespace citestream::tools
