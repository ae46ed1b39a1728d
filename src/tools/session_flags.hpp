/// \file
/// Command-line flags for session options, made from the core's table.
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

/// Typed values by option name. Options that were not given have their defaults.
using session_flags = std::map<std::string, std::vector<std::string>, std::less<>>;

/// Adds a flag for each option whose session_option::reach has a bit of \p reach: `egress_allow` becomes
/// `--egress-allow`. Parsing rejects invalid values. \p flags must outlive the parsing.
void add_session_flags(CLI::App& command, std::uint8_t reach, session_flags& flags);

/// Returns the options with the values of \p flags. Call after parsing.
[[nodiscard]] session_options options_from(const session_flags& flags);

/// Returns the row of an option of the core's table.
[[nodiscard]] const session_option& session_option_named(std::string_view name);

/// Returns the names of all values of a choice.
[[nodiscard]] std::vector<std::string> choices_of(const session_option& option);

}  // namespace citestream::tools
