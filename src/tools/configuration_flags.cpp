#include "configuration_flags.hpp"

#include <cstdint>

#include <CLI/CLI.hpp>

#include "name_list.hpp"

namespace citestream::tools {

namespace {

/// Applies a value to objects that are then dropped. Returns the error, or an empty string.
std::string value_error(const configuration_option& one, const std::string& value) {
  proxy_options proxy;
  std::chrono::milliseconds drain{};
  route_options route;
  upstream_options upstream;
  option_target dropped{proxy, drain, route, upstream};
  return apply_option(one, {value}, dropped);
}

CLI::Validator validator(const configuration_option& one) {
  std::string shown;
  for (const std::string& choice : option_choices(one)) shown += (shown.empty() ? "{" : ",") + choice;
  if (!shown.empty()) shown += "}";
  const auto check = [&one](const std::string& typed) -> std::string {
    if (!is_split_by_commas(one)) return value_error(one, typed);
    for (const std::string& value : names_in({typed})) {
      if (value.empty()) return "empty name in '" + typed + "'";
      if (std::string why = value_error(one, value); !why.empty()) return why;
    }
    return {};
  };
  return {check, shown};
}

}  // namespace

void add_configuration_flags(CLI::App& command, std::map<std::string, option_values, std::less<>>& into) {
  for (const configuration_option& one : configuration_options()) {
    if (!is_on_command_line(one)) continue;
    const std::string flag = option_flag(one);
    const std::string key(one.key);
    const std::string help(one.help);
    if (one.kind == option_kind::boolean) {
      const std::string value = one.preset == "true" ? "false" : "true";
      const auto put = [&into, key, value](std::int64_t) { into[key] = {value}; };
      command.add_flag_function(flag, put, value == "true" ? help : "Disable: " + help);
      continue;
    }
    CLI::Option* added = nullptr;
    if (one.kind == option_kind::list) {
      const bool split = is_split_by_commas(one);
      const auto put = [&into, key, split](const option_values& typed) {
        into[key] = split ? names_in(typed) : typed;
      };
      added = command.add_option_function<option_values>(flag, put, help)->allow_extra_args(false);
    } else {
      const auto put = [&into, key](const std::string& value) { into[key] = {value}; };
      added = command.add_option_function<std::string>(flag, put, help);
    }
    added->type_name(std::string(one.argument))->check(validator(one));
    if (!one.preset.empty()) added->default_str(std::string(one.preset));
  }
}

}  // namespace citestream::tools
