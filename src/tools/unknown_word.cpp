#include "unknown_word.hpp"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>

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

std::string unknown_command(const CLI::App& parent, std::string_view word) {
  std::vector<std::string> known;
  std::string all;
  for (const CLI::App* each : commands_of(parent)) {
    all += (all.empty() ? "" : ", ") + each->get_name();
    known.push_back(each->get_name());
  }
  std::string problem = "unknown command: " + std::string(word);
  if (known.empty()) return problem;
  const std::string meant = nearest(word, known);
  return problem + (meant.empty() ? "; the commands are " + all : "; did you mean " + meant + "?");
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
