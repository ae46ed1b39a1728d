// One worker for each core: a thread, an event loop, and a listening socket for each address. Workers share
// nothing that changes, except a few atomic counters for limits. The server talks to them by posting
// functions to their loops: to drain, to abort, to replace the configuration, to copy their metrics.
//
// stop() closes the listeners, tells the workers to drain, waits for running responses up to the drain time,
// aborts the rest so that clients see an error and not a clean end, and then stops the loops.

#include "proxy_server.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <future>
#include <latch>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include "admin.hpp"
#include "client_connection.hpp"
#include "listener.hpp"
#include "metrics.hpp"
#include "own_addresses.hpp"
#include "process_usage.hpp"
#include "tls.hpp"

namespace citestream {
namespace {

using worker_list = std::vector<std::unique_ptr<worker>>;

/// The metrics of the workers that have answered.
struct collected_metrics {
  std::mutex mutex;
  std::size_t missing{};
  proxy_metrics sum;
};

/// Asks each worker's thread for its metrics. The last one calls \p done with the sum.
void collect(const worker_list& from, const std::function<void(proxy_metrics)>& done) {
  const auto all = std::make_shared<collected_metrics>();
  all->missing = from.size();
  for (const auto& one : from) {
    asio::post(one->io, [all, done, &of = *one] {
      const proxy_metrics copy = of.current_metrics();
      const std::lock_guard lock(all->mutex);
      all->sum.add(copy);
      if (--all->missing > 0) return;
      of.add_configured_rows(all->sum);
      done(std::move(all->sum));
    });
  }
}

/// Time to send the final error of running responses after the drain time.
constexpr std::chrono::milliseconds abort_time{1500};

/// A busy machine may keep a worker from running for long.
constexpr std::chrono::minutes max_metrics_time{1};

/// A collection of the metrics and the requests that wait for it. Used by the thread of the admin listener
/// only.
struct metrics_collection {
  /// Later requests begin another one, because an exception in a worker may have ended this one.
  clock::time_point deadline{clock::now() + std::chrono::seconds(2)};
  std::vector<admin_server::page_answer> waiting;
};

/// An exception in a handler has ended its connection (transport::step). The loop continues.
void run(worker& owner) {
  for (;;) {
    try {
      owner.io.run();
      return;
    } catch (...) {
      owner.report_broken(std::current_exception());
    }
  }
}

/// Returns an empty string, or one line about the first address that cannot be used.
std::string describe_conflict(const proxy_options& options) {
  const std::vector<address_conflict> all = find_address_conflicts(options);
  if (all.empty()) return {};
  const address_conflict& first = all.front();
  return (first.upstream.empty() ? "" : "upstreams." + first.upstream + ".") + first.option + ": " +
         first.what;
}

/// The thread of a worker. Its loop runs until it is stopped, also while there is nothing to do.
struct worker_thread {
  explicit worker_thread(worker& owner) : guard(owner.io.get_executor()), thread([&owner] { run(owner); }) {}

  asio::executor_work_guard<asio::io_context::executor_type> guard;
  std::thread thread;
};

/// The listening sockets: one for each address and worker.
struct listening_sockets {
  [[nodiscard]] std::string bind(const listen_options& to, const worker_list& workers);
  void start(const worker_list& workers);
  /// Returns when new clients connect to the next process.
  void close();
  /// Uses \p next for new connections.
  void renew(const listener::tls_context& next);
  /// Returns the addresses in the form of `listen`, with the ports that were found for port 0.
  [[nodiscard]] std::string addresses(bool with_tls) const;

  std::vector<bound_address> places;
  std::vector<std::shared_ptr<listener>> listeners;
  listener::tls_context tls;
};

std::string listening_sockets::bind(const listen_options& to, const worker_list& workers) {
  std::vector<listen_address> points;
  std::string why = parse_listen_addresses(to.addresses, false, points);
  if (why.empty()) why = parse_listen_addresses(to.tls_addresses, true, points);
  if (!why.empty()) return "cannot listen on " + why;
  if (points.empty()) return "nothing to listen on";
  if (points.back().tls) why = make_server_tls(to.cert_file, to.key_file, tls);
  if (!why.empty()) return why;
  std::vector<asio::io_context*> loops;
  loops.reserve(workers.size());
  for (const auto& one : workers) loops.push_back(&one->io);
  for (const listen_address& point : points) {
    why = bind_address(point, to.unix_mode, loops, places.emplace_back());
    if (!why.empty()) return why;
  }
  return {};
}

void listening_sockets::start(const worker_list& workers) {
  for (bound_address& place : places) {
    for (std::size_t i = 0; i < workers.size(); ++i) {
      auto one =
          std::make_shared<listener>(*workers[i], std::move(place.acceptors[i]), place.tls ? tls : nullptr);
      one->start();
      listeners.push_back(std::move(one));
    }
    place.acceptors.clear();
  }
}

void listening_sockets::close() {
  const auto closed = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(listeners.size()));
  for (const auto& one : listeners) {
    asio::post(one->loop(), [one, closed] {
      one->stop();
      closed->count_down();
    });
  }
  closed->wait();
  for (const bound_address& place : places) remove_path(place);
}

void listening_sockets::renew(const listener::tls_context& next) {
  tls = next;
  for (const auto& one : listeners) asio::post(one->loop(), [one, next] { one->renew(next); });
}

std::string listening_sockets::addresses(bool with_tls) const {
  std::string out;
  for (const bound_address& place : places) {
    if (place.tls != with_tls) continue;
    const std::size_t scheme = place.url.find("//");
    out += out.empty() ? "" : ",";
    out += scheme == std::string::npos ? place.url : place.url.substr(scheme + 2);
  }
  return out;
}

/// The result of the last start or reload: see \ref proxy_state.
struct reload_state {
  std::atomic<bool> failed{};
  std::atomic<double> config_time{};
};

}  // namespace

struct proxy_server::impl {
  explicit impl(proxy_options given) : options(std::move(given)), shared(options) {}
  ~impl() { shared.resolver.close(); }
  impl(const impl&) = delete;
  impl& operator=(const impl&) = delete;

  void notify_workers(stopping stage);
  void stop_workers();
  std::string start_admin();
  void log_shared();
  reload_result replace(proxy_options next);
  void reloaded(bool successful) noexcept;
  void page(std::string_view path, const admin_server::page_answer& answer);
  void collect_metrics();
  [[nodiscard]] proxy_state state() const;

  proxy_options options;
  shared_by_workers shared;
  worker_list workers;
  std::vector<worker_thread> threads;
  listening_sockets sockets;
  std::atomic<bool> draining{};
  reload_state last_reload;
  const double process_start{process_start_seconds()};
  std::shared_ptr<metrics_collection> collection;  ///< the last one that has begun
  std::optional<admin_server> admin;               ///< last: its thread uses the other members
};

void proxy_server::impl::notify_workers(stopping stage) {
  for (auto& one : workers) {
    asio::post(one->io, [&to = *one, stage] {
      to.stage = std::max(to.stage, stage);
      to.pools.clear();
      for (client_connection* client : to.clients) client->wake();
    });
  }
}

proxy_server::proxy_server(proxy_options options) : impl_(std::make_unique<impl>(std::move(options))) {}

proxy_server::~proxy_server() {
  stop();
}

std::string proxy_server::start() {
  std::shared_ptr<const config_snapshot> config;
  std::string why = make_config_snapshot(impl_->options, config);
  if (why.empty()) why = describe_conflict(impl_->options);
  if (!why.empty()) return why;
  const std::size_t count = impl_->options.threads == 0 ? usable_cpus() : impl_->options.threads;
  for (std::size_t i = 0; i < count; ++i)
    impl_->workers.push_back(std::make_unique<worker>(config, impl_->shared));
  why = impl_->sockets.bind(impl_->options.listen, impl_->workers);
  if (!why.empty()) return why;
  if (why = impl_->shared.reports.start(); !why.empty()) return why;
  if (why = impl_->start_admin(); !why.empty()) return why;
  impl_->log_shared();
  impl_->reloaded(true);
  impl_->sockets.start(impl_->workers);
  try {
    for (auto& one : impl_->workers) impl_->threads.emplace_back(*one);
  } catch (const std::system_error& error) {
    impl_->stop_workers();
    why = "cannot start " + std::to_string(count) + " threads: " + error.code().message();
  }
  return why;
}

std::string proxy_server::impl::start_admin() {
  if (options.admin.empty()) return {};
  admin.emplace([this](std::string_view path, const auto& answer) { page(path, answer); });
  return admin->start(options.admin);
}

/// Logs which ports are shared with another process. During an upgrade that is intended; otherwise it is a
/// mistake that the operator cannot see elsewhere.
void proxy_server::impl::log_shared() {
  const auto log = [this](const std::string& address) {
    shared.reports.log.message(log_level::warn,
                               "another process is listening on " + address + "; connections are shared");
  };
  for (const bound_address& place : sockets.places) {
    if (place.shared) log(place.url);
  }
  if (admin && admin->shared()) log(admin->address() + " (admin)");
}

void proxy_server::impl::page(std::string_view path, const admin_server::page_answer& answer) {
  const admin_page none;
  if (path == "/healthz") return answer({200, none.type, "ok\n"});
  if (path == "/readyz")
    return answer(draining ? admin_page{503, none.type, "draining\n"}
                           : admin_page{200, none.type, "ready\n"});
  if (path != "/metrics") return answer(none);
  if (!collection || clock::now() >= collection->deadline) collect_metrics();
  collection->waiting.push_back(answer);
}

void proxy_server::impl::collect_metrics() {
  const auto begun = collection = std::make_shared<metrics_collection>();
  collect(workers, [this, begun](proxy_metrics all) {
    admin->post([this, begun, sum = std::move(all)] {
      if (collection == begun) collection.reset();
      const admin_page page{200, "text/plain; version=0.0.4; charset=utf-8", metrics_text(sum, state())};
      for (const admin_server::page_answer& answer : begun->waiting) answer(page);
    });
  });
}

proxy_state proxy_server::impl::state() const {
  const telemetry& reports = shared.reports;
  proxy_state out{.telemetry = {.log_lines_lost = reports.log.lost(),
                                .spans_exported = reports.spans.exported(),
                                .spans_dropped = reports.spans.dropped(),
                                .recordings = reports.recordings.saved(),
                                .recordings_lost = reports.recordings.lost()},
                  .process = read_process_usage(),
                  .open_connections = shared.open.connections,
                  .draining = draining,
                  .reload_failed = last_reload.failed,
                  .config_time = last_reload.config_time};

  out.process.start_time_seconds = process_start;
  return out;
}

std::string proxy_server::admin_address() const {
  return impl_->admin ? impl_->admin->address() : std::string{};
}

void proxy_server::reopen_log() noexcept {
  impl_->shared.reports.log.reopen();
}

const proxy_options& proxy_server::options() const noexcept {
  return impl_->options;
}

void proxy_server::log(log_level level, const std::string& message) {
  impl_->shared.reports.log.message(level, message);
}

std::uint16_t proxy_server::port() const noexcept {
  for (const bound_address& place : impl_->sockets.places) {
    if (!place.tls && place.port != 0) return place.port;
  }
  return 0;
}

std::vector<std::string> proxy_server::addresses() const {
  std::vector<std::string> out;
  for (const bound_address& place : impl_->sockets.places) out.push_back(place.url);
  return out;
}

void proxy_server::drain() {
  impl_->draining = true;
  if (impl_->threads.empty()) return;
  impl_->sockets.close();
  impl_->notify_workers(stopping::draining);
}

bool proxy_server::wait_until_idle(std::chrono::milliseconds at_most) {
  const auto deadline = clock::now() + at_most;
  const open_counts& open = impl_->shared.open;
  while (open.connections.load() + open.refused.load() != 0) {
    if (clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

void proxy_server::stop(std::chrono::milliseconds drain_time) {
  if (impl_->threads.empty()) return;
  drain();
  if (!wait_until_idle(drain_time)) {
    impl_->notify_workers(stopping::aborting);
    static_cast<void>(wait_until_idle(abort_time));
  }
  impl_->stop_workers();
  impl_->admin.reset();
}

void proxy_server::impl::stop_workers() {
  for (auto& one : workers) one->io.stop();
  for (worker_thread& one : threads) one.thread.join();
  threads.clear();
}

reload_result proxy_server::reload(proxy_options options) {
  reload_result result = impl_->replace(std::move(options));
  impl_->reloaded(result.error.empty());
  return result;
}

void proxy_server::note_failed_reload() noexcept {
  impl_->reloaded(false);
}

void proxy_server::impl::reloaded(bool successful) noexcept {
  last_reload.failed = !successful;
  if (successful)
    last_reload.config_time =
        std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

reload_result proxy_server::impl::replace(proxy_options next) {
  std::shared_ptr<const config_snapshot> config;
  listener::tls_context new_tls = sockets.tls;
  std::string why = make_config_snapshot(next, config);
  // Until a restart, the TLS addresses stay open with the certificate that they had.
  const bool keeps_tls = next.listen.tls_addresses.empty() && next.listen.cert_file.empty();
  if (why.empty() && sockets.tls && !keeps_tls)
    why = make_server_tls(next.listen.cert_file, next.listen.key_file, new_tls);
  if (!why.empty()) return {why, {}};
  if (threads.empty()) return {"the proxy is not running", {}};
  proxy_options merged = next;  // the addresses cannot change
  merged.listen.addresses = sockets.addresses(false);
  merged.listen.tls_addresses = sockets.addresses(true);
  merged.admin = admin ? admin->address() : std::string{};
  if (why = describe_conflict(merged); !why.empty()) return {why, {}};
  const bool log_changed = shared.reports.log.change(next.log.level, next.log.format);
  std::string waiting = keep_restart_only_options(options, log_changed, next);
  options = std::move(next);
  sockets.renew(new_tls);
  // Shared, because the last worker may still use it when this function has returned.
  const auto taken = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(workers.size()));
  for (auto& one : workers) {
    asio::post(one->io, [&to = *one, taken, config] {
      to.config = config;
      to.pools.clear();
      taken->count_down();
    });
  }
  taken->wait();
  return {{}, std::move(waiting)};
}

proxy_metrics proxy_server::metrics() const {
  proxy_metrics out;
  if (impl_->threads.empty()) {
    for (const auto& one : impl_->workers) {
      out.add(one->current_metrics());
      one->add_configured_rows(out);
    }
    return out;
  }
  // Shared, because a worker may answer after the wait has ended.
  const auto sum = std::make_shared<std::promise<proxy_metrics>>();
  collect(impl_->workers, [sum](proxy_metrics all) { sum->set_value(std::move(all)); });
  std::future<proxy_metrics> result = sum->get_future();
  if (result.wait_for(max_metrics_time) == std::future_status::ready) out = result.get();
  return out;
}

proxy_state proxy_server::state() const {
  return impl_->state();
}

}  // namespace citestream
