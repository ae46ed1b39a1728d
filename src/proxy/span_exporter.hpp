/// \file
/// Traces. Takes the trace context of a request, passes it on to the upstream, and sends one span for each
/// request to an OpenTelemetry collector.
///
/// Standards: W3C Trace Context (`traceparent`, `tracestate`), OTLP 1.x over HTTP with JSON bodies, and the
/// OpenTelemetry semantic conventions for HTTP servers and generative AI.
///
/// Callers never wait. Spans are queued in bounded memory and sent by a background thread. A batch that the
/// collector does not accept is dropped and counted; nothing is sent twice.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/fields.hpp"
#include "http/request_id.hpp"
#include "proxy_options.hpp"
#include "request_facts.hpp"
#include "request_log.hpp"

namespace citestream {

/// Sends spans to a collector.
class span_exporter {
 public:
  /// Spans that wait to be sent. Further ones are dropped.
  static constexpr std::size_t max_queued = 2048;
  static constexpr std::size_t max_batch = 256;
  /// How long a batch waits for further spans.
  static constexpr std::chrono::milliseconds batch_time{1000};
  /// How long a collector may take to accept a batch.
  static constexpr std::chrono::milliseconds send_time{10'000};
  /// How long the destructor waits for the last batches.
  static constexpr std::chrono::milliseconds end_time{1000};

  /// \p log: gets a message when exporting fails after it worked, and when it works again
  span_exporter(trace_options options, request_log& log);
  ~span_exporter();
  span_exporter(const span_exporter&) = delete;
  span_exporter& operator=(const span_exporter&) = delete;

  /// Starts the thread. Does nothing without an endpoint. \return an empty string, or one line that describes
  /// the error.
  [[nodiscard]] std::string start();
  [[nodiscard]] bool on() const noexcept { return impl_ != nullptr; }
  /// Starts the span of a request, as a child of the client's span if there is one. Thread-safe, except \p
  /// ids.
  [[nodiscard]] std::unique_ptr<request_trace> begin(const http::fields& request,
                                                     http::request_ids& ids) const;
  /// Queues the span of a request that has ended. Thread-safe.
  void add(const request_facts& of, request_facts::clock::duration took);
  /// Spans that the collector accepted.
  [[nodiscard]] std::uint64_t exported() const noexcept;
  /// Spans that were not sent or not accepted.
  [[nodiscard]] std::uint64_t dropped() const noexcept;

 private:
  struct impl;
  trace_options options_;
  request_log& log_;
  std::unique_ptr<impl> impl_;
};

}  // namespace citestream
