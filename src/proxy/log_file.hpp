/// \file
/// Where log lines are written to: a file, a pipe or a terminal that may take nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream {

/// Used by one thread; reopen(), close_soon() and lost() by any.
class log_file {
 public:
  /// \param path  empty: standard error
  explicit log_file(std::string path) : path_(std::move(path)) {}
  ~log_file();
  log_file(const log_file&) = delete;
  log_file& operator=(const log_file&) = delete;

  /// \return an empty string, or why not.
  [[nodiscard]] std::string open();
  /// Writes a line and its line feed, and waits a second at most for a reader that takes nothing. A line that
  /// was not written whole is counted as lost; the next one begins on a line of its own all the same.
  void write(std::string_view line);
  void reopen() noexcept { reopen_.store(true, std::memory_order_relaxed); }
  /// From now on write() waits for nobody.
  void close_soon() noexcept { closing_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  [[nodiscard]] bool write_all(std::string_view bytes);
  [[nodiscard]] bool wait_until_writable() const;

  std::string path_;
  int fd_{-1};
  bool torn_{};  ///< the last line's end is missing
  std::atomic<bool> reopen_{};
  std::atomic<bool> closing_{};
  std::atomic<std::uint64_t> lost_{};
};

}  // namespace citestream
