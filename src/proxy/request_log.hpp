/// \file
/// The log: lines go into a bounded queue, a thread of its own writes them.
///
/// No caller ever waits: where the disk is full, or a pipe has no reader, lines are lost and counted.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "observe_options.hpp"

namespace citestream {

class request_log {
 public:
  explicit request_log(log_options options);
  /// Writes what is queued and can be written without waiting.
  ~request_log();
  request_log(const request_log&) = delete;
  request_log& operator=(const request_log&) = delete;

  /// Opens the file and starts the thread; nothing where the level is off. \return an empty string, or why
  /// not.
  [[nodiscard]] std::string start();
  [[nodiscard]] bool wants(log_level level) const noexcept;
  [[nodiscard]] log_format format() const noexcept { return format_.load(std::memory_order_relaxed); }
  /// Queues a line, given without its line feed. From any thread.
  void write(log_level level, std::string_view line);
  /// The same for a line about the proxy itself.
  void say(log_level level, std::string_view message);
  /// What is written from now on, and how; the file stays. \return false: there is no log to change, as it
  /// was off at start(). From any thread.
  bool change(log_level level, log_format format) noexcept;
  /// The file's name may lead to another file by now (log rotation): the next line goes there. From any
  /// thread, and from a signal handler.
  void reopen() noexcept;
  /// Lines that were not written: the queue was full, or the file did not take them.
  [[nodiscard]] std::uint64_t lost() const noexcept;

 private:
  struct impl;
  log_options options_;
  std::atomic<log_level> level_;
  std::atomic<log_format> format_;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
