/// \file
/// Options with a value, such as a number, a name (`--style numeric`) or a comma-separated list of names
/// (`--markers link,numeric`). Their help shows the name of the value and the default.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace citestream::tools {

/// Rejects an empty value: a script may have passed a variable that is not set.
[[nodiscard]] CLI::Validator not_empty();

/// Accepts 1 to 18 digits with a value of at least \p least. CLI11 itself would convert a negative number to
/// a very large one.
[[nodiscard]] CLI::Validator whole_number_from(unsigned least);

/// Accepts a number from \p least to \p most. \p what  what the number is, for the error
[[nodiscard]] CLI::Validator number_between(double least, double most, std::string_view what = "number");

/// Accepts one of \p names. The error lists them, and suggests the one that is closest to the value.
[[nodiscard]] CLI::Validator one_of(const std::vector<std::string>& names);

/// Returns the names as they are shown in help, or an empty string if there are none.
[[nodiscard]] std::string shown_names(const std::vector<std::string>& names);

/// Returns the error in a comma-separated list: an empty name. Otherwise an empty string.
[[nodiscard]] std::string list_error(const std::string& list);

/// Splits comma-separated lists and returns all names.
[[nodiscard]] std::vector<std::string> split_names(const std::vector<std::string>& lists);

/// Adds an option or an argument of \p command. The default is what \p to contains, if that is text or a
/// number. \p unit  name of the value, such as `FILE`
template <typename Value>
CLI::Option* add_value(CLI::App& command, const std::string& name, Value& to, const std::string& unit,
                       const std::string& help) {
  CLI::Option* const added = command.add_option(name, to, help)->type_name(unit);
  if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>)
    added->capture_default_str();
  return added;
}

/// Adds an option whose value is a whole number of at least 1. If \p to is 0, the option has no default.
template <typename Count>
CLI::Option* add_count(CLI::App& command, const std::string& name, Count& to, const std::string& unit,
                       const std::string& help) {
  CLI::Option* const added = command.add_option(name, to, help)->type_name(unit)->check(whole_number_from(1));
  return to == 0 ? added : added->capture_default_str();
}

/// Adds an option whose value is one of the names in \p table.
template <typename Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& to, const std::string& unit,
                        const std::string& help,
                        const std::vector<std::pair<std::string, std::type_identity_t<Value>>>& table) {
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const auto& row : table) names.push_back(row.first);
  const auto put = [&to, table](const std::string& typed) {
    to = std::ranges::find(table, typed, [](const auto& row) { return row.first; })->second;
  };
  return command.add_option_function<std::string>(name, put, help)
      ->type_name(unit)
      ->check(one_of(names))
      ->default_str(std::ranges::find(table, to, [](const auto& row) { return row.second; })->first);
}

}  // namespace citestream::tools
