#include "service_manager.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace citestream::tools {
namespace {

/// Returns the value of an environment variable and unsets it. Call before any thread is started.
std::string take_from_environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  std::string out = value == nullptr ? "" : value;
  ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
  return out;
}

}  // namespace

service_manager::service_manager() : socket_(take_from_environment("NOTIFY_SOCKET")) {
  const long long microseconds = std::atoll(take_from_environment("WATCHDOG_USEC").c_str());
  const std::string whose = take_from_environment("WATCHDOG_PID");
  if (whose.empty() || std::atoll(whose.c_str()) == ::getpid()) {
    watchdog_ = std::chrono::milliseconds(microseconds / 1000);
  }
}

void service_manager::reloading() const {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const long long microseconds = now.tv_sec * 1'000'000LL + now.tv_nsec / 1000;
  tell("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(microseconds));
}

void service_manager::tell(std::string_view what) const {
  sockaddr_un to{};
  if (socket_.empty() || socket_.size() >= sizeof to.sun_path) return;
  to.sun_family = AF_UNIX;
  std::memcpy(to.sun_path, socket_.data(), socket_.size());
  if (socket_.front() == '@') to.sun_path[0] = '\0';  // an abstract socket address
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const auto* generic = reinterpret_cast<const sockaddr*>(&to);
  // There is no one to report an error to, so it is ignored.
  static_cast<void>(::sendto(fd, what.data(), what.size(), MSG_NOSIGNAL, generic, size));
  ::close(fd);
}

}  // namespace citestream::tools
