// The options that say what becomes of an answer, as typed on a command line.
#pragma once

#include <citestream/session/options.hpp>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace citestream::tools {

struct session_flags {
  std::string style{"strip"};
  std::vector<std::string> markers;   ///< as typed; empty: as the dialect says
  std::vector<std::string> patterns;  ///< see marker_pattern
  std::string identifiers{"any"};
  std::string offsets{"utf16"};
  std::string dialect{"auto"};
  std::string file_url;
  std::string citations{"auto"};
  bool only_known{};
  std::string egress{"off"};
  std::vector<std::string> egress_allowed;  ///< see egress_pattern
};

/// Adds `--markers`, `--marker`, `--identifiers` and `--dialect`: what is looked for in an answer. \p flags
/// must outlive the parsing.
void add_reading_options(CLI::App& command, session_flags& flags);

/// Adds those and `--style`, `--offsets`, `--file-url`, `--citations`, `--only-known`,
/// `--egress`, `--egress-allow`; values that do not exist are refused while parsing. \p flags must outlive
/// the parsing.
void add_session_options(CLI::App& command, session_flags& flags);

/// The options that \p flags name. Call after parsing.
[[nodiscard]] session_options options_from(const session_flags& flags);

}  // namespace citestream::tools
