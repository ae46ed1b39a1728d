// citestream help [command]: prints the same as `--help` of that command.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "name_list.hpp"
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

}  // namespace citestream::tools
