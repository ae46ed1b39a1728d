#include "unknown_word.hpp"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>
#include <boost/algorithm/string/join.hpp>

#include "nearest.hpp"

namespace citestream::tools {

namespace {

/// Returns the innermost command that the command line selected.
const CLI::App& innermost(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? app : innermost(*used.front());
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string unknown_option(const CLI::App& command, const std::string& word) {
  const std::string typed = word.substr(0, word.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back(name);
  }
  const std::string meant =
      nearest(typed.substr(std::min(typed.find_first_not_of('-'), typed.size())), known);
  return "unknown option: " + typed + (meant.empty() ? "" : "; did you mean --" + meant + "?");
}

}  // namespace

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* each : commands_of(app)) out.push_back(each->get_name());
  return out;
}

std::string unknown_command(const CLI::App& parent, std::string_view word) {
  const std::vector<std::string> known = command_names(parent);
  std::string problem = "unknown command: " + std::string(word);
  if (known.empty()) return problem;
  const std::string meant = nearest(word, known);
  return problem + (meant.empty() ? "; the commands are " + boost::algorithm::join(known, ", ")
                                  : "; did you mean " + meant + "?");
}

std::string missing_command(const CLI::App& app) {
  const std::vector<std::string> known = command_names(innermost(app));
  return known.empty() ? "" : "no command given; the commands are " + boost::algorithm::join(known, ", ");
}

std::string selected_command(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return app.get_name() + (used.empty() ? "" : " " + selected_command(*used.front()));
}

std::string unknown_word(const CLI::App& app) {
  const CLI::App& command = innermost(app);
  const std::vector<std::string> words = command.remaining();
  const auto is_option = [](const std::string& each) { return each.size() > 1 && each.starts_with('-'); };
  const auto option = std::ranges::find_if(words, is_option);
  const auto other = std::ranges::find_if_not(words, is_option);
  // If the name of a command is misspelled, its options are unknown too, so the name is reported.
  if (other != words.end() && !commands_of(command).empty()) return unknown_command(command, *other);
  if (option != words.end()) return unknown_option(command, *option);
  return other == words.end() ? "" : "unexpected argument: " + *other;
}

}  // namespace citestream::tools
