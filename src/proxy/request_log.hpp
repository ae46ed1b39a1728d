/// \file
/// The log. Lines are queued in bounded memory and written by a background thread, at most 10 ms apart when
/// they arrive continuously. A process that is killed loses those.
///
/// Callers never wait. If the disk is full or a pipe has no reader, lines are lost and counted.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "proxy_options.hpp"

namespace citestream {

/// The file, pipe or terminal that log lines are written to. Used by one thread, except reopen(),
/// close_soon() and lost(), which are thread-safe.
class log_file {
 public:
  /// \param path  empty: standard error
  explicit log_file(std::string path) : path_(std::move(path)) {}
  ~log_file();
  log_file(const log_file&) = delete;
  log_file& operator=(const log_file&) = delete;

  /// \return an empty string, or one line that describes the error.
  [[nodiscard]] std::string open();
  /// Writes whole lines with their line feeds. Waits for a reader that does not read, until close_soon().
  /// Lines that were not written completely are counted as lost; the next one still starts on a new line.
  void write(std::string_view lines);
  void reopen() noexcept { reopen_.store(!path_.empty(), std::memory_order_relaxed); }
  /// From now on write() does not wait.
  void close_soon() noexcept { closing_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  /// \return the bytes that were not written
  std::string_view write_all(std::string_view bytes);
  [[nodiscard]] bool wait_until_writable() const;

  std::string path_;
  int fd_{-1};
  bool torn_{};  ///< the last line in the file is incomplete
  std::atomic<bool> reopen_{};
  std::atomic<bool> closing_{};
  std::atomic<std::uint64_t> lost_{};
};

/// Limits a message that could be logged thousands of times a second to one a second. Thread-safe.
class log_throttle {
 public:
  using clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds pause{1};

  /// Counts an occurrence. \return how many there were since the last message; 0 if that was less than
  /// `pause` ago.
  [[nodiscard]] std::uint64_t count(clock::time_point now = clock::now()) noexcept {
    const std::lock_guard lock(mutex_);
    ++unreported_;
    if (last_ && now - *last_ < pause) return 0;
    last_ = now;
    return std::exchange(unreported_, 0);
  }

 private:
  std::mutex mutex_;
  std::uint64_t unreported_{};
  std::optional<clock::time_point> last_;  ///< of a message
};

/// The log of a proxy.
class request_log {
 public:
  explicit request_log(log_options options);
  /// Writes queued lines, as far as that is possible without waiting.
  ~request_log();
  request_log(const request_log&) = delete;
  request_log& operator=(const request_log&) = delete;

  /// Opens the file and starts the thread. Does nothing if the level is off. \return an empty string, or one
  /// line that describes the error.
  [[nodiscard]] std::string start();
  [[nodiscard]] bool wants(log_level level) const noexcept;
  [[nodiscard]] log_format format() const noexcept { return format_.load(std::memory_order_relaxed); }
  /// Queues a line without its line feed. Thread-safe.
  void write(log_level level, std::string_view line);
  /// Queues a line about the proxy itself. Thread-safe.
  void message(log_level level, std::string_view message);
  /// Queues a line about what could happen thousands of times a second. \p text makes the message; it is
  /// given `3 since the last message`. Thread-safe.
  template <class Text>
  void complain(log_throttle& about, log_level level, const Text& text) {
    const std::uint64_t count = about.count();
    if (count != 0 && wants(level)) message(level, text(std::to_string(count) + " since the last message"));
  }
  /// Changes level and format. \return false if the log was off at start(). Thread-safe.
  bool change(log_level level, log_format format) noexcept;
  /// Opens the file again by its name before the next line (log rotation). Thread-safe, also for signal
  /// handlers.
  void reopen() noexcept;
  /// Lines lost because the queue was full or the file could not be written.
  [[nodiscard]] std::uint64_t lost() const noexcept;

 private:
  class impl;
  log_options options_;
  std::atomic<log_level> level_;
  std::atomic<log_format> format_;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
