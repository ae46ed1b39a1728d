/// \file
/// Loads the configuration of `citestream proxy` from a file, the environment and the command line. The
/// environment overrides the file; the command line overrides both.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "configuration_file.hpp"
#include "proxy/proxy_options.hpp"

namespace citestream::tools {

/// The sources of a configuration.
struct configuration_sources {
  std::string file;                                              ///< path; empty: no file
  std::vector<std::pair<std::string, std::string>> environment;  ///< only CITESTREAM_… variables are read
  std::map<std::string, option_values, std::less<>> flags;       ///< command-line values by key
};

/// A loaded configuration.
struct proxy_configuration {
  proxy_options proxy;
  configuration_text values;  ///< all values with their origins; the top level includes defaults
};

/// Returns the environment variables of this process.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> process_environment();

/// Reads and checks all sources. Routes inherit from the top level the options that they do not set. To
/// reload, call it again with the same sources; the file is read again. \return all errors, those of the file
/// first, sorted by line. If there are none, \p out is complete, except that it may have no upstream;
/// proxy_server::start() checks that.
[[nodiscard]] std::vector<configuration_error> load_proxy_configuration(const configuration_sources& from,
                                                                        proxy_configuration& out);

/// Returns the effective configuration as TOML that can be loaded again. A comment after each value names its
/// origin.
[[nodiscard]] std::string print_configuration(const proxy_configuration& all);

/// Returns `ok` and a summary with one line for each item: sources, addresses, upstreams, routes, and the
/// absolute paths of files and directories.
[[nodiscard]] std::string summarize_configuration(const configuration_sources& from,
                                                  const proxy_configuration& all);

}  // namespace citestream::tools
