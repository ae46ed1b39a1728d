/// \file
/// Who is at the other end of a socket.
#pragma once

#include <string>

namespace citestream {

/// `192.0.2.1:5000`, `[2001:db8::1]:5000`, `unix`; empty: not known.
[[nodiscard]] std::string peer_name(int socket);

}  // namespace citestream
