/// \file
/// Limit of open file descriptors, and so of connections.
#pragma once

#include <cstddef>
#include <string>

namespace citestream::tools {

/// Raises the soft limit of file descriptors (RLIMIT_NOFILE) to the hard limit. The soft limit is usually
/// 1024, which is low for a proxy: each client needs two descriptors.
void raise_file_limit() noexcept;

/// Returns a warning if \p connections clients may need more descriptors than the limit, or an empty string.
[[nodiscard]] std::string file_limit_warning(std::size_t connections);

}  // namespace citestream::tools
