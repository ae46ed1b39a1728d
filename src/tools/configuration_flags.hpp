/// \file
/// Command-line flags made from the tables of options: those of the proxy, those of sessions, and those that
/// name the chat request whose tool results and documents an answer cites.
#pragma once

#include <citestream/session/options.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "configuration_options.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace citestream::tools {

/// Values by key of the options that were given.
using flag_values = std::map<std::string, option_values, std::less<>>;

/// Adds a flag for each option that can be set on the command line, in groups: listening, upstream,
/// rewriting, limits, timeouts, logging, recording. `idle_timeout` becomes `--idle-timeout`. Parsing checks
/// the values and stores them in \p into by key. \p into must outlive the parsing.
void add_configuration_flags(CLI::App& command, flag_values& into);

/// Adds a flag for each option whose session_option::reach has a bit of \p reach: `egress_allow` becomes
/// `--egress-allow`. \p into gets the defaults, and values when the command line is parsed, which rejects
/// invalid ones. \p into must outlive the parsing.
void add_session_flags(CLI::App& command, std::uint8_t reach, flag_values& into);

/// Adds the flag of the option \p name with another help.
void add_session_flag(CLI::App& command, std::string_view name, std::string_view help, flag_values& into);

/// Returns the options with the values of \p flags. Call after parsing.
/// \throws CLI::ValidationError  if options exclude each other
[[nodiscard]] session_options options_from(const flag_values& flags);

/// The options that name a chat request, as typed.
struct provenance_flags {
  std::string request;  ///< path of the file; may be empty
  flag_values details;  ///< by the key of the proxy's option
};

/// Adds `--provenance-request` and the options that depend on it. \p flags must outlive the parsing.
void add_provenance_flags(CLI::App& command, provenance_flags& flags);

/// Adds the documents and tool results of the request to the references of \p options and turns provenance
/// on. Does nothing if no request is named. \throws command_error, or CLI::ValidationError if the file is not
/// a chat request
void take_provenance(const provenance_flags& flags, session_options& options);

}  // namespace citestream::tools
