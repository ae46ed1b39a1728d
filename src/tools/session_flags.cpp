#include "session_flags.hpp"

#include <citestream/check/support.hpp>

#include <string>

#include <CLI/CLI.hpp>

namespace citestream::tools {
namespace {

void add_row(CLI::App& command, const configuration_option& row, flag_values& into) {
  add_option_flag(command, row, into);
  into[std::string(row.key)] = split_values(row, row.preset);
}

}  // namespace

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

}  // namespace citestream::tools
