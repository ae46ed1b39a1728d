#include "unknown_command.hpp"

#include <algorithm>
#include <vector>

#include <CLI/CLI.hpp>

#include "nearest.hpp"

namespace citestream::tools {

namespace {

/// The command in use, the innermost one.
const CLI::App& innermost(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? app : innermost(*used.front());
}

}  // namespace

std::string unknown_command(const CLI::App& app) {
  const CLI::App& command = innermost(app);
  const std::vector<std::string> words = command.remaining();
  const auto word = std::find_if(words.begin(), words.end(),
                                 [](const std::string& each) { return !each.starts_with('-'); });
  std::vector<std::string> known;
  std::string all;
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; })) {
    all += (all.empty() ? "" : ", ") + each->get_name();
    known.push_back(each->get_name());
  }
  if (known.empty() || word == words.end()) return {};
  const std::string said = "unknown command: " + *word;
  const std::string meant = nearest(*word, known);
  return meant.empty() ? said + "; the commands are " + all : said + "; did you mean " + meant + "?";
}

}  // namespace citestream::tools
