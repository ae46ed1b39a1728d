/// \file
/// Saves event streams as received from the upstream, in the timed format that `replay` and `filter` read
/// (replay/recording.hpp). Streams never wait for the disk: a background thread writes from a bounded queue.
/// A recording that cannot be written completely is removed and counted as lost. The log has the reason.
///
/// Files are named `<time>-<process>-<number>.ndjson`, so that they sort by age, with `.part` appended while
/// they are being written. Only their owner can read them. If there are too many, or they are too large
/// together, the oldest are removed. Other files in the directory are not touched.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "http/fields.hpp"
#include "proxy_options.hpp"
#include "request_log.hpp"

namespace citestream {

/// The content of the first line of a recording. It has neither queries nor bodies of requests.
struct recording_note {
  std::string_view request_id;
  std::string_view method;
  std::string_view target;  ///< the query is omitted
  std::string_view route;
  unsigned status{};
  std::string_view content_type;
  const http::fields* request{};  ///< values are only recorded for names in an allowlist
  const http::fields* answer{};
};

/// Returns the first line of a recording, with its line feed.
[[nodiscard]] std::string recording_header(const recording_note& of,
                                           std::chrono::system_clock::time_point when);

/// Records streams. begin() is thread-safe.
class recorder {
 public:
  using clock = std::chrono::steady_clock;
  class stream;

  /// \p log: gets the reasons why recordings are lost
  recorder(record_options options, request_log& log);
  /// Writes everything that is queued.
  ~recorder();
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  /// Creates the directory if it is missing, removes unfinished files of earlier processes, and starts the
  /// thread. Does nothing without a directory. \return an empty string, or one line that describes the error.
  [[nodiscard]] std::string start();

  /// Begins a recording. Returns null if recording is off or too many streams are being recorded.
  /// \param sent  when the request was sent; times are relative to it
  [[nodiscard]] std::unique_ptr<stream> begin(const recording_note& of, clock::time_point sent);

  [[nodiscard]] std::uint64_t saved() const noexcept;
  [[nodiscard]] std::uint64_t lost() const noexcept;

 private:
  struct impl;
  std::shared_ptr<impl> impl_;
};

/// A recording in progress. It ends when it is destroyed, and may outlive the recorder.
class recorder::stream {
 public:
  struct file;
  struct order;
  class order_queue;
  stream(std::shared_ptr<impl> to, std::shared_ptr<file> into, clock::time_point sent);
  ~stream();
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  /// Adds bytes that arrived at \p when.
  void add(std::string_view bytes, clock::time_point when);

 private:
  std::shared_ptr<impl> to_;
  std::shared_ptr<file> into_;
  std::list<order> end_;  ///< queued by the destructor, which must not allocate
  clock::time_point sent_;
};

}  // namespace citestream
