#include "unknown_command.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace citestream::tools {

namespace {

/// How many characters must be changed, added or removed, or neighbours exchanged, to make one of the other.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before;  // the row for one character less than the row above has
  std::vector<std::size_t> above(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) above[j] = j;
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::vector<std::size_t> row{i + 1};
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = above[j] + (from[i] == to[j] ? 0U : 1U);
      row.push_back(std::min({changed, above[j + 1] + 1, row[j] + 1}));
      const bool exchanged = i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j];
      if (exchanged) row.back() = std::min(row.back(), before[j - 1] + 1);
    }
    before = std::move(above);
    above = std::move(row);
  }
  return above.back();
}

/// The command in use, the innermost one.
const CLI::App& innermost(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? app : innermost(*used.front());
}

}  // namespace

std::string unknown_command(const CLI::App& app) {
  constexpr std::size_t max_word_bytes = 64;  // a longer one is no slip of the finger
  const CLI::App& command = innermost(app);
  const auto known = command.get_subcommands([](const CLI::App*) { return true; });
  const std::vector<std::string> words = command.remaining();
  const auto word = std::find_if(words.begin(), words.end(),
                                 [](const std::string& each) { return !each.starts_with('-'); });
  if (known.empty() || word == words.end()) return {};
  std::string all;
  std::string meant;
  std::size_t least = 3;  // two slips in one word are still that word
  for (const CLI::App* each : known) {
    all += (all.empty() ? "" : ", ") + each->get_name();
    if (word->size() > max_word_bytes) continue;
    const std::size_t slips = distance(*word, each->get_name());
    if (slips >= least || slips >= each->get_name().size()) continue;
    least = slips;
    meant = each->get_name();
  }
  const std::string said = "no such command: " + *word;
  return meant.empty() ? said + "; there are " + all : said + "; did you mean " + meant + "?";
}

}  // namespace citestream::tools
