/// \file
/// Progress line for long runs on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace citestream::tools {

/// Shows how much has been read, the bytes per second and the time that is left, in one line on standard
/// error. The line appears after half a second. The destructor erases it, and so does SIGINT or SIGTERM
/// before it ends the process. Nothing is shown if standard error is not a terminal, or if the output goes to
/// a terminal, where the line would be mixed with it. Only one object may exist at a time. Its
/// functions may be called by several threads.
class progress {
 public:
  /// \param to_file  the output goes to a file, not to standard output
  explicit progress(bool to_file);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// The run reads \p total bytes.
  void expect_bytes(std::optional<std::uint64_t> total);
  /// The run has several documents. \param total  their number, if known  \param before  of them, how many an
  /// earlier run has completed
  void expect_documents(std::optional<std::uint64_t> total, std::uint64_t before);

  /// Adds \p bytes to the count and updates the line.
  void advance(std::size_t bytes);
  /// Adds a document to the count.
  void end_document();
  /// Erases the line, so that a message can be printed. The next update shows it again.
  void erase();

 private:
  using clock = std::chrono::steady_clock;
  void show(clock::time_point now);
  [[nodiscard]] std::string counts() const;
  [[nodiscard]] double part_done() const noexcept;

  std::mutex mutex_;
  bool wanted_;
  bool shown_{};
  bool several_{};  ///< documents are counted
  std::optional<std::uint64_t> total_bytes_;
  std::optional<std::uint64_t> total_documents_;
  std::uint64_t before_{};
  std::uint64_t bytes_{};
  std::uint64_t documents_{};
  clock::time_point started_{};
  clock::time_point next_{};
};

}  // namespace citestream::tools
