#include "file_limit.hpp"

#include <sys/resource.h>

namespace citestream::tools {

void raise_file_limit() noexcept {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

std::string file_limit_warning(std::size_t connections) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur / 2 >= connections) return {};
  return "max_connections is " + std::to_string(connections) +
         " and each may need 2 file descriptors, but only " + std::to_string(files.rlim_cur) +
         " are allowed; raise the limit (ulimit -n) or lower max_connections";
}

}  // namespace citestream::tools
