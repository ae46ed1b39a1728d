/// \file
/// The options that name a chat request whose tool results and documents an answer cites.
#pragma once

#include <citestream/session/options.hpp>

#include <string>

#include "configuration_flags.hpp"

namespace CLI {
class App;
}

namespace citestream::tools {

/// The options as typed.
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
