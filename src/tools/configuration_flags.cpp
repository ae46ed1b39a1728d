#include "configuration_flags.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "name_list.hpp"

namespace citestream::tools {

namespace {

/// The group of an option in help is derived from its key, so that a new option needs no entry here. The
/// first rule that matches decides. Options that match no rule are in the group "Rewriting".
struct group_rule {
  std::string_view start;  ///< prefix of the key
  std::string_view end;    ///< suffix of the key
  const char* group;
};

constexpr std::array rules{
    group_rule{"log_", "", "Logging"},          group_rule{"record", "", "Recording"},
    group_rule{"pool_", "", "Upstream"},        group_rule{"upstream", "", "Upstream"},
    group_rule{"name_max_age", "", "Upstream"}, group_rule{"listen", "", "Listening"},
    group_rule{"tls_", "", "Listening"},        group_rule{"unix_", "", "Listening"},
    group_rule{"admin", "", "Listening"},       group_rule{"threads", "", "Listening"},
    group_rule{"", "_timeout", "Timeouts"},     group_rule{"keep_alive_", "", "Timeouts"},
    group_rule{"drain", "", "Timeouts"},        group_rule{"max_", "", "Limits"},
    group_rule{"min_", "", "Limits"},
};

const char* group_of(std::string_view key) {
  for (const group_rule& rule : rules) {
    if (key.starts_with(rule.start) && key.ends_with(rule.end)) return rule.group;
  }
  return "Rewriting";
}

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
    if (one.type != option_type::list) return value_error(one, typed);
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
    if (one.type == option_type::boolean) {
      const std::string value = one.preset == "true" ? "false" : "true";
      const auto put = [&into, key, value](std::int64_t) { into[key] = {value}; };
      command.add_flag_function(flag, put, value == "true" ? help : "Disable: " + help)
          ->group(group_of(one.key))
          ->disable_flag_override();  // `--bypass=false` is an error
      continue;
    }
    CLI::Option* added = nullptr;
    if (is_list(one)) {
      const bool split = one.type == option_type::list;
      const auto put = [&into, key, split](const option_values& typed) {
        into[key] = split ? names_in(typed) : typed;
      };
      added = command.add_option_function<option_values>(flag, put, help)->allow_extra_args(false);
    } else {
      const auto put = [&into, key](const std::string& value) { into[key] = {value}; };
      added = command.add_option_function<std::string>(flag, put, help);
    }
    added->type_name(std::string(one.argument))->check(validator(one))->group(group_of(one.key));
    if (!one.preset.empty()) added->default_str(std::string(one.preset));
  }
}

}  // namespace citestream::tools
