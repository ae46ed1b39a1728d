// What a shell completes after `citestream`: scripts made from the options that there are, so that none can
// be missing.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace citestream::tools {

/// A script for bash, to be sourced or installed as `bash-completion/completions/citestream`. Needs nothing
/// beside bash. Completes commands, options, the values that `--help` names (also behind `=` and between
/// commas), and files. \param app the application with all of its commands; read, not parsed
std::string bash_completion(const CLI::App& app);

/// The same for zsh, to be installed as `_citestream` in a folder of `fpath`, or sourced after compinit.
std::string zsh_completion(const CLI::App& app);

}  // namespace citestream::tools
