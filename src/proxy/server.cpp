#include "server.hpp"

#include <atomic>
#include <latch>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include "admin.hpp"
#include "collect.hpp"
#include "connection.hpp"
#include "listener.hpp"
#include "metrics_text.hpp"
#include "server_tls.hpp"
#include "standing_options.hpp"

namespace citestream {
namespace {

/// After the drain time: to send the last words of what still runs.
constexpr std::chrono::milliseconds abort_time{1500};

using work_guard = asio::executor_work_guard<asio::io_context::executor_type>;

/// What a handler throws has ended its connection (transport::step), and ends nothing else.
void run(worker& home) {
  for (;;) {
    try {
      home.io.run();
      return;
    } catch (...) {
      home.tell_broken(std::current_exception());
    }
  }
}

/// A listener and the loop that it belongs to.
struct door {
  worker* home{};
  bool tls{};
  std::shared_ptr<listener> in;
};

}  // namespace

struct proxy_server::impl {
  explicit impl(proxy_options given)
      : options(std::move(given)), watch(options.log, options.record), resolver(options.lookup) {}

  std::string bind();
  void listen();
  void tell_all(bool aborting);
  void close_listeners();
  [[nodiscard]] std::uint16_t first_port(bool with_tls) const noexcept;
  std::string start_admin();
  void take_over(proxy_options now);
  admin_page page(std::string_view path);
  admin_page metrics();

  proxy_options options;
  proxy_counters counters;
  observer watch;
  std::vector<std::unique_ptr<worker>> workers;
  name_resolver resolver;  ///< closes before the workers' event loops end
  std::vector<work_guard> guards;
  std::vector<std::thread> threads;
  std::vector<bound_point> places;
  std::vector<door> listeners;
  listener::tls_context tls_for_clients;
  std::atomic<bool> draining{};
  std::optional<admin_server> admin;  ///< last: its thread asks for the others
};

std::string proxy_server::impl::bind() {
  std::vector<listen_point> points;
  std::string why = parse_listen_points(options.listen, false, points);
  if (why.empty()) why = parse_listen_points(options.tls_listen, true, points);
  if (!why.empty()) return "cannot listen on " + why;
  if (points.empty()) return "nothing to listen on";
  if (points.back().tls) why = make_server_tls(options.tls_cert, options.tls_key, tls_for_clients);
  if (!why.empty()) return why;
  std::vector<asio::io_context*> loops;
  loops.reserve(workers.size());
  for (auto& one : workers) loops.push_back(&one->io);
  for (const listen_point& point : points) {
    bound_point& bound = places.emplace_back();
    why = bind_point(point, options.unix_mode, loops, bound);
    if (!why.empty()) return why;
  }
  return {};
}

void proxy_server::impl::listen() {
  for (bound_point& place : places) {
    for (std::size_t i = 0; i < workers.size(); ++i) {
      auto tls = place.tls ? tls_for_clients : nullptr;
      auto one = std::make_shared<listener>(*workers[i], std::move(place.acceptors[i]), std::move(tls));
      one->start();
      listeners.push_back({workers[i].get(), place.tls, std::move(one)});
    }
    place.acceptors.clear();
  }
}

void proxy_server::impl::close_listeners() {
  const auto closed = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(listeners.size()));
  for (const door& one : listeners) {
    asio::post(one.home->io, [closing = one.in, closed] {
      closing->stop();
      closed->count_down();
    });
  }
  closed->wait();  // the next client is a successor's
  for (const bound_point& place : places) remove_path(place);
}

void proxy_server::impl::tell_all(bool aborting) {
  for (auto& one : workers) {
    asio::post(one->io, [&to = *one, aborting] {
      to.draining = true;
      to.aborting = to.aborting || aborting;
      to.pools.clear();
      for (connection* client : to.live) client->look_up();
    });
  }
}

proxy_server::proxy_server(proxy_options options) : impl_(std::make_unique<impl>(std::move(options))) {}

proxy_server::~proxy_server() {
  stop();
}

std::string proxy_server::start() {
  std::shared_ptr<const site> config;
  std::string why = make_site(impl_->options, config);
  if (!why.empty()) return why;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const unsigned count = impl_->options.threads == 0 ? cores : impl_->options.threads;
  for (unsigned i = 0; i < count; ++i) {
    impl_->workers.push_back(
        std::make_unique<worker>(config, impl_->counters, impl_->watch, impl_->resolver));
  }
  why = impl_->bind();
  if (!why.empty()) return why;
  if (why = impl_->watch.start(); !why.empty()) return why;
  if (why = impl_->start_admin(); !why.empty()) return why;
  impl_->listen();
  for (auto& one : impl_->workers) {
    impl_->guards.emplace_back(one->io.get_executor());
    impl_->threads.emplace_back([&home = *one] { run(home); });
  }
  return {};
}

std::uint16_t proxy_server::impl::first_port(bool with_tls) const noexcept {
  for (const bound_point& place : places) {
    if (place.tls == with_tls && place.port != 0) return place.port;
  }
  return 0;
}

std::string proxy_server::impl::start_admin() {
  if (options.admin.empty() || options.admin == "off") return {};
  admin.emplace([this](std::string_view path) { return page(path); });
  return admin->start(options.admin);
}

admin_page proxy_server::impl::page(std::string_view path) {
  constexpr const char* text = "text/plain; charset=utf-8";
  if (path == "/healthz") return {200, text, "ok\n"};
  if (path == "/readyz")
    return draining ? admin_page{503, text, "draining\n"} : admin_page{200, text, "ready\n"};
  return path == "/metrics" ? metrics() : admin_page{};
}

admin_page proxy_server::impl::metrics() {
  constexpr std::chrono::seconds patience{2};
  proxy_metrics all;
  if (!collect(workers, patience, all))
    return {503, "text/plain; charset=utf-8", "a worker does not answer\n"};
  shared_metrics shared;
  shared.connections = counters.connections;
  shared.requests_changed = counters.requests_changed;
  shared.requests_unread = counters.requests_unread;
  shared.clients_left = counters.clients_left;
  shared.unsent_max = counters.unsent_max;
  shared.log_lost = watch.log.lost();
  shared.recordings = watch.recordings.saved();
  shared.recordings_lost = watch.recordings.lost();
  shared.draining = draining;
  return {200, "text/plain; version=0.0.4; charset=utf-8", metrics_text(all, shared)};
}

std::string proxy_server::admin_address() const {
  return impl_->admin ? impl_->admin->address() : std::string{};
}

void proxy_server::reopen_log() noexcept {
  impl_->watch.log.reopen();
}

void proxy_server::say(log_level level, const std::string& message) {
  impl_->watch.log.say(level, message);
}

std::uint16_t proxy_server::port() const noexcept {
  return impl_->first_port(false);
}

std::uint16_t proxy_server::tls_port() const noexcept {
  return impl_->first_port(true);
}

std::vector<std::string> proxy_server::addresses() const {
  std::vector<std::string> out;
  for (const bound_point& place : impl_->places) out.push_back(place.url);
  return out;
}

void proxy_server::drain() {
  impl_->draining = true;
  if (impl_->threads.empty()) return;
  impl_->close_listeners();
  impl_->tell_all(false);
}

bool proxy_server::draining() const noexcept {
  return impl_->draining;
}

bool proxy_server::wait_until_idle(std::chrono::milliseconds at_most) {
  const auto deadline = clock::now() + at_most;
  while (impl_->counters.active.load() != 0) {
    if (clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

void proxy_server::stop(std::chrono::milliseconds drain_time) {
  if (impl_->threads.empty()) return;
  drain();
  if (!wait_until_idle(drain_time)) {
    impl_->tell_all(true);
    static_cast<void>(wait_until_idle(abort_time));
  }
  for (auto& one : impl_->workers) one->io.stop();
  for (std::thread& one : impl_->threads) one.join();
  impl_->threads.clear();
  impl_->admin.reset();
  impl_->guards.clear();
}

/// What can change while the proxy runs. The rest stays, and is said.
void proxy_server::impl::take_over(proxy_options now) {
  const bool log_changed = watch.log.change(now.log.level, now.log.format);
  const std::string waiting = keep_standing_options(options, log_changed, now);
  options = std::move(now);
  watch.log.say(log_level::info, "the configuration and the certificates were read again");
  if (!waiting.empty()) watch.log.say(log_level::warn, "not before the next start: " + waiting);
}

std::string proxy_server::reload() {
  return reload(impl_->options);
}

std::string proxy_server::reload(proxy_options options) {
  std::shared_ptr<const site> config;
  listener::tls_context tls;
  std::string why = make_site(options, config);
  if (why.empty() && impl_->tls_for_clients) why = make_server_tls(options.tls_cert, options.tls_key, tls);
  if (!why.empty()) return why;
  if (impl_->threads.empty()) return "the proxy does not run";
  impl_->take_over(std::move(options));
  impl_->tls_for_clients = tls;
  for (const door& one : impl_->listeners) {
    if (one.tls) asio::post(one.home->io, [at = one.in, tls] { at->renew(tls); });
  }
  // Shared: who counts last may still be busy with it when this function has returned.
  const auto taken = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(impl_->workers.size()));
  for (auto& one : impl_->workers) {
    asio::post(one->io, [&to = *one, taken, config] {
      to.config = config;
      to.pools.clear();
      taken->count_down();
    });
  }
  taken->wait();
  return {};
}

proxy_statistics proxy_server::statistics() const noexcept {
  const proxy_counters& from = impl_->counters;
  proxy_statistics out;
  out.connections = from.connections;
  out.active = from.active;
  out.answers = from.answers;
  out.requests = from.requests;
  out.requests_changed = from.requests_changed;
  out.requests_unread = from.requests_unread;
  out.refused = from.refused;
  out.streams = from.streams;
  out.bodies = from.bodies;
  out.bypassed = from.bypassed;
  out.upstream_errors = from.upstream_errors;
  out.clients_left = from.clients_left;
  out.upstream_connects = from.upstream_connects;
  out.unsent_max = from.unsent_max;
  return out;
}

}  // namespace citestream
