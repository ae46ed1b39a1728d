/// \file
/// Groups of options in `citestream proxy --help`.
#pragma once

namespace CLI {
class App;
}

namespace citestream::tools {

/// Puts each option of the configuration into a group: listening, upstream, rewriting, limits, timeouts,
/// logging, recording. Call after add_configuration_flags().
void group_configuration_flags(CLI::App& command);

}  // namespace citestream::tools
