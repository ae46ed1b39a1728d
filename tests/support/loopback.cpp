#include "support/loopback.hpp"

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

std::string reader::take(std::size_t size) {
  while (unread_.size() < size && more()) {
  }
  std::string out = unread_.substr(0, size);
  unread_.erase(0, size);
  return out;
}

message reader::head() {
  message out;
  if (until("\r\n\r\n")) out.head = take(unread_.find("\r\n\r\n") + 4);
  return out;
}

message reader::next(bool bodiless) {
  message out = head();
  if (out.head.empty()) return out;
  const int status = out.head.starts_with("HTTP/") ? out.status() : 0;
  const std::string length = out.field("content-length");
  out.complete = true;
  if (bodiless || (status != 0 && (status < 200 || status == 204 || status == 304))) return out;
  if (out.field("transfer-encoding") == "chunked") {
    while (chunk(out)) {
    }
  } else if (!length.empty()) {
    const auto size = static_cast<std::size_t>(std::atoll(length.c_str()));
    out.body = take(size);
    out.complete = out.body.size() == size;
  } else if (status != 0) {
    while (more()) {
    }
    out.complete = !from_.reset_seen();
    out.body = std::exchange(unread_, {});
  }
  return out;
}

bool reader::chunk(message& out) {
  out.complete = false;
  if (!until("\r\n")) return false;
  const std::size_t line = unread_.find("\r\n") + 2;
  const std::size_t size = std::stoull(unread_.substr(0, line), nullptr, 16);
  const std::string chunk = take(line + size + 2);
  const bool ended = chunk.size() == line + size + 2 && chunk.ends_with("\r\n");
  out.complete = ended && size == 0;
  if (size == 0 || !ended) return false;
  out.chunks.push_back(chunk.substr(line, size));
  out.body += out.chunks.back();
  return true;
}

void http_client::post(std::string_view path, std::string_view body) {
  wire_.send("POST " + std::string(path) +
             " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
             "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
}

void http_client::get(std::string_view path) {
  wire_.send("GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
}

namespace {

int socket_that_listens(const sockaddr_in& at, int flags = 0) {
  const int out = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (::bind(out, generic(at), sizeof at) != 0 || ::listen(out, 1024) != 0) {
    throw std::runtime_error("cannot listen");
  }
  return out;
}

sockaddr_in second_address_of(std::uint16_t port) {
  sockaddr_in out = address_of(port);
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
  return out;
}

}  // namespace

int listening_socket(std::uint16_t& port, int flags) {
  const int out = socket_that_listens(address_of(0), flags);
  sockaddr_in bound{};
  socklen_t size = sizeof bound;
  ::getsockname(out, static_cast<sockaddr*>(static_cast<void*>(&bound)), &size);
  port = ntohs(bound.sin_port);
  return out;
}

upstream::upstream(script play) : play_(std::move(play)), listener_(listening_socket(port_)) {
  acceptor_ = std::thread([this] { accept_all(); });
}

upstream::upstream(script play, std::uint16_t port)
    : play_(std::move(play)), port_(port), listener_(socket_that_listens(second_address_of(port))) {
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

}  // namespace loopback
