/// \file
/// Command-line flags for the options of a configuration.
#pragma once

#include <map>
#include <string>

#include "configuration_options.hpp"

namespace CLI {
class App;
}

namespace citestream::tools {

/// Adds a flag for each option that can be set on the command line, in groups: listening, upstream,
/// rewriting, limits, timeouts, logging, recording. Parsing checks the values and stores them in \p into by
/// key. \p into must outlive the parsing.
void add_configuration_flags(CLI::App& command, std::map<std::string, option_values, std::less<>>& into);

}  // namespace citestream::tools
