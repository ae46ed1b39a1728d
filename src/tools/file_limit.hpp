// How many connections may be open at once.
#pragma once

namespace citestream::tools {

/// Raises the number of file descriptors that this process may have to what it is allowed to. Shells start
/// programs with 1,024, which old programs need, and a connection of a proxy takes two.
void raise_file_limit() noexcept;

}  // namespace citestream::tools
