// The commands and options of a CLI11 application, as a completion needs them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace citestream::tools {

/// What is typed behind an option, or in place of a positional argument.
enum class argument_kind { none, choice, list, file, folder, other };

struct completed_argument {
  argument_kind kind{argument_kind::none};
  std::string name;  ///< as in `--help`: FILE, NAME
  std::vector<std::string>
      choices;  ///< of `choice`, and of `list` (separated by commas) where they are known
};

struct completed_option {
  std::vector<std::string> names;  ///< with dashes
  std::string description;         ///< up to its first semicolon
  completed_argument takes;
  bool repeats{};
};

struct completed_command {
  std::string path;  ///< empty for the program itself, or words: `check answer`
  std::string description;
  std::vector<std::string> commands;  ///< below it, one word each
  std::vector<completed_option> options;
  completed_argument positional;

  /// Whether this stands directly below another.
  bool is_below(const completed_command& parent) const;
  /// The last word of the path.
  std::string word() const;
};

/// The program and all commands below it, parents before children.
std::vector<completed_command> completed_commands(const CLI::App& app);

}  // namespace citestream::tools
