/// \file
/// The subcommands of the program, their exit codes, and what they print on a terminal.
///
/// Each command is one function that adds its options to the application and sets a callback.
/// The callback sets `exit_code` to 0 or 1 (`diff` also to 2). To fail, it throws command_error (one line on
/// standard error, exit code 1) or CLI::ValidationError (one line, exit code 2, for options that cannot be
/// combined).
#pragma once

#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

namespace citestream::tools {

class byte_input;

inline constexpr int exit_success = 0;
inline constexpr int exit_failure = 1;
inline constexpr int exit_usage = 2;

/// Thrown if a command cannot continue. `what()` is the message without the name of the command and without a
/// full stop: `answer.sse: No such file or directory`. main() catches it and prints `citestream: <command>:
/// <what>`.
class command_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Prints `citestream: <command>: <what>` as one line on standard error. On a terminal that shows colours,
/// the part up to the message is red.
void print_error_line(const std::string& command, const std::string& what);
/// Prints the same line without colour, for messages that are not errors.
void print_notice_line(const std::string& command, const std::string& what);

inline constexpr const char* red = "\033[31m";  // ECMA-48, 8.3.117
inline constexpr const char* cyan = "\033[36m";
inline constexpr const char* faint = "\033[2m";
inline constexpr const char* plain = "\033[0m";

/// Returns true if \p descriptor is a terminal that shows colours and NO_COLOR is unset or empty
/// (https://no-color.org).
[[nodiscard]] bool shows_colours(int descriptor);

/// If \p input is a terminal, prints a line on standard error that explains how to end the input.
void announce_terminal(const byte_input& input, const std::string& command);

void add_check_command(CLI::App& app, int& exit_code);  // check_command.cpp
/// `app` must outlive the command.
void add_completion_command(CLI::App& app, int& exit_code);  // information_commands.cpp
void add_diff_command(CLI::App& app, int& exit_code);        // diff_command.cpp
void add_filter_command(CLI::App& app, int& exit_code);      // filter_command.cpp
/// Call last: it offers the commands that have been added so far. `app` must outlive the command.
void add_help_command(CLI::App& app, int& exit_code);          // information_commands.cpp
void add_instructions_command(CLI::App& app, int& exit_code);  // information_commands.cpp
void add_load_command(CLI::App& app, int& exit_code);          // load_command.cpp
void add_play_command(CLI::App& app, int& exit_code);          // play_command.cpp
void add_proxy_command(CLI::App& app, int& exit_code);         // proxy_command.cpp
void add_replay_command(CLI::App& app, int& exit_code);        // replay_command.cpp
void add_version_command(CLI::App& app, int& exit_code);       // information_commands.cpp

}  // namespace citestream::tools
