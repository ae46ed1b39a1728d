// citestream completion: prints a shell completion script.
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "completion.hpp"
#include "name_list.hpp"

namespace citestream::tools {

void add_completion_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("completion", "Print a completion script for a shell");
  const auto shell = std::make_shared<std::string>();
  add_value(*command, "shell", *shell, "SHELL", "Shell to complete commands and options in")
      ->required()
      ->check(one_of({"bash", "zsh"}));
  command->footer(
      "The Debian package installs both scripts. Otherwise add one of these to ~/.bashrc, or to ~/.zshrc "
      "after compinit:\n\n"
      "  source <(citestream completion bash)\n"
      "  source <(citestream completion zsh)");
  command->callback([&app, shell, &exit_code] {
    write_to_standard_output(*shell == "bash" ? bash_completion(app) : zsh_completion(app));
    exit_code = exit_success;
  });
}

}  // namespace citestream::tools
