#include "configuration_flags.hpp"

#include <citestream/check/support.hpp>
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "base/ascii.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "provenance/request_work.hpp"

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

/// Checks an option, and sets it if it is one of a route or session. \return an empty string, or the error
[[nodiscard]] std::string set_route_option(const configuration_option& one, const option_values& values,
                                           route_options& to) {
  option_target target{.proxy = {}, .route = to, .upstream = {}};
  std::string why = apply_option(one, values, target);
  to = std::move(target.route);
  return why;
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

/// Returns the help of the flag that turns an option off: `Add keys` becomes `Do not add keys`.
std::string negated(std::string help) {
  help.front() = ascii::lower(help.front());
  return "Do not " + help;
}

/// Adds the flag of \p one.
CLI::Option* add_option_flag(CLI::App& command, const configuration_option& one, flag_values& into) {
  const std::string flag = option_flag(one);
  const std::string key(one.key);
  const std::string help(one.help);
  if (one.type == option_type::boolean) {
    const bool is_on = one.default_text == "true";
    const std::string value = is_on ? "false" : "true";
    const auto put = [&into, key, value](std::int64_t) { into[key] = {value}; };
    return command.add_flag_function(flag, put, is_on ? negated(help) : help)
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
  if (!one.default_text.empty()) added->default_str(one.default_text);
  return added;
}

void add_row(CLI::App& command, const configuration_option& row, flag_values& into) {
  add_option_flag(command, row, into);
  into[std::string(row.key)] = split_values(row, row.default_text);
}

/// Checks the bytes of a chat request. \throws CLI::ValidationError if they are JSON but not a chat request
void check_request(const std::string& file, std::string_view bytes) {
  constexpr std::string_view lists[] = {"messages", "input", "contents"};
  document parsed;
  if (parsed.parse(bytes)) return;
  if (std::ranges::any_of(lists, [&](std::string_view name) { return parsed.root()[name].is_array(); }))
    return;
  throw CLI::ValidationError(
      "--provenance-request",
      file + ": not a chat request: it has no list \"messages\", \"input\" or \"contents\"");
}

}  // namespace

void add_configuration_flags(CLI::App& command, flag_values& into) {
  for (const configuration_option& one : configuration_options()) {
    if (is_on_command_line(one)) add_option_flag(command, one, into)->group(group_of(one.key));
  }
}

void add_session_flags(CLI::App& command, std::uint8_t reach, flag_values& into) {
  for (const session_option& option : session_option_table()) {
    if ((option.reach & reach) != 0) add_row(command, row_of(option), into);
  }
}

void add_session_flag(CLI::App& command, std::string_view name, std::string_view help, flag_values& into) {
  configuration_option row = row_of(*find_session_option(name));
  row.help = help;
  add_row(command, row, into);
}

session_options options_from(const flag_values& flags) {
  session_options options;
  options.checker = &word_check;
  for (const auto& [name, values] : flags) {
    std::string refused;  // stays empty: values were checked while parsing
    static_cast<void>(set_option(*find_session_option(name), values, options, refused));
  }
  const std::string conflict = option_conflict(options, "--not-found", "--supported");
  if (!conflict.empty()) throw CLI::ValidationError(conflict);
  return options;
}

void add_provenance_flags(CLI::App& command, provenance_flags& flags) {
  CLI::Option* request =
      add_value(command, "--provenance-request", flags.request, "FILE",
                "JSON file with the chat request: [REF|d_1] cites its tool results, [1] its documents")
          ->check(not_empty());
  for (const char* key : {"provenance_agents", "provenance_tools", "provenance_keys"}) {
    configuration_option row = *find_option(key, option_place::proxy);
    std::string help(row.help);
    help.front() = ascii::lower(help.front());
    help.insert(0, "With --provenance-request: ");
    row.help = help;
    add_option_flag(command, row, flags.details)->needs(request);
  }
}

void take_provenance(const provenance_flags& flags, session_options& options) {
  if (flags.request.empty()) return;
  std::string bytes = read_whole_file(flags.request);
  check_request(flags.request, bytes);
  route_options route;
  for (const auto& [key, values] : flags.details)
    static_cast<void>(set_route_option(*find_option(key, option_place::proxy), values, route));  // checked
  rewritten_request read =
      work_on_request(request_work::documents | request_work::keys, route.requests.sources, bytes);
  if (read.error) throw command_error(flags.request + ": " + message_with_place(read.error));
  options.references = std::move(read.references);
  options.provenance = true;
}

}  // namespace citestream::tools
