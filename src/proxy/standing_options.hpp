/// \file
/// Options that a running proxy keeps.
#pragma once

#include <string>

#include "server.hpp"

namespace citestream {

/// Puts into \p next what cannot change before the next start as it is in force. \p log_changed: the log took
/// its new level and format. \return the names of those that were to be other, `listen, record`; empty: none
/// was.
[[nodiscard]] std::string keep_standing_options(const proxy_options& in_force, bool log_changed,
                                                proxy_options& next);

}  // namespace citestream
