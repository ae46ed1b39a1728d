#include "faults/fault_upstream.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/loopback.hpp"

namespace citestream_tests {
namespace {

void watch(int waiting, int fd) {
  epoll_event wanted{};
  wanted.events = EPOLLIN | EPOLLRDHUP;
  wanted.data.fd = fd;
  ::epoll_ctl(waiting, EPOLL_CTL_ADD, fd, &wanted);
}

void reset(int fd) {
  for (int unsent = 1; ::ioctl(fd, TIOCOUTQ, &unsent) == 0 && unsent != 0;) std::this_thread::yield();
  const linger now{1, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

/// The length of the first complete request in \p bytes; 0 if there is none.
std::size_t request_size(const std::string& bytes) {
  const std::size_t head = bytes.find("\r\n\r\n");
  if (head == std::string::npos) return 0;
  const std::size_t field = bytes.find("Content-Length: ");
  const std::size_t body = field < head ? static_cast<std::size_t>(std::atoi(bytes.c_str() + field + 16)) : 0;
  return bytes.size() >= head + 4 + body ? head + 4 + body : 0;
}

}  // namespace

fault_upstream::fault_upstream(const std::vector<fault_plan>& plans)
    : plans_(plans),
      listener_(loopback::listening_socket(port_, SOCK_NONBLOCK)),
      waiting_(::epoll_create1(EPOLL_CLOEXEC)),
      ending_(::eventfd(0, EFD_CLOEXEC)) {
  watch(waiting_, listener_);
  watch(waiting_, ending_);
  thread_ = std::thread([this] { run(); });
}

fault_upstream::~fault_upstream() {
  ::eventfd_write(ending_, 1);
  thread_.join();
  while (!links_.empty()) drop(links_.begin()->first);
  for (const int fd : {listener_, waiting_, ending_}) ::close(fd);
}

std::string fault_upstream::url() const {
  return "http://127.0.0.1:" + std::to_string(port_);
}

void fault_upstream::run() {
  std::array<epoll_event, 256> events{};
  for (;;) {
    const int count = ::epoll_wait(waiting_, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int fd = events.at(static_cast<std::size_t>(i)).data.fd;
      if (fd == ending_) return;
      if (fd == listener_) {
        accept_all();
      } else {
        read(fd);
      }
    }
  }
}

void fault_upstream::accept_all() {
  for (int fd = 0; (fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
    const int yes = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    links_[fd];
    ++open_;
    watch(waiting_, fd);
  }
}

void fault_upstream::read(int fd) {
  std::array<char, 16384> bytes{};
  const auto got = ::recv(fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (got <= 0) return drop(fd);
  link& on = links_[fd];
  on.unread.append(bytes.data(), static_cast<std::size_t>(got));
  while (answer(fd, on)) {
  }
}

/// Answers one request. \return true if the connection stays open for another request
bool fault_upstream::answer(int fd, link& on) {
  const std::size_t size = request_size(on.unread);
  if (size == 0) return false;
  ++requests_;
  if (on.last) ++misused_;
  const std::size_t number = static_cast<std::size_t>(std::atoi(on.unread.c_str() + on.unread.find('/') + 1));
  on.unread.erase(0, size);
  const fault_plan& plan = plans_.at(number);
  for (const std::string& part : plan.writes) {
    if (::send(fd, part.data(), part.size(), MSG_NOSIGNAL) < 0) break;  // the proxy has closed the connection
  }
  on.last = plan.last || plan.then == afterwards::stall;
  if (plan.then == afterwards::rst) reset(fd);
  if (plan.then == afterwards::keep || plan.then == afterwards::stall) return true;
  drop(fd);
  return false;
}

void fault_upstream::drop(int fd) {
  ::close(fd);
  links_.erase(fd);
  --open_;
}

}  // namespace citestream_tests
