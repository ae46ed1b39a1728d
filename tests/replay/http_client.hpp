// A client that shows what came over the wire: one blocking socket, HTTP/1.1 read to the letter.
#pragma once

#include <algorithm>
#include <arpa/inet.h>
#include <cctype>
#include <cstdint>
#include <map>
#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace citestream_tests {

struct http_response {
  int status{};
  std::map<std::string, std::string> headers;  // keys in lower case
  std::vector<std::string> chunks;             // one for a body that is not chunked
  bool complete{};                             // the body ended as HTTP says it must

  [[nodiscard]] std::string body() const {
    std::string all;
    for (const std::string& chunk : chunks) all += chunk;
    return all;
  }
};

class http_client {
 public:
  explicit http_client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // A test that hangs says nothing: no read waits longer than this.
    const timeval patience{30, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr generic{};
    static_assert(sizeof generic == sizeof address);
    std::copy_n(reinterpret_cast<const char*>(&address), sizeof address, reinterpret_cast<char*>(&generic));
    if (::connect(socket_, &generic, sizeof generic) != 0) throw std::runtime_error("cannot connect");
  }
  ~http_client() { leave(); }
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;

  void leave() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) throw std::runtime_error("cannot send");
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  void post(std::string_view path, std::string_view body) {
    send("POST " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
  }

  void get(std::string_view path) {
    send("GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  // The head of the next response, without its body.
  http_response read_head() {
    http_response out;
    std::string line = read_line();
    out.status = std::stoi(line.substr(line.find(' ')));
    while (!(line = read_line()).empty()) {
      std::string key = line.substr(0, line.find(':'));
      std::transform(key.begin(), key.end(), key.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      const std::size_t value = line.find_first_not_of(' ', line.find(':') + 1);
      out.headers[key] = value == std::string::npos ? "" : line.substr(value);
    }
    return out;
  }

  http_response read_response() {
    http_response out = read_head();
    if (out.headers.count("transfer-encoding") != 0) {
      while (read_chunk(out)) continue;
    } else if (out.headers.count("content-length") != 0) {
      out.chunks.push_back(take(std::stoul(out.headers["content-length"])));
      out.complete = true;
    } else {
      while (fill()) continue;
      out.chunks.push_back(take(buffer_.size()));
      out.complete = true;
    }
    return out;
  }

  // False after the last chunk, or where the connection ended before it.
  bool read_chunk(http_response& out) {
    try {
      const std::size_t size = std::stoul(read_line(), nullptr, 16);
      if (size != 0) out.chunks.push_back(take(size));
      if (!read_line().empty()) throw std::runtime_error("no line end after a chunk");
      out.complete = size == 0;
      return size != 0;
    } catch (const end_of_connection&) {
      return false;
    }
  }

  // Whether the server has closed the connection, and nothing is left to read.
  bool at_end() { return buffer_.empty() && !fill(); }

 private:
  struct end_of_connection : std::runtime_error {
    end_of_connection() : std::runtime_error("the connection ended early") {}
  };

  bool fill() {
    char bytes[16384];
    const ssize_t got = ::recv(socket_, bytes, sizeof bytes, 0);
    if (got < 0) throw std::runtime_error("the read failed or took too long");
    buffer_.append(bytes, static_cast<std::size_t>(got));
    return got != 0;
  }

  std::string take(std::size_t size) {
    while (buffer_.size() < size) {
      if (!fill()) throw end_of_connection();
    }
    std::string out = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return out;
  }

  std::string read_line() {
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n")) == std::string::npos) {
      if (!fill()) throw end_of_connection();
    }
    std::string line = take(end + 2);
    line.resize(end);
    return line;
  }

  int socket_;
  std::string buffer_;
};

}  // namespace citestream_tests
