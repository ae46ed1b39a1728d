/// \file
/// Command-line flags for session options, made from the core's table.
#pragma once

#include <citestream/session/options.hpp>

#include <cstdint>
#include <string_view>

#include "configuration_flags.hpp"

namespace citestream::tools {

/// Adds a flag for each option whose session_option::reach has a bit of \p reach: `egress_allow` becomes
/// `--egress-allow`. \p into gets the defaults, and values when the command line is parsed, which rejects
/// invalid ones. \p into must outlive the parsing.
void add_session_flags(CLI::App& command, std::uint8_t reach, flag_values& into);

/// Adds the flag of the option \p name with another help.
void add_session_flag(CLI::App& command, std::string_view name, std::string_view help, flag_values& into);

/// Returns the options with the values of \p flags. Call after parsing.
/// \throws CLI::ValidationError  if options exclude each other
[[nodiscard]] session_options options_from(const flag_values& flags);

}  // namespace citestream::tools
