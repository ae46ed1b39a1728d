#include "session_flags.hpp"

#include <citestream/check/support.hpp>
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "base/ascii.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "provenance/request_work.hpp"

namespace citestream::tools {
namespace {

void add_row(CLI::App& command, const configuration_option& row, flag_values& into) {
  add_option_flag(command, row, into);
  into[std::string(row.key)] = split_values(row, row.preset);
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
