/// \file
/// Options whose value is a name, such as `--style numeric`, or a comma-separated list of names, such as
/// `--markers link,numeric`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace citestream::tools {

/// Accepts one of \p names. The error lists them, and suggests the one that is closest to the value.
[[nodiscard]] CLI::Validator one_of(const std::vector<std::string>& names);

/// Adds an option whose value is a comma-separated list of names. The option can be repeated and takes
/// exactly one argument each time. Empty names are rejected, and so are names that are not in \p known,
/// unless \p known is empty. \p lists receives the values as typed; names_in() splits them.
CLI::Option* add_name_list(CLI::App& command, const std::string& option, std::vector<std::string>& lists,
                           const std::string& description, const std::vector<std::string>& known = {});

/// Splits the values of such an option and returns all names.
[[nodiscard]] std::vector<std::string> names_in(const std::vector<std::string>& lists);

}  // namespace citestream::tools
