/// \file
/// Shared by `play` and `replay`: runs a replay server until SIGINT or SIGTERM.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "replay/server.hpp"

namespace citestream::tools {

/// Reads the value of --listen into the address and port of \p options.
/// \throws CLI::ValidationError if it is not an address and a port
void read_listen(std::string_view listen, replay_options& options);

/// Starts the server, passes its URL (`http://127.0.0.1:8080`) to \p announce, and serves until SIGINT or
/// SIGTERM. \param listen  the value of --listen, for the message \throws command_error if it cannot listen
void serve_until_signal(replay_options options, const std::string& listen,
                        const std::function<void(const std::string& url)>& announce);

}  // namespace citestream::tools
