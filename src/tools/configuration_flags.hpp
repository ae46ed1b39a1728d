/// \file
/// Command-line flags for the options of a configuration.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "configuration_options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace citestream::tools {

/// Values by key of the options that were given.
using flag_values = std::map<std::string, option_values, std::less<>>;

/// Adds the flag of \p one: `idle_timeout` becomes `--idle-timeout`. Parsing checks the values and stores
/// them in \p into by key. \p into must outlive the parsing.
CLI::Option* add_option_flag(CLI::App& command, const configuration_option& one, flag_values& into);

/// Checks an option, and sets it if it is one of a route or session. \return an empty string, or the error
[[nodiscard]] std::string set_route_option(const configuration_option& one, const option_values& values,
                                           route_options& to);

/// Adds a flag for each option that can be set on the command line, in groups: listening, upstream,
/// rewriting, limits, timeouts, logging, recording.
void add_configuration_flags(CLI::App& command, flag_values& into);

}  // namespace citestream::tools
