/// \file
/// Limit of open file descriptors, and so of connections.
#pragma once

namespace citestream::tools {

/// Raises the soft limit of file descriptors (RLIMIT_NOFILE) to the hard limit. The soft limit is usually
/// 1024, which is low for a proxy: each client needs two descriptors.
void raise_file_limit() noexcept;

}  // namespace citestream::tools
