#include "file_limit.hpp"

#include <sys/resource.h>

namespace citestream::tools {

void raise_file_limit() noexcept {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace citestream::tools
