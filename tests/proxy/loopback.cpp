#include "loopback.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace loopback {
namespace {

using clock = std::chrono::steady_clock;

sockaddr_in address_of(std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

const sockaddr* generic(const sockaddr_in& address) {
  return static_cast<const sockaddr*>(static_cast<const void*>(&address));
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

wire::wire(wire&& other) noexcept : fd_(std::exchange(other.fd_, -1)), reset_seen_(other.reset_seen_) {}

wire& wire::operator=(wire&& other) noexcept {
  close();
  fd_ = std::exchange(other.fd_, -1);
  reset_seen_ = other.reset_seen_;
  return *this;
}

wire::~wire() {
  close();
}

bool wire::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::size_t wire::send_some(std::string_view bytes) {
  const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

bool wire::readable(milliseconds at_most) const {
  pollfd wanted{fd_, POLLIN, 0};
  return ::poll(&wanted, 1, static_cast<int>(at_most.count())) > 0;
}

std::string wire::read_some() {
  if (!readable(patience)) throw std::runtime_error("nothing came for too long");
  std::string out(64 * 1024, '\0');
  const auto got = ::recv(fd_, out.data(), out.size(), 0);
  if (got < 0 && errno == ECONNRESET) reset_seen_ = true;
  out.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return out;
}

bool wire::read_until(std::string_view mark, std::string& into) {
  while (into.find(mark) == std::string::npos) {
    const std::string more = read_some();
    if (more.empty()) return false;
    into += more;
  }
  return true;
}

std::string wire::read_all() {
  std::string out;
  for (std::string more = read_some(); !more.empty(); more = read_some()) out += more;
  return out;
}

std::optional<milliseconds> wire::wait_for_end(milliseconds at_most) {
  const auto start = clock::now();
  while (clock::now() - start < at_most) {
    if (!readable(std::chrono::duration_cast<milliseconds>(at_most - (clock::now() - start)))) break;
    if (read_some().empty()) return std::chrono::duration_cast<milliseconds>(clock::now() - start);
  }
  return std::nullopt;
}

int wire::unacknowledged() const {
  int bytes = 0;
  if (::ioctl(fd_, TIOCOUTQ, &bytes) != 0) throw std::runtime_error("cannot ask for what is unsent");
  return bytes;
}

void wire::fin() {
  ::shutdown(fd_, SHUT_WR);
}

void wire::rst() {
  const linger now{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  close();
}

void wire::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

wire dial(std::uint16_t port, int receive_buffer) {
  wire out(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (receive_buffer != 0) {
    ::setsockopt(out.fd(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  }
  const int yes = 1;
  ::setsockopt(out.fd(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  const sockaddr_in to = address_of(port);
  if (::connect(out.fd(), generic(to), sizeof to) != 0) throw std::runtime_error("cannot connect");
  return out;
}

int message::status() const {
  return head.size() < 12 ? 0 : std::atoi(head.substr(9, 3).c_str());
}

bool message::has(std::string_view line) const {
  return head.find("\r\n" + std::string(line) + "\r\n") != std::string::npos;
}

std::string message::field(std::string_view name) const {
  const std::string wanted = "\r\n" + lower(std::string(name)) + ":";
  const std::size_t at = lower(head).find(wanted);
  if (at == std::string::npos) return {};
  std::size_t begin = at + wanted.size();
  while (begin < head.size() && head[begin] == ' ') ++begin;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

bool reader::more() {
  const std::string got = from_.read_some();
  unread_ += got;
  return !got.empty();
}

bool reader::until(std::string_view mark) {
  while (unread_.find(mark) == std::string::npos) {
    if (!more()) return false;
  }
  return true;
}

message reader::next(bool bodiless) {
  message out;
  if (!until("\r\n\r\n")) return out;
  const std::size_t head_end = unread_.find("\r\n\r\n") + 4;
  out.head = unread_.substr(0, head_end);
  unread_.erase(0, head_end);
  const int status = out.head.starts_with("HTTP/") ? out.status() : 0;
  const std::string length = out.field("content-length");
  out.complete = true;
  if (bodiless || (status != 0 && (status < 200 || status == 204 || status == 304))) return out;
  if (out.field("transfer-encoding") == "chunked") {
    read_chunks(out);
  } else if (!length.empty()) {
    const auto size = static_cast<std::size_t>(std::atoll(length.c_str()));
    while (unread_.size() < size && more()) {
    }
    out.complete = unread_.size() >= size;
    out.body = unread_.substr(0, size);
    unread_.erase(0, size);
  } else if (status != 0) {
    while (more()) {
    }
    out.complete = !from_.reset_seen();
    out.body = std::exchange(unread_, {});
  }
  return out;
}

void reader::read_chunks(message& out) {
  out.complete = false;
  for (;;) {
    if (!until("\r\n")) return;
    const std::size_t line = unread_.find("\r\n");
    const std::size_t size = std::stoull(unread_.substr(0, line), nullptr, 16);
    const std::size_t whole = line + 2 + size + 2;
    while (unread_.size() < whole && more()) {
    }
    const std::string data = unread_.substr(line + 2, size);
    const bool ended = unread_.size() >= whole && unread_.compare(whole - 2, 2, "\r\n") == 0;
    unread_.erase(0, whole);
    out.complete = ended && size == 0;
    if (size == 0 || !ended) return;
    out.chunks.push_back(data);
    out.body += data;
  }
}

void gate::open() {
  const std::lock_guard lock(mutex_);
  open_ = true;
  opened_.notify_all();
}

bool gate::wait_for(milliseconds at_most) {
  std::unique_lock lock(mutex_);
  return opened_.wait_for(lock, at_most, [this] { return open_; });
}

void gate::wait() {
  if (!wait_for(patience)) throw std::runtime_error("a gate stayed shut");
}

upstream::upstream(script play)
    : play_(std::move(play)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const sockaddr_in any = address_of(0);
  if (::bind(listener_, generic(any), sizeof any) != 0 || ::listen(listener_, 128) != 0) {
    throw std::runtime_error("cannot listen");
  }
  sockaddr_in bound{};
  socklen_t size = sizeof bound;
  ::getsockname(listener_, static_cast<sockaddr*>(static_cast<void*>(&bound)), &size);
  port_ = ntohs(bound.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

upstream::~upstream() {
  stop_listening();
  {
    const std::lock_guard lock(mutex_);
    for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
  }
  for (std::thread& one : threads_) one.join();
}

void upstream::stop_listening() {
  if (acceptor_.joinable()) {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    ::close(listener_);
  }
}

std::string upstream::url() const {
  return "http://127.0.0.1:" + std::to_string(port_);
}

int upstream::connections() const {
  const std::lock_guard lock(mutex_);
  return connections_;
}

void upstream::accept_all() {
  for (;;) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    const int yes = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const std::lock_guard lock(mutex_);
    const int number = connections_++;
    open_.push_back(fd);
    threads_.emplace_back([this, fd, number] {
      wire client(fd);
      try {
        play_(client, number);
      } catch (const std::exception&) {
        // The client's side of the test sees what is missing.
      }
      const std::lock_guard closing(mutex_);
      std::erase(open_, fd);
      client.close();
    });
  }
}

bool stillness::after(bool happened) {
  constexpr int enough = 300;
  looks_ = happened ? 0 : looks_ + 1;
  if (!happened) std::this_thread::sleep_for(milliseconds(1));
  return looks_ >= enough;
}

bool eventually(const std::function<bool()>& condition, milliseconds at_most) {
  const auto start = clock::now();
  while (!condition()) {
    if (clock::now() - start > at_most) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

}  // namespace loopback
