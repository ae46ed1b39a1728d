#include "configuration_flags.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "add_value.hpp"

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

CLI::Validator validator(const configuration_option& one) {
  const auto check = [one](const std::string& typed) {
    const bool list = one.type == option_type::list;
    const std::string why = list ? list_error(typed) : "";
    route_options dropped;
    return why.empty() ? set_route_option(one, list ? split_names({typed}) : option_values{typed}, dropped)
                       : why;
  };
  return {check, shown_names(option_choices(one))};
}

}  // namespace

CLI::Option* add_option_flag(CLI::App& command, const configuration_option& one, flag_values& into) {
  const std::string flag = option_flag(one);
  const std::string key(one.key);
  const std::string help(one.help);
  if (one.type == option_type::boolean) {
    const std::string value = one.preset == "true" ? "false" : "true";
    const auto put = [&into, key, value](std::int64_t) { into[key] = {value}; };
    return command.add_flag_function(flag, put, value == "true" ? help : "Disable: " + help)
        ->disable_flag_override();  // `--bypass=false` is an error
  }
  const bool split = one.type == option_type::list;
  const auto put = [&into, key, split](const option_values& typed) {
    into[key] = split ? split_names(typed) : typed;
  };
  CLI::Option* const added = command.add_option_function<option_values>(flag, put, help)
                                 ->allow_extra_args(false)
                                 ->type_name(std::string(one.argument))
                                 ->check(validator(one));
  if (!is_list(one)) added->expected(1);
  if (!one.preset.empty()) added->default_str(one.preset);
  return added;
}

std::string set_route_option(const configuration_option& one, const option_values& values,
                             route_options& to) {
  option_target target{.proxy = {}, .route = to, .upstream = {}};
  std::string why = apply_option(one, values, target);
  to = std::move(target.route);
  return why;
}

void add_configuration_flags(CLI::App& command, flag_values& into) {
  for (const configuration_option& one : configuration_options()) {
    if (is_on_command_line(one)) add_option_flag(command, one, into)->group(group_of(one.key));
  }
}

}  // namespace citestream::tools
