/// \file
/// Shared by `play`, `replay` and `proxy --demo`: runs a replay server until SIGINT or SIGTERM, and finds the
/// web page that it serves.
#pragma once

#include <csignal>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "replay/page_files.hpp"
#include "replay/server.hpp"

namespace citestream::tools {

/// Reads the value of --listen into the address and port of \p options.
/// \throws CLI::ValidationError if it is not an address and a port
void read_listen(std::string_view listen, replay_options& options);

/// Blocks signals, so that only the thread that waits for them handles them: threads started later inherit
/// the mask. Ignores SIGPIPE, because an output may be a pipe without a reader.
sigset_t block_signals(std::initializer_list<int> which);

/// Starts the server, passes its URL (`http://127.0.0.1:8080`) to \p announce, and serves until SIGINT or
/// SIGTERM. \param listen  the value of --listen, for the message \throws command_error if it cannot listen
void serve_until_signal(replay_options options, const std::string& listen,
                        const std::function<void(const std::string& url)>& announce);

/// How to get the page, after "the web page is not installed". One line without a full stop.
inline constexpr const char* how_to_get_page = "tools/build js builds it in build/js/page";

/// Returns the files of the page in \p folder, or if that is empty, of the page that belongs to this program:
/// `../js/page` in a build tree, `../share/citestream/page` if it is installed. Empty if it has no page.
[[nodiscard]] std::vector<page_file> find_page(const std::string& folder);

}  // namespace citestream::tools
