// The options of a configuration, as typed on a command line.
#pragma once

#include <map>
#include <string>

#include "configuration_options.hpp"

namespace CLI {
class App;
}

namespace citestream::tools {

/// Adds one flag for each row that has one. Values are checked while parsing and put into \p into, by key; it
/// must outlive the parsing.
void add_configuration_flags(CLI::App& command, std::map<std::string, option_values, std::less<>>& into);

}  // namespace citestream::tools
