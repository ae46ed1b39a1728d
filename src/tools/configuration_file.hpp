// The configuration file: TOML 1.0 in, values with the lines that they stand on out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "configuration_options.hpp"

namespace citestream::tools {

/// What is wrong with a configuration, and where: `/etc/citestream.toml:12`, `CITESTREAM_STYLE`, `--style`.
struct configuration_error {
  std::string where;
  std::string what;
};

struct configured_value {
  option_values values;
  std::string origin;  ///< as `where` above; empty: the default
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
};

/// Reads the file \p path. Values are of the right kind afterwards; whether they are good is not looked at.
/// \return all that is wrong; what is good of it is in \p out all the same.
[[nodiscard]] std::vector<configuration_error> read_configuration_file(const std::string& path,
                                                                       configuration_text& out);

}  // namespace citestream::tools
