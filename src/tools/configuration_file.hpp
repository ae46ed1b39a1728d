// Reads the configuration file: TOML 1.0 in, values with their lines out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "configuration_options.hpp"

namespace citestream::tools {

/// An error in a configuration, and where it is: `/etc/citestream.toml:12`, `CITESTREAM_STYLE`, `--style`.
struct configuration_error {
  std::string where;
  std::string what;
};

struct configured_value {
  option_values values;
  std::string origin;  ///< like \ref configuration_error::where; empty: the default
};

/// Values by key.
using configured_values = std::map<std::string, configured_value, std::less<>>;

/// `[upstreams.NAME]` or one of `[[routes]]`.
struct configured_section {
  std::string name;  ///< of an upstream
  std::string origin;
  configured_values values;
};

struct configuration_text {
  configured_values top;
  std::vector<configured_section> upstreams;
  std::vector<configured_section> routes;
  bool unreadable{};  ///< the file could not be read or is not TOML: nothing is known about what it sets
};

/// Reads the file \p path. Values have the right kind afterwards; their content is not checked. Relative
/// paths in it are resolved against its directory, so that they do not depend on where the program was
/// started. \return all errors; everything without one is in \p out.
[[nodiscard]] std::vector<configuration_error> read_configuration_file(const std::string& path,
                                                                       configuration_text& out);

}  // namespace citestream::tools
