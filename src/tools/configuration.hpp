// The configuration of `citestream proxy`: one file, the environment and the command line, in rising
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
  std::string file;  ///< a path; empty: no file
  std::vector<std::pair<std::string, std::string>>
      environment;                                          ///< all of it: only CITESTREAM_… is looked at
  std::map<std::string, option_values, std::less<>> flags;  ///< by key
};

struct proxy_configuration {
  proxy_options proxy;
  std::chrono::milliseconds drain{10'000};
  configuration_text values;  ///< all that is in force at the top level, defaults too, and what sections set
};

/// The variables of this process.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> process_environment();

/// Reads all sources. What routes do not say of themselves is as the top level says. May be called again, to
/// reload, with the same sources: the file is read anew.
/// \return what is wrong, in the order of the file, then the environment, then the command line; empty: \p
/// out is whole, but for the upstream: that there is one, proxy_server::start() looks.
[[nodiscard]] std::vector<configuration_error> load_proxy_configuration(const configuration_sources& from,
                                                                        proxy_configuration& out);

/// All that is in force, as TOML that can be loaded; each value's origin is behind it as a comment.
[[nodiscard]] std::string print_configuration(const proxy_configuration& all);

}  // namespace citestream::tools
