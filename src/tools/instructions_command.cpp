#include <citestream/provenance/provenance.hpp>

#include <string>

#include <CLI/CLI.hpp>

#include "byte_input.hpp"
#include "commands.hpp"

namespace citestream::tools {

void add_instructions_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("instructions", "Print the text that provenance adds to the system prompt");
  command->footer(
      "The proxy adds this text to requests with results of tools (--provenance), unless "
      "--no-citation-instructions is set.\n"
      "\n"
      "Example:\n"
      "  citestream instructions >> prompt.txt");
  command->callback([&exit_code] {
    write_to_standard_output(std::string(citation_instructions()) + '\n');
    exit_code = exit_success;
  });
}

}  // namespace citestream::tools
