/// \file
/// Options whose value is a name, such as `--style numeric`, or a comma-separated list of names, such as
/// `--markers link,numeric`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class Validator;
}

namespace citestream::tools {

/// Accepts one of \p names. The error lists them, and suggests the one that is closest to the value.
[[nodiscard]] CLI::Validator one_of(const std::vector<std::string>& names);

/// Returns the names as they are shown in help, or an empty string if there are none.
[[nodiscard]] std::string shown_names(const std::vector<std::string>& names);

/// Returns the error in a comma-separated list: an empty name. Otherwise an empty string.
[[nodiscard]] std::string list_error(const std::string& list);

/// Splits comma-separated lists and returns all names.
[[nodiscard]] std::vector<std::string> names_in(const std::vector<std::string>& lists);

}  // namespace citestream::tools
