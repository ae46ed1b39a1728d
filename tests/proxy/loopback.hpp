// Raw sockets on the loopback interface: clients and upstreams that send exactly the bytes a test says, when
// it says so. Written apart from the proxy's own HTTP code, which it checks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace loopback {

using std::chrono::milliseconds;

/// Nothing in a test takes that long unless something is broken.
inline constexpr milliseconds patience{60'000};

/// A connected socket. Waits are bounded by `patience` and end with an exception.
class wire {
 public:
  explicit wire(int fd = -1) noexcept : fd_(fd) {}
  wire(wire&& other) noexcept;
  wire& operator=(wire&& other) noexcept;
  ~wire();

  /// Sends all of it. \return false: the other side is gone.
  bool send(std::string_view bytes);
  /// Sends what the socket takes without blocking. \return bytes; 0: it takes none now.
  std::size_t send_some(std::string_view bytes);
  /// What one read brings; empty at the end or after a reset (see reset_seen()).
  std::string read_some();
  /// Reads until \p mark is there, and no further than one read brings. \return false: it never came.
  bool read_until(std::string_view mark, std::string& into);
  std::string read_all();
  /// Whether bytes or the end arrive within \p at_most.
  bool readable(milliseconds at_most) const;
  /// Waits for the other side's end, dropping what comes. \return how long it took; nothing: too long.
  std::optional<milliseconds> wait_for_end(milliseconds at_most);
  [[nodiscard]] bool reset_seen() const noexcept { return reset_seen_; }

  void fin();    ///< ends our side only
  void rst();    ///< breaks the connection
  void close();  ///< closes both
  /// Bytes sent that the other side's kernel has not taken yet.
  [[nodiscard]] int unacknowledged() const;
  [[nodiscard]] int fd() const noexcept { return fd_; }

 private:
  int fd_;
  bool reset_seen_{};
};

[[nodiscard]] wire dial(std::uint16_t port, int receive_buffer = 0);

/// An HTTP message as it stood on the wire.
struct message {
  std::string head;                 ///< start line to empty line
  std::string body;                 ///< without its framing
  std::vector<std::string> chunks;  ///< where it came in chunks
  bool complete{};                  ///< its end was seen as HTTP says it
  [[nodiscard]] int status() const;
  [[nodiscard]] bool has(std::string_view line) const;  ///< a field line, exactly
  [[nodiscard]] std::string field(std::string_view name) const;
};

/// Reads messages off one wire; keeps what one read brought too much.
class reader {
 public:
  explicit reader(wire& from) noexcept : from_(from) {}
  /// A request, or an answer (\p bodiless: to HEAD). Without a head: an empty message.
  message next(bool bodiless = false);
  /// Reads until \p mark has come, in a body that is on its way; then next() returns all of it.
  bool until(std::string_view mark);
  [[nodiscard]] std::string& rest() noexcept { return unread_; }

 private:
  bool more();
  void read_chunks(message& out);
  wire& from_;
  std::string unread_;
};

/// Something that a test opens and others wait for.
class gate {
 public:
  void open();
  void wait();
  [[nodiscard]] bool wait_for(milliseconds at_most);

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_{};
};

/// A server: each connection runs the script in a thread of its own.
class upstream {
 public:
  using script = std::function<void(wire& client, int connection)>;
  explicit upstream(script play);
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
  int listener_;
  std::uint16_t port_{};
  mutable std::mutex mutex_;
  int connections_{};
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// Whether nothing has happened for so many looks in a row, with a pause before each. Looks are counted and
/// no time: of that a busy or a stopped machine lets pass as much as it likes without anybody having run.
class stillness {
 public:
  /// \p happened: since the last look. \return whether all is still.
  [[nodiscard]] bool after(bool happened);

 private:
  int looks_{};
};

/// Polls until \p condition holds. \return false: `at_most` was over before.
[[nodiscard]] bool eventually(const std::function<bool()>& condition, milliseconds at_most = patience);

}  // namespace loopback
