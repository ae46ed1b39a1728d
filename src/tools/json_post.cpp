// The socket is blocking. Before each operation its timeout is set to the time that is left, so that a server
// that sends byte by byte cannot extend the deadline.
#include "json_post.hpp"

#include <array>
#include <cstdint>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "http/body_decoder.hpp"
#include "http/message_head.hpp"

namespace citestream::tools {
namespace {

using clock = std::chrono::steady_clock;

/// A TCP connection. The destructor closes it.
class connection {
 public:
  connection(const http::upstream_url& to, clock::time_point until) : until_(until) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* all = nullptr;
    if (::getaddrinfo(to.host.c_str(), to.port.c_str(), &hints, &all) != 0) return;
    for (const addrinfo* one = all; one != nullptr && !open_; one = one->ai_next) {
      close();
      fd_ = ::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
      open_ = set_timeout() && ::connect(fd_, one->ai_addr, one->ai_addrlen) == 0;
    }
    ::freeaddrinfo(all);
  }
  ~connection() { close(); }
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;

  [[nodiscard]] bool open() const noexcept { return open_; }
  [[nodiscard]] bool late() const noexcept { return clock::now() >= until_; }

  [[nodiscard]] bool send(std::string_view bytes) {
    while (!bytes.empty() && set_timeout()) {
      const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return bytes.empty();
  }

  /// Returns the bytes of one read, or an empty view at the end, after an error or when the time is over.
  [[nodiscard]] std::string_view read() {
    const auto got = set_timeout() ? ::recv(fd_, buffer_.data(), buffer_.size(), 0) : 0;
    return {buffer_.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
  }

 private:
  /// Returns false if no time is left.
  bool set_timeout() const {
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(until_ - clock::now()).count();
    if (left <= 0) return false;
    timeval time{};
    time.tv_sec = left / 1'000'000;
    time.tv_usec = left % 1'000'000;
    for (const int direction : {SO_SNDTIMEO, SO_RCVTIMEO}) {
      if (::setsockopt(fd_, SOL_SOCKET, direction, &time, sizeof time) != 0) return false;
    }
    return true;
  }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

  clock::time_point until_;
  int fd_{-1};
  bool open_{};
  std::array<char, 16 * 1024> buffer_{};
};

std::string request_for(const http::upstream_url& url, std::string_view body) {
  std::string out = "POST " + (url.base_path.empty() ? "/" : url.base_path) + " HTTP/1.1\r\nHost: ";
  out += url.authority + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ";
  return out.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
}

/// Reads the response head. \param raw  receives the head and the bytes that arrived after it
/// \param size  receives the size of the head \return true if the head is valid
bool read_head(connection& from, std::string& raw, http::response_head& head, std::size_t& size) {
  constexpr std::size_t max_bytes = 64 * 1024;
  constexpr std::size_t max_fields = 256;
  http::head_finder finder(max_bytes);
  http::head_state state = http::head_state::more;
  while (state == http::head_state::more) {
    const std::string_view bytes = from.read();
    if (bytes.empty()) return false;
    raw += bytes;
    state = finder.scan(raw);
  }
  size = finder.size();
  if (state != http::head_state::found) return false;
  return http::parse_response_head(std::string_view(raw).substr(0, size), max_fields, "POST", head);
}

}  // namespace

std::string post_json(const http::upstream_url& url, std::string_view body, std::chrono::milliseconds time,
                      const std::function<bool(std::string_view)>& take) {
  connection to(url, clock::now() + time);
  const auto failed = [&](const char* why) {
    return std::string(to.late() ? "gave no answer in time" : why);
  };
  if (!to.open()) return failed("cannot be reached");
  std::string raw;
  http::response_head head;
  std::size_t head_size = 0;
  // A server may answer before it has read everything, and close.
  const bool sent = to.send(request_for(url, body));
  if (!read_head(to, raw, head, head_size)) return failed(sent ? "gave no answer" : "closed the connection");
  if (head.status != 200) return "returned status " + std::to_string(head.status);
  http::body_decoder decoder(head.body, head.length);
  std::string_view bytes = std::string_view(raw).substr(head_size);
  std::string decoded;
  for (;;) {
    decoded.clear();
    static_cast<void>(decoder.feed(bytes, decoded));
    if (!decoded.empty() && !take(decoded)) return {};
    if (decoder.complete()) return {};
    if (!decoder.malformed()) bytes = to.read();
    if (decoder.malformed() || bytes.empty()) break;
  }
  if (decoder.ends_with_connection() && !to.late()) return {};
  return failed("gave an incomplete answer");
}

}  // namespace citestream::tools
