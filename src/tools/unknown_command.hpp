// A command that does not exist, and the one that was meant.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace citestream::tools {

/// What is wrong where a command was to be named, of \p app or of the command in use, and another word stands
/// there: `no such command: answr; did you mean answer?`. Empty: that is not what is wrong. Call where
/// parsing failed.
[[nodiscard]] std::string unknown_command(const CLI::App& app);

}  // namespace citestream::tools
