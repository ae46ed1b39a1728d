#include "log_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <system_error>
#include <unistd.h>

#include <climits>

namespace citestream {
namespace {

constexpr int patience_ms = 1000;
constexpr int look_every_ms = 50;

}  // namespace

log_file::~log_file() {
  if (!path_.empty() && fd_ >= 0) ::close(fd_);
}

std::string log_file::open() {
  if (path_.empty()) {
    fd_ = STDERR_FILENO;
    return {};
  }
  // Never blocking: a named pipe without a reader must not hold anybody up, neither here nor later.
  const int opened =
      ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0640);
  if (opened < 0) return "cannot open the log '" + path_ + "': " + std::generic_category().message(errno);
  if (fd_ >= 0) ::close(fd_);
  fd_ = opened;
  torn_ = false;
  return {};
}

void log_file::write(std::string_view line) {
  // Where the new file cannot be opened, the old one goes on.
  if (!path_.empty() && reopen_.exchange(false, std::memory_order_relaxed)) static_cast<void>(open());
  std::string bytes;
  bytes.reserve(line.size() + 2);
  if (torn_) bytes += '\n';
  bytes.append(line) += '\n';
  if (!write_all(bytes)) lost_.fetch_add(1, std::memory_order_relaxed);
}

bool log_file::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    // Standard error blocks, and must stay as others who share it want it. A pipe that is writable takes that
    // many bytes at once (pipe(7)).
    if (!wait_until_writable()) return false;
    const auto wrote = ::write(fd_, bytes.data(), std::min(bytes.size(), std::size_t{PIPE_BUF}));
    if (wrote < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
    torn_ = !bytes.empty();
  }
  return true;
}

bool log_file::wait_until_writable() const {
  pollfd one{fd_, POLLOUT, 0};
  for (int waited = 0; waited <= patience_ms; waited += look_every_ms) {
    const bool closing = closing_.load(std::memory_order_relaxed);
    const int ready = ::poll(&one, 1, closing ? 0 : look_every_ms);
    if (ready > 0) return true;  // an error too: the write says which
    if (closing || (ready < 0 && errno != EINTR)) return false;
  }
  return false;
}

}  // namespace citestream
