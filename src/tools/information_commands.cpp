// The commands that print something about the program itself: completion, help, instructions and version.
#include <citestream/base/version.hpp>
#include <citestream/provenance/provenance.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "add_value.hpp"
#include "byte_input.hpp"
#include "commands.hpp"
#include "completion.hpp"
#include "unknown_word.hpp"

namespace citestream::tools {

namespace {

/// Lists the commands as values, so that completions can offer them. It accepts every word: in `check
/// answer`, the second word is not in the list.
CLI::Validator listed_commands(const CLI::App& app) {
  return {[](const std::string&) { return std::string(); }, shown_names(command_names(app))};
}

/// Returns the help of the program, or of the command that \p words name.
/// \throws CLI::ValidationError if there is no such command
std::string help_of(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  std::string name = app.get_name();
  for (const std::string& word : words) {
    const auto found =
        command->get_subcommands([&](const CLI::App* each) { return each->get_name() == word; });
    if (found.empty()) throw CLI::ValidationError(unknown_command(*command, word));
    command = found.front();
    name += " " + word;
  }
  return command->get_formatter()->make_help(command, name, CLI::AppFormatMode::Normal);
}

}  // namespace

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

void add_help_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("help", "Print the help of the program or of a command");
  const auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("command", *words, "The command; the program if omitted")
      ->type_name("COMMAND")
      ->check(listed_commands(app));
  command->footer("Examples:\n  citestream help\n  citestream help filter\n  citestream help check answer");
  command->callback([&app, words, &exit_code] {
    std::fputs(help_of(app, *words).c_str(), stdout);
    exit_code = exit_success;
  });
}

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

void add_version_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("version", "Print the version");
  command->footer("Example:\n  citestream version");
  command->callback([&exit_code] {
    std::puts(("citestream " + std::string(version())).c_str());
    exit_code = exit_success;
  });
}

}  // namespace citestream::tools
