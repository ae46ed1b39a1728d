/// \file
/// Error messages for unknown and missing words on the command line, with a suggestion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace citestream::tools {

/// Returns a message about an unknown command, option or argument of \p app or of the selected command, such
/// as `unknown option: --sytle; did you mean --style?`. Returns an empty string if everything is known. Call
/// after parsing has failed.
[[nodiscard]] std::string unknown_word(const CLI::App& app);

/// Returns the message for a command line without the subcommand that \p app or the selected command needs:
/// `no command given; the commands are answer, claims`. Returns an empty string if no subcommand is missing.
[[nodiscard]] std::string missing_command(const CLI::App& app);

/// Returns the full name of the selected command, such as `citestream check answer`.
[[nodiscard]] std::string selected_command(const CLI::App& app);

/// Returns the names of the subcommands of \p app.
[[nodiscard]] std::vector<std::string> command_names(const CLI::App& app);

/// Returns the message for \p word, which is not a subcommand of \p parent.
[[nodiscard]] std::string unknown_command(const CLI::App& parent, std::string_view word);

}  // namespace citestream::tools
