#include "session_flags.hpp"

#include <citestream/check/support.hpp>

#include <algorithm>

#include <CLI/CLI.hpp>

#include "name_list.hpp"
#include "whole_number.hpp"

namespace citestream::tools {
namespace {

std::string flag_of(const session_option& option) {
  std::string flag = "--" + std::string(option.name);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

/// Checks single elements by the table.
CLI::Validator validator(const session_option& option) {
  const auto problem = [&option](const std::string& value) {
    const std::string why = check_option(option, value);
    return why.empty() ? why : "'" + value + "' " + why;
  };
  return {problem, ""};
}

void add_list(CLI::App& command, const session_option& option, std::vector<std::string>& values) {
  const std::string help(option.help);
  if (option.choices != nullptr) {
    add_name_list(command, flag_of(option), values, help, choices_of(option));
    return;
  }
  const auto check = [&option](const std::string& list) -> std::string {
    for (const std::string& one : names_in({list})) {
      if (const std::string why = check_option(option, one); !why.empty()) return "'" + one + "' " + why;
    }
    return {};
  };
  command.add_option(flag_of(option), values, help)
      ->allow_extra_args(false)
      ->type_name(std::string(option.unit))
      ->check(CLI::Validator(check, ""));
}

void add_flag(CLI::App& command, const session_option& option, std::vector<std::string>& values) {
  const std::string flag = flag_of(option);
  const std::string help(option.help);
  if (option.type == option_type::list) return add_list(command, option, values);
  if (option.type == option_type::repeated) {
    command.add_option(flag, values, help)
        ->allow_extra_args(false)
        ->type_name(std::string(option.unit))
        ->check(validator(option));
    return;
  }
  values = {std::string(option.preset)};
  if (option.type == option_type::boolean) {
    command.add_flag_callback(
        flag, [&values] { values = {"true"}; }, help);
    return;
  }
  CLI::Option* const added =
      command.add_option(flag, values.front(), help)->type_name(std::string(option.unit));
  if (option.choices != nullptr) added->check(one_of(choices_of(option)));
  if (option.type == option_type::fraction || option.type == option_type::text)
    added->check(validator(option));
  if (option.type == option_type::whole) added->check(at_least_one());
  if (!option.preset.empty()) added->capture_default_str();
}

}  // namespace

void add_session_flags(CLI::App& command, std::uint8_t reach, session_flags& flags) {
  for (const session_option& option : session_option_table()) {
    if ((option.reach & reach) != 0) add_flag(command, option, flags[std::string(option.name)]);
  }
}

session_options options_from(const session_flags& flags) {
  session_options options;
  options.checker = &word_check;
  for (const auto& [name, values] : flags) {
    const session_option& option = session_option_named(name);
    std::string refused;  // stays empty: values were checked while parsing
    const bool commas = option.type == option_type::list;
    static_cast<void>(set_option(option, commas ? names_in(values) : values, options, refused));
  }
  const std::string conflict = option_conflict(options, "--not-found", "--supported");
  if (!conflict.empty()) throw CLI::ValidationError(conflict);
  return options;
}

const session_option& session_option_named(std::string_view name) {
  return *find_session_option(name);
}

std::vector<std::string> choices_of(const session_option& option) {
  const std::vector<std::string_view> names = option.choices();
  return {names.begin(), names.end()};
}

}  // namespace citestream::tools
