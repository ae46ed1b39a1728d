// Options whose value is a list of names, `--markers link,numeric`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace citestream::tools {

/// Adds an option whose value is names separated by commas; it may be given several times, and takes one
/// value each time: what stands behind it is not of the list. An empty name is refused, and one that is not
/// among \p known, where these are given. \p lists receives the values as typed: see names_in().
CLI::Option* add_name_list(CLI::App& command, const std::string& option, std::vector<std::string>& lists,
                           const std::string& description, const std::vector<std::string>& known = {});

/// The names in the values of such an option.
[[nodiscard]] std::vector<std::string> names_in(const std::vector<std::string>& lists);

}  // namespace citestream::tools
