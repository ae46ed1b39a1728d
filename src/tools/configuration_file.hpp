/// \file
/// Reads a configuration file (TOML 1.0) and records the line of each value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "configuration_options.hpp"

namespace citestream::tools {

/// An error in a configuration.
struct configuration_error {
  std::string where;  ///< such as `/etc/citestream.toml:12`, `CITESTREAM_STYLE` or `--style`; may be empty
  std::string what;

  /// `WHERE: WHAT`, or \ref what alone
  [[nodiscard]] std::string text() const { return where.empty() ? what : where + ": " + what; }
};

/// The value of one option and its origin.
struct configured_value {
  option_values values;
  std::string origin;  ///< in the form of \ref configuration_error::where; empty for a default
};

/// Values by key.
using configured_values = std::map<std::string, configured_value, std::less<>>;

/// The table of an upstream, `[upstreams.NAME]`, or of a route, `[[routes]]`.
struct configured_section {
  std::string name;  ///< name of the upstream; empty for routes
  std::string origin;
  configured_values values;
};

/// All values of a configuration before they are checked and converted.
struct configuration_text {
  configured_values top;
  std::vector<configured_section> upstreams;
  std::vector<configured_section> routes;
  bool unreadable{};  ///< true if the file could not be read or is not valid TOML, so that its values are
                      ///< unknown
};

/// Reads the file \p path. Checks the TOML type of each value but not its content. Resolves relative paths
/// against the directory of the file, so that they do not depend on the working directory.
/// \param out  receives all values that have no error
/// \return all errors
[[nodiscard]] std::vector<configuration_error> read_configuration_file(const std::string& path,
                                                                       configuration_text& out);

}  // namespace citestream::tools
