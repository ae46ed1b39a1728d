/// \file
/// Describes the commands and options of a CLI11 application for the completion scripts.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace citestream::tools {

/// Kind of the argument of an option, or of a positional argument.
enum class argument_kind { none, choice, list, file, folder, other };

/// The argument of an option, or a positional argument.
struct completed_argument {
  argument_kind kind{argument_kind::none};
  std::string name;                  ///< as shown by `--help`: FILE, NAME
  std::vector<std::string> choices;  ///< valid values of a `choice`, or valid elements of a `list`
};

/// One option of a command.
struct completed_option {
  std::vector<std::string> names;  ///< with dashes
  std::string description;         ///< help text up to its first semicolon
  completed_argument takes;        ///< its argument
  bool repeats{};                  ///< true if it can be given several times
};

/// One command, or the program itself.
struct completed_command {
  std::string path;  ///< words such as `check answer`; empty for the program itself
  std::string description;
  std::vector<std::string> commands;  ///< names of its direct subcommands
  std::vector<completed_option> options;
  completed_argument positional;

  /// Returns true if this is a direct subcommand of \p parent.
  bool is_below(const completed_command& parent) const;
  /// Returns the last word of the path.
  std::string word() const;
};

/// Returns the program and all of its subcommands, parents before children.
std::vector<completed_command> completed_commands(const CLI::App& app);

}  // namespace citestream::tools
