// Words of a command line that are neither a command nor an option, and the ones that were probably meant.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace citestream::tools {

/// What is wrong with the first word that \p app, or the command in use, could not read:
/// `unknown option: --sytle; did you mean --style?`. Empty if there is none. Call after parsing has failed.
[[nodiscard]] std::string unknown_word(const CLI::App& app);

/// The same for \p word in place of a command of \p parent.
[[nodiscard]] std::string unknown_command(const CLI::App& parent, std::string_view word);

}  // namespace citestream::tools
