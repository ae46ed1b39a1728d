/// \file
/// Saves event streams as they came from upstream, in the timed form that `replay` and `filter` read
/// (replay/recording.hpp). A bounded queue and a thread of its own: no stream ever waits for
/// the disk. A recording that cannot be written whole is removed and counted as lost.
///
/// Files are `<time>-<process>-<number>.ndjson`, named so that they sort by age, for their owner alone;
/// `.part` behind that while they are being written. Where there are too many, or they are too large
/// together, the oldest of that name go. Other files in the directory are left alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/fields.hpp"
#include "observe_options.hpp"

namespace citestream {

/// What the first line says about a stream. Neither queries nor bodies of requests.
struct recording_note {
  std::string_view request_id;
  std::string_view method;
  std::string_view target;  ///< its query is left out
  std::string_view route;
  unsigned status{};
  std::string_view content_type;
  const http::fields* request{};  ///< values are kept of those that are known to hold no secret
  const http::fields* answer{};
};

/// Whether the value of the header \p name is recorded; else it is `[redacted]`.
[[nodiscard]] bool is_recorded_header(std::string_view name) noexcept;

/// The first line of a recording, with its LF.
[[nodiscard]] std::string recording_header(const recording_note& of,
                                           std::chrono::system_clock::time_point when);

class recorder {
 public:
  using clock = std::chrono::steady_clock;
  class stream;

  explicit recorder(record_options options);
  /// Writes what is queued.
  ~recorder();
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  /// Makes the directory where it is missing, removes what an earlier process left unfinished, starts the
  /// thread; nothing where no directory is named. \return an empty string, or why not.
  [[nodiscard]] std::string start();

  [[nodiscard]] bool on() const noexcept;
  /// Begins a recording; null where nothing is recorded, or too much at once. From any thread.
  /// \param sent  when the request was sent: times count from then
  [[nodiscard]] std::unique_ptr<stream> begin(const recording_note& of, clock::time_point sent);

  [[nodiscard]] std::uint64_t saved() const noexcept;
  [[nodiscard]] std::uint64_t lost() const noexcept;
  /// Waits until all that was queued is written.
  void flush();

 private:
  struct impl;
  std::shared_ptr<impl> impl_;
};

/// A recording under way. It ends with its destruction, and may outlive the recorder.
class recorder::stream {
 public:
  struct file;
  stream(std::shared_ptr<impl> to, std::shared_ptr<file> into, clock::time_point sent);
  ~stream();
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  /// Adds bytes that have come at \p when.
  void add(std::string_view bytes, clock::time_point when);

 private:
  std::shared_ptr<impl> to_;
  std::shared_ptr<file> into_;
  clock::time_point sent_;
};

}  // namespace citestream
