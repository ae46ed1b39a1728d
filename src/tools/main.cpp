// The citestream program: creates the commands, parses the command line and reports errors.
#include <citestream/base/version.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "byte_input.hpp"
#include "commands.hpp"
#include "unknown_word.hpp"

namespace citestream::tools {

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing changes it
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// Shows an option as `--style NAME:{strip,keep}=strip`: the placeholder of its value, the valid values if
/// they can be listed, and the default.
class help_format : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string out;
    const std::string value = option->get_type_size() == 0 ? "" : option->get_type_name();
    if (!value.empty()) out += " " + value;
    if (!option->get_default_str().empty()) out += "=" + option->get_default_str();
    if (option->get_positional() && option->get_expected_max() > 1) out += " ...";
    if (option->get_required()) out += " REQUIRED";
    return out;
  }
};

/// Returns a message as one line without a full stop at its end.
std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

/// Prints a line on standard error. \param colour  escape sequence for the part up to the message, used if
/// standard error shows colours; empty for none
void print_line(const std::string& colour, const std::string& command, const std::string& what) {
  std::string start = "citestream:" + (command.empty() ? "" : " " + command + ":");
  if (!colour.empty() && shows_colours(STDERR_FILENO)) start = colour + start + plain;
  std::fputs((start + " " + one_line(what) + "\n").c_str(), stderr);
}

/// Returns the message for an error that CLI11 found.
std::string message_of(const CLI::ParseError& error, const CLI::App& app) {
  if (std::string unknown = unknown_word(app); !unknown.empty()) return unknown;
  if (std::string missing = missing_command(app); !missing.empty()) return missing;
  std::string text = one_line(error.what());
  // CLI11 writes `--style: 1 required NAME missing`.
  const std::size_t count = text.find(": 1 required ");
  if (count != std::string::npos && text.ends_with(" missing"))
    text.replace(count, std::string::npos, ": a value is missing");
  // CLI11 writes `repair was given a disallowed flag override`.
  const std::size_t value = text.find(" was given a disallowed flag override");
  if (value != std::string::npos) text = "--" + text.substr(0, value) + ": takes no value";
  return text;
}

void add_commands(CLI::App& app, int& exit_code) {
  add_check_command(app, exit_code);
  add_completion_command(app, exit_code);
  add_diff_command(app, exit_code);
  add_filter_command(app, exit_code);
  add_instructions_command(app, exit_code);
  add_load_command(app, exit_code);
  add_play_command(app, exit_code);
  add_proxy_command(app, exit_code);
  add_replay_command(app, exit_code);
  add_version_command(app, exit_code);
  add_help_command(app, exit_code);  // must be last, because it lists the other commands
}

std::string command_in_use(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? std::string() : used.front()->get_name();
}

/// Returns \p exit_code if everything printed could be written, else that of a failure.
int flushed(const std::string& command, int exit_code) {
  errno = 0;
  const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (written) return exit_code;
  const std::string why = errno == 0 ? "" : ": " + std::generic_category().message(errno);
  print_error_line(command, "cannot write to standard output" + why);
  return exit_failure;
}

int run(int argc, char** argv) {
  CLI::App app{"Clean text and checked citations for streamed LLM answers."};
  app.name("citestream");
  app.set_version_flag("--version", std::string(version()));
  app.formatter(std::make_shared<help_format>());
  app.require_subcommand(0, 1);  // 0 is an error, too, but an unknown command is reported first
  app.footer(
      "Examples:\n"
      "  citestream filter answer.sse --to text\n"
      "  citestream replay answer.sse --listen 127.0.0.1:8081 --pace recorded\n"
      "  citestream proxy --listen 127.0.0.1:8080 --upstream http://127.0.0.1:8081\n"
      "  citestream load --url http://127.0.0.1:8080 --streams 100\n"
      "  citestream check answer answer.sse --to text\n"
      "  citestream diff old-answers/ new-answers/\n"
      "  citestream help filter\n\n"
      "Exit codes: 0 success, 1 failure (check: findings; diff: NEW is worse), 2 usage error.");
  int exit_code = exit_success;
  add_commands(app, exit_code);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw CLI::RequiredError("A command");
  } catch (const CLI::Success& success) {  // --help, --version
    return flushed(command_in_use(app), app.exit(success));
  } catch (const CLI::ParseError& error) {
    const std::string command = command_in_use(app);
    print_error_line(command, message_of(error, app) + " (see " + selected_command(app) + " --help)");
    return exit_usage;
  } catch (const std::exception& error) {
    print_error_line(command_in_use(app), error.what());
    return exit_failure;
  }
  return flushed(command_in_use(app), exit_code);
}

}  // namespace

void print_error_line(const std::string& command, const std::string& what) {
  print_line(red, command, what);
}

void print_notice_line(const std::string& command, const std::string& what) {
  print_line("", command, what);
}

bool shows_colours(int descriptor) {
  return ::isatty(descriptor) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

void announce_terminal(const byte_input& input, const std::string& command) {
  if (input.is_terminal()) print_notice_line(command, "reading from the terminal; end the input with Ctrl-D");
}

}  // namespace citestream::tools

int main(int argc, char** argv) {
  return citestream::tools::run(argc, argv);
}
