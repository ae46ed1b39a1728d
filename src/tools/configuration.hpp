// The configuration of `citestream proxy`: a file, the environment and the command line, the later ones with
// priority.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "configuration_file.hpp"
#include "proxy/proxy_options.hpp"

namespace citestream::tools {

/// Where values come from.
struct configuration_sources {
  std::string file;                                              ///< a path; empty: no file
  std::vector<std::pair<std::string, std::string>> environment;  ///< all of it; only CITESTREAM_… is read
  std::map<std::string, option_values, std::less<>> flags;       ///< by key
};

struct proxy_configuration {
  proxy_options proxy;
  std::chrono::milliseconds drain{10'000};
  configuration_text values;  ///< of the top level, with defaults, and of sections
};

/// The variables of this process.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> process_environment();

/// Reads all sources. Routes inherit the options that they do not set from the top level. Can be called again
/// with the same sources, to reload: the file is read again.
/// \return all errors, in the order of the file, then the environment, then the command line. Without errors
/// \p out is complete, except that it may have no upstream: proxy_server::start() checks that.
[[nodiscard]] std::vector<configuration_error> load_proxy_configuration(const configuration_sources& from,
                                                                        proxy_configuration& out);

/// Returns the effective configuration as TOML that can be loaded. The origin of each value is in a comment
/// after it.
[[nodiscard]] std::string print_configuration(const proxy_configuration& all);

/// Returns `ok` and what was checked, a line each: where values come from, addresses, upstreams, routes, and
/// files and directories with their resolved paths.
[[nodiscard]] std::string summarize_configuration(const configuration_sources& from,
                                                  const proxy_configuration& all);

}  // namespace citestream::tools
