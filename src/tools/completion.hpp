/// \file
/// Shell completion scripts, generated from the application's options so that they are always complete.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace citestream::tools {

/// Returns a script for bash, to be sourced or installed as `bash-completion/completions/citestream`. It
/// needs only bash. It completes commands, options, the values that `--help` lists (also after `=` and in
/// comma-separated lists), and files. \param app  the application with all of its commands, not yet parsed
std::string bash_completion(const CLI::App& app);

/// Returns a script for zsh, to be installed as `_citestream` in a directory of `fpath` or sourced after
/// compinit.
std::string zsh_completion(const CLI::App& app);

}  // namespace citestream::tools
