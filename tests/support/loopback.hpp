/// \file
/// Raw sockets on the loopback interface: clients and servers that send exactly the bytes a test chooses,
/// when the test chooses. Shares no code with the proxy's HTTP implementation, which it checks.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/waiting.hpp"

namespace loopback {

using citestream_tests::eventually;
using citestream_tests::gate;
using citestream_tests::milliseconds;
using citestream_tests::patience;
using citestream_tests::stillness;

/// A connected socket. A read that waits longer than `patience` throws.
class wire {
 public:
  explicit wire(int fd = -1) noexcept : fd_(fd) {}
  wire(wire&& other) noexcept;
  wire& operator=(wire&& other) noexcept;
  ~wire();

  /// Sends all bytes. \return false if the peer has closed the connection
  bool send(std::string_view bytes);
  /// Sends as much as the socket accepts without blocking. \return the number of bytes sent
  std::size_t send_some(std::string_view bytes);
  /// The bytes of one read. Empty at the end of the stream or after a reset (see reset_seen()).
  std::string read_some();
  /// Appends to \p into until it contains \p mark. \return false if the stream ended first
  bool read_until(std::string_view mark, std::string& into);
  std::string read_all();
  /// Whether bytes or the end of the stream arrive within \p at_most.
  bool readable(milliseconds at_most) const;
  /// Discards input until the peer closes. \return how long that took, or nothing if it took too long
  std::optional<milliseconds> wait_for_end(milliseconds at_most);
  [[nodiscard]] bool reset_seen() const noexcept { return reset_seen_; }

  void fin();    ///< closes the sending direction only
  void rst();    ///< aborts the connection with a reset
  void close();  ///< closes both directions
  /// Bytes sent that the peer's kernel has not acknowledged.
  [[nodiscard]] int unacknowledged() const;
  [[nodiscard]] int fd() const noexcept { return fd_; }

 private:
  int fd_;
  bool reset_seen_{};
};

[[nodiscard]] wire dial(std::uint16_t port, int receive_buffer = 0);
/// A socket that listens on a free port. \p flags: as for socket()
[[nodiscard]] int listening_socket(std::uint16_t& port, int flags = 0);

/// One HTTP message.
struct message {
  std::string head;                 ///< from the start line to the empty line, inclusive
  std::string body;                 ///< without framing
  std::vector<std::string> chunks;  ///< of a chunked body
  bool complete{};                  ///< the body ended the way HTTP requires
  [[nodiscard]] int status() const;
  [[nodiscard]] bool has(std::string_view line) const;           ///< contains exactly this field line
  [[nodiscard]] std::string field(std::string_view name) const;  ///< the field's value; empty if absent
};

/// Reads messages from one wire and keeps bytes that belong to the next message.
class reader {
 public:
  explicit reader(wire& from) noexcept : from_(from) {}
  /// A whole request or response (\p bodiless: the response to HEAD). The head is empty at the end of the
  /// stream.
  message next(bool bodiless = false);
  /// The head alone. Call chunk() for the body.
  message head();
  /// Appends the next chunk of a chunked body. \return false after the last chunk or if the stream ended
  /// early
  bool chunk(message& out);
  /// Reads until \p mark has arrived in a body. A later next() still returns the whole message.
  bool until(std::string_view mark);
  /// Whether the peer has closed the connection and nothing is left to read.
  bool at_end() { return unread_.empty() && !more(); }
  [[nodiscard]] std::string& rest() noexcept { return unread_; }

 private:
  bool more();
  std::string take(std::size_t size);
  wire& from_;
  std::string unread_;
};

/// An HTTP/1.1 client on a connection of its own.
class http_client {
 public:
  explicit http_client(std::uint16_t port) : wire_(dial(port)), reader_(wire_) {}

  void send(std::string_view bytes) { wire_.send(bytes); }
  void post(std::string_view path, std::string_view body);
  void get(std::string_view path);
  message head() { return reader_.head(); }
  bool chunk(message& out) { return reader_.chunk(out); }
  message response() { return reader_.next(); }
  bool at_end() { return reader_.at_end(); }
  void close() { wire_.close(); }

 private:
  wire wire_;
  reader reader_;
};

/// A server that runs the script for each connection, in a separate thread.
class upstream {
 public:
  using script = std::function<void(wire& client, int connection)>;
  explicit upstream(script play);
  /// Listens on \p port of 127.0.0.2: the second address of the server that has this port.
  upstream(script play, std::uint16_t port);
  ~upstream();
  upstream(const upstream&) = delete;
  upstream& operator=(const upstream&) = delete;
  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] std::string url() const;
  [[nodiscard]] int connections() const;
  void stop_listening();

 private:
  void accept_all();
  script play_;
  std::uint16_t port_{};
  int listener_;
  mutable std::mutex mutex_;
  int connections_{};
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace loopback
