// Workers write finished spans as JSON into a bounded queue. One thread takes them in batches and posts each
// batch to the collector over an upstream_link, so that names, TLS and certificates work as for upstreams.
// The thread has its own event loop, which runs for one batch at a time.
//
// A collector can only cost spans: the queue drops new spans while it is full, a batch has a deadline, and a
// batch that fails is not repeated. The destructor gives the last batches a second, then cancels what runs.

#include "span_exporter.hpp"

#include <citestream/base/status.hpp>
#include <citestream/base/version.hpp>
#include <citestream/cite/claim_check.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include "asio.hpp"
#include "base/ascii.hpp"
#include "config_snapshot.hpp"
#include "dns_cache.hpp"
#include "http/ascii_text.hpp"
#include "log_line.hpp"
#include "upstream_link.hpp"
#include "wakeup.hpp"

namespace citestream {
namespace {

constexpr std::size_t trace_id_digits = 32;
constexpr std::size_t span_id_digits = 16;
constexpr std::size_t traceparent_bytes = 55;
constexpr std::size_t max_state_bytes = 512;  // W3C Trace Context, 3.3.1.5: at least this must be passed on

constexpr std::size_t max_status_line_bytes = 8 * 1024;

bool is_hex(std::string_view text) noexcept {
  return text.find_first_not_of(ascii::hex_digits) == std::string_view::npos;
}

bool is_identifier(std::string_view text) noexcept {
  return is_hex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

/// Writes the members of a span.
class attribute_writer {
 public:
  explicit attribute_writer(std::string& out) : out_(out) {}

  void text(std::string_view key, std::string_view value) {
    if (value.empty()) return;
    start(key, "stringValue");
    append_ascii_json(value, out_);
    out_ += "}}";
  }
  void number(std::string_view key, std::uint64_t value) {
    start(key, "intValue");
    out_.append("\"").append(std::to_string(value)).append("\"}}");
  }
  void milliseconds(std::string_view key, request_facts::clock::duration value) {
    char digits[32];
    const double count = std::chrono::duration<double, std::milli>(value).count();
    const auto [last, error] =
        std::to_chars(digits, digits + sizeof digits, count, std::chars_format::fixed, 3);
    start(key, "doubleValue");
    out_.append(digits, last).append("}}");
  }

 private:
  void start(std::string_view key, std::string_view type) {
    if (!first_) out_ += ',';
    first_ = false;
    out_.append("{\"key\":\"").append(key).append("\",\"value\":{\"").append(type).append("\":");
  }

  std::string& out_;
  bool first_{true};
};

/// Methods of RFC 9110 and PATCH. Others would make names without bound.
std::string_view known_method(std::string_view method) noexcept {
  constexpr std::array<std::string_view, 7> names{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"};
  const auto* const found = std::ranges::find(names, method);
  return found == names.end() ? std::string_view("_OTHER") : *found;
}

void append_nanoseconds(std::string_view key, std::chrono::system_clock::time_point when, std::string& out) {
  const auto count = std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count();
  out.append(",\"").append(key).append("\":\"").append(std::to_string(count)).append("\"");
}

void append_attributes(const request_facts& of, std::string& out) {
  const rewriting_facts& rewriting = of.rewriting;
  const session_statistics& counts = rewriting.counts;
  const std::string_view path = of.requested.target.substr(0, of.requested.target.find('?'));
  attribute_writer all(out);
  all.text("http.request.method", known_method(of.requested.method));
  all.text("url.path", path.substr(0, max_logged_path_bytes));
  if (of.status != 0) all.number("http.response.status_code", of.status);
  if (of.failed != failure::none || !of.refused.empty()) all.text("error.type", end_name(of));
  all.text("gen_ai.response.model", rewriting.model);
  all.text("citestream.request_id", of.id);
  all.text("citestream.route", of.requested.route);
  all.text("citestream.upstream", of.requested.upstream);
  all.text("citestream.end", end_name(of));
  all.text("citestream.bypassed", name(rewriting.bypassed));
  if (rewriting.dialect.empty()) return;
  all.text("citestream.dialect", rewriting.dialect);
  all.number("citestream.events", counts.events);
  all.number("citestream.citations.resolved", counts.resolved);
  all.number("citestream.citations.unresolved", counts.unresolved + counts.pending);
  if (counts.verdicts != verdict_counts{}) {
    for (std::size_t i = 0; i < counts.verdicts.size(); ++i) {
      all.number("citestream.verdicts." + std::string(name(static_cast<claim_verdict>(i))),
                 counts.verdicts[i]);
    }
  }
  if (of.trace->first_text)
    all.milliseconds("citestream.time_to_first_text_ms", *of.trace->first_text - of.began);
  all.milliseconds("citestream.hold_max_ms", rewriting.hold_max);
}

/// Returns what precedes and what follows the spans of a batch.
std::pair<std::string, std::string> make_envelope(const std::string& instance) {
  std::string head = R"({"resourceSpans":[{"resource":{"attributes":[)";
  attribute_writer resource(head);
  resource.text("service.name", "citestream");
  resource.text("service.version", version());
  resource.text("service.instance.id", instance);
  head += R"(]},"scopeSpans":[{"scope":{"name":"citestream","version":)";
  append_ascii_json(version(), head);
  head += R"(},"spans":[)";
  return {head, "]}]}]}"};
}

/// Reads `traceparent` and `tracestate`. \return false if there is no single valid `traceparent`; a trace
/// that begins here must not contain the `tracestate` of the request either.
bool read_trace_context(const http::fields& request, request_trace& out) {
  constexpr std::size_t trace_at = 3;
  constexpr std::size_t parent_at = trace_at + trace_id_digits + 1;
  constexpr std::size_t flags_at = parent_at + span_id_digits + 1;
  const http::field* const parent_field = http::find_only(request, "traceparent");
  if (parent_field == nullptr || parent_field->value.size() < traceparent_bytes) return false;
  const std::string_view value = parent_field->value;
  const std::string_view version_digits = value.substr(0, 2);
  const std::string_view flags = value.substr(flags_at, 2);
  if (!is_hex(version_digits) || version_digits == "ff" || !is_hex(flags)) return false;
  if (value[trace_at - 1] != '-' || value[parent_at - 1] != '-' || value[flags_at - 1] != '-') return false;
  // Later versions may add members (W3C Trace Context, 4.3).
  const bool longer = value.size() > traceparent_bytes;
  if (longer && (version_digits == "00" || value[traceparent_bytes] != '-')) return false;
  const std::string_view trace = value.substr(trace_at, trace_id_digits);
  const std::string_view parent = value.substr(parent_at, span_id_digits);
  if (!is_identifier(trace) || !is_identifier(parent)) return false;
  out.trace_id = trace;
  out.parent_id = parent;
  out.sampled = ascii::hex_value(flags[1]) % 2 == 1;
  for (const http::field& one : request) {  // several fields are one list
    if (!http::same_name(one.name, "tracestate")) continue;
    out.state.append(out.state.empty() ? "" : ",").append(one.value);
  }
  if (out.state.size() > max_state_bytes) out.state.clear();
  return true;
}

/// Appends the span of a request as an OTLP JSON object.
void append_span(const request_facts& of, request_facts::clock::duration took, std::string& out) {
  const request_trace& trace = *of.trace;
  const auto end = std::chrono::system_clock::now();
  const auto begin = end - std::chrono::duration_cast<std::chrono::system_clock::duration>(took);
  const bool failed = of.failed != failure::none && of.failed != failure::client_disconnected;
  out.append(R"({"traceId":")").append(trace.trace_id);
  out.append(R"(","spanId":")").append(trace.span_id).append("\"");
  if (!trace.parent_id.empty()) {
    out.append(R"(,"parentSpanId":")").append(trace.parent_id).append("\"");
  }
  if (!trace.state.empty()) append_ascii_json(trace.state, out += R"(,"traceState":)");
  // Bit 0: sampled. Bits 8 and 9: it is known whether the parent is remote, and it is.
  out += trace.parent_id.empty() ? R"(,"flags":257,"kind":2,"name":)" : R"(,"flags":769,"kind":2,"name":)";
  const std::string_view route = of.requested.route;
  append_ascii_json(
      std::string(known_method(of.requested.method)) + (route.empty() ? "" : " ") + std::string(route), out);
  append_nanoseconds("startTimeUnixNano", begin, out);
  append_nanoseconds("endTimeUnixNano", end, out);
  out += R"(,"attributes":[)";
  append_attributes(of, out);
  out += R"(],"status":{)";
  if (failed || of.status >= 500) out += R"("code":2)";
  out += "}}";
}

/// Returns why a collector with this answer has not accepted a batch; empty if it has.
std::string why_not_accepted(const std::string& answer, const upstream_link& link) {
  if (answer.starts_with("HTTP/1.1 2") || answer.starts_with("HTTP/1.0 2")) return {};
  const std::size_t line = answer.find_first_of("\r\n");
  if (answer.find('\n') != std::string::npos) return "the answer is " + answer.substr(0, line);
  if (answer.size() >= max_status_line_bytes) return "the answer is not HTTP";
  if (!link.reason().empty()) return link.reason();
  return link.error() ? link.error().message() : "no answer in time";
}

/// Posts to the collector.
class collector {
 public:
  explicit collector(std::shared_ptr<upstream_target> to)
      : resolver_(name_lookup{}),
        target_(std::move(to)),
        caches_(std::make_shared<upstream_caches>(std::make_shared<dns_cache>(
            io_, resolver_, target_->url.host,
            dns_cache::times{std::chrono::seconds(30), span_exporter::send_time / 2}))),
        wake_(std::make_shared<wakeup>(io_)) {}

  [[nodiscard]] const std::string& authority() const noexcept { return target_->url.authority; }
  /// Posts \p body over a connection of its own. \return why the collector has not accepted it; empty if it
  /// has.
  std::string post(std::string body);
  /// Ends a post() that is running, and makes further ones fail. Thread-safe.
  void abort() {
    aborting_ = true;
    asio::post(io_, [this] { wake_->notify(); });
  }
  [[nodiscard]] bool aborting() const noexcept { return aborting_; }

 private:
  awaitable<std::string> exchange(std::string head, std::string body);

  asio::io_context io_{1};
  name_resolver resolver_;
  std::shared_ptr<upstream_target> target_;
  std::shared_ptr<upstream_caches> caches_;
  std::shared_ptr<wakeup> wake_;
  std::atomic<bool> aborting_{};
};

std::string collector::post(std::string body) {
  std::string head = "POST " + target_->url.base_path + "/v1/traces HTTP/1.1\r\nHost: " + authority() +
                     "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
                     std::to_string(body.size()) + "\r\n\r\n";
  std::string why = "an error inside the proxy";
  if (aborting_) return why;
  io_.restart();
  asio::co_spawn(io_, exchange(std::move(head), std::move(body)),
                 [&](const std::exception_ptr& error, std::string result) {
                   if (!error) why = std::move(result);
                   io_.stop();  // timers may still be pending
                 });
  try {
    io_.run();
  } catch (...) {  // an error of the connection, which is closed
    wake_->abandon();
  }
  return why;
}

awaitable<std::string> collector::exchange(std::string head, std::string body) {
  const auto deadline = clock::now() + span_exporter::send_time;
  const auto link = std::make_shared<upstream_link>(io_, target_, caches_);
  link->attach(wake_);
  link->connect();
  const auto connected = [&] { return link->outcome() || aborting_; };
  co_await wake_->until(connected, deadline);
  bool waiting = link->outcome() == failure::none && !aborting_;
  if (waiting) link->send(std::move(head), {.bytes = std::move(body), .counted = {}});
  std::string answer;
  const auto received = [&] { return link->received() || aborting_; };
  while (waiting && answer.find('\n') == std::string::npos && answer.size() < max_status_line_bytes) {
    link->receive();
    const bool in_time = co_await wake_->until(received, deadline);
    waiting = in_time && !aborting_;
    if (waiting) answer += link->take();
    if (link->error()) waiting = false;
  }
  std::string why = why_not_accepted(answer, *link);
  link->attach(nullptr);
  link->close();
  co_return why;
}

}  // namespace

struct span_exporter::impl {
  impl(std::shared_ptr<upstream_target> to, const std::string& instance, request_log& log_to)
      : log(log_to),
        envelope(make_envelope(instance)),
        to_collector(std::move(to)),
        thread([this] { run(); }) {}
  ~impl() { stop(); }
  impl(const impl&) = delete;
  impl& operator=(const impl&) = delete;

  void run();
  void stop();
  std::string send(const std::list<std::string>& spans);
  void report(const std::string& error);

  request_log& log;
  const std::pair<std::string, std::string> envelope;
  std::atomic<std::uint64_t> exported{};
  std::atomic<std::uint64_t> dropped{};

  std::mutex mutex;
  std::condition_variable changed;
  std::list<std::string> queue;
  bool stopping{};
  bool ended{};    ///< run() has returned
  bool failing{};  ///< the last batch was not accepted

  collector to_collector;
  std::thread thread;  ///< last: uses the other members
};

void span_exporter::impl::stop() {
  std::unique_lock lock(mutex);
  stopping = true;
  changed.notify_all();
  if (!changed.wait_for(lock, end_time, [&] { return ended; })) to_collector.abort();
  lock.unlock();
  thread.join();
}

void span_exporter::impl::run() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return stopping || !queue.empty(); });
    if (queue.empty()) break;
    changed.wait_for(lock, batch_time, [&] { return stopping || queue.size() >= max_batch; });
    const std::size_t count = std::min(queue.size(), max_batch);
    std::list<std::string> spans;
    spans.splice(spans.end(), queue, queue.begin(),
                 std::next(queue.begin(), static_cast<std::ptrdiff_t>(count)));
    lock.unlock();
    bool accepted = false;
    try {
      const std::string error = send(spans);
      accepted = error.empty();
      report(error);
      // NOLINTNEXTLINE(bugprone-empty-catch): without memory, the spans are only counted
    } catch (...) {
    }
    (accepted ? exported : dropped) += count;
    lock.lock();
  }
  ended = true;
  changed.notify_all();
}

void span_exporter::impl::report(const std::string& error) {
  if (std::exchange(failing, !error.empty()) == failing || to_collector.aborting()) return;
  const std::string to = " spans to " + to_collector.authority();
  if (failing) {
    log.message(log_level::warn, "cannot export" + to + ": " + error);
  } else {
    log.message(log_level::info, "exporting" + to + " again");
  }
}

/// Posts one batch. \return why the collector has not accepted it; empty if it has.
std::string span_exporter::impl::send(const std::list<std::string>& spans) {
  std::string body = envelope.first;
  for (const std::string& span : spans) {
    if (&span != &spans.front()) body += ',';
    body += span;
  }
  return to_collector.post(std::move(body.append(envelope.second)));
}

span_exporter::span_exporter(trace_options options, request_log& log)
    : options_(std::move(options)), log_(log) {}

span_exporter::~span_exporter() = default;

std::string span_exporter::start() {
  if (options_.endpoint.empty()) return {};
  upstream_options collector;
  collector.name = "otlp";
  collector.url = options_.endpoint;
  std::shared_ptr<upstream_target> target;
  const std::string why = make_upstream_target(collector, target);
  if (!why.empty()) return "otlp_endpoint: " + why;
  impl_ = std::make_unique<impl>(std::move(target), http::request_ids().make(), log_);
  return {};
}

std::unique_ptr<request_trace> span_exporter::begin(const http::fields& request,
                                                    http::request_ids& ids) const {
  auto out = std::make_unique<request_trace>();
  const std::string random = ids.make();
  out->span_id = random.substr(0, span_id_digits);
  if (read_trace_context(request, *out)) return out;
  out->trace_id = ids.make();
  // 53 bits are exact in a double.
  std::uint64_t bits = 0;
  static_cast<void>(std::from_chars(out->trace_id.data() + span_id_digits,
                                    out->trace_id.data() + trace_id_digits, bits, 16));
  out->sampled = static_cast<double>(bits >> 11U) < options_.sample_ratio * 9007199254740992.0;
  return out;
}

void span_exporter::add(const request_facts& of, request_facts::clock::duration took) {
  if (!impl_ || !of.trace || !of.trace->sampled) return;
  std::string span;
  append_span(of, took, span);
  const std::lock_guard lock(impl_->mutex);
  if (impl_->queue.size() >= max_queued) {
    ++impl_->dropped;
    return;
  }
  impl_->queue.push_back(std::move(span));
  const std::size_t size = impl_->queue.size();
  if (size == 1 || size == max_batch) impl_->changed.notify_all();
}

std::uint64_t span_exporter::exported() const noexcept {
  return impl_ ? impl_->exported.load() : 0;
}

std::uint64_t span_exporter::dropped() const noexcept {
  return impl_ ? impl_->dropped.load() : 0;
}

}  // namespace citestream
