#include <citestream/base/version.hpp>

#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include "commands.hpp"

namespace citestream::tools {

void add_version_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("version", "Print the version");
  command->footer("Example:\n  citestream version");
  command->callback([&exit_code] {
    std::puts(("citestream " + std::string(version())).c_str());
    exit_code = exit_success;
  });
}

}  // namespace citestream::tools
