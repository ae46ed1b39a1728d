#include "provenance_flags.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "name_list.hpp"

namespace citestream::tools {

namespace {

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

void add_provenance_flags(CLI::App& command, provenance_flags& flags) {
  CLI::Option* request =
      add_value(command, "--provenance-request", flags.request, "FILE",
                "JSON file with the chat request: [REF|d_1] cites its tool results, [1] its documents");
  add_name_list(
      command, "--provenance-agents", flags.agents,
      "With --provenance-request: comma-separated names of tools that return another agent's output "
      "(keys such as [REF|a_1])")
      ->needs(request);
  add_name_list(
      command, "--provenance-tools", flags.tools,
      "With --provenance-request: comma-separated names of tools whose results have keys; if not set, all")
      ->needs(request);
  add_choice(command, "--provenance-keys", flags.keys, "KIND",
             "With --provenance-request: keys of tool results, their number or made from their content",
             {{"counter", provenance_keys::counter}, {"content", provenance_keys::content}})
      ->needs(request);
}

void take_provenance(const provenance_flags& flags, session_options& options) {
  if (flags.request.empty()) return;
  const std::string bytes = read_whole_file(flags.request);
  check_request(flags.request, bytes);
  provenance_options how;
  how.agent_tools = names_in(flags.agents);
  how.tools = names_in(flags.tools);
  how.keys = flags.keys;
  provenance_registry registry;
  std::string rewritten;
  status error = add_provenance(bytes, how, rewritten, registry);
  if (!error) error = read_request_references(bytes, options.references);
  if (error) throw command_error(flags.request + ": " + message_with_place(error));
  options.provenance = true;
  for (reference& source : registry.references) options.references.push_back(std::move(source));
}

}  // namespace citestream::tools
