// The group of an option is derived from its key, so that a new option needs no entry here. The first rule
// whose start and end match the key decides. Options that match no rule are in the group "Rewriting".
#include "option_groups.hpp"

#include <array>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "configuration_options.hpp"

namespace citestream::tools {

namespace {

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

}  // namespace

void group_configuration_flags(CLI::App& command) {
  for (const configuration_option& one : configuration_options()) {
    if (is_on_command_line(one)) command.get_option(option_flag(one))->group(group_of(one.key));
  }
}

}  // namespace citestream::tools
