#include "worker.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include "client_connection.hpp"
#include "log_line.hpp"

namespace citestream {
namespace {

log_level level_of(const request_facts& of) noexcept {
  const bool is_error = of.failed != failure::none && of.failed != failure::client_disconnected;
  return is_error || of.status >= 500 ? log_level::warn : log_level::info;
}

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "unknown";
  }
}

std::shared_ptr<upstream_caches> new_caches(worker& owner, const upstream_target& to) {
  // Half of the time to connect is left for an old address if the name server does not answer.
  const proxy_options& options = owner.config->options;
  const dns_cache::times times{options.pool.names, options.deadlines.connect / 2};
  auto names = std::make_shared<dns_cache>(owner.io, owner.shared.resolver, to.url.host, times);
  return std::make_shared<upstream_caches>(std::move(names));
}

}  // namespace

std::string& buffer_pair::clear(std::unique_ptr<std::string>& one) {
  if (!one || one->capacity() > max_kept_bytes) one = std::make_unique<std::string>();
  one->clear();
  return *one;
}

std::string telemetry::start() {
  std::string error = log.start();
  if (error.empty()) error = recordings.start();
  return error.empty() ? spans.start() : error;
}

void telemetry::report(const request_facts& of, const std::string& client, proxy_metrics& metrics) {
  const auto duration = request_facts::clock::now() - of.began;
  metrics.count(of, duration, models);
  if (of.trace) spans.add(of, duration);
  const log_level level = level_of(of);
  if (!log.wants(level)) return;
  constexpr std::size_t usual_line_bytes = 512;
  std::string line;
  line.reserve(usual_line_bytes);
  append_request_line(log.format(), level, std::chrono::system_clock::now(), of, client, duration, line);
  log.write(level, line);
}

worker::~worker() {
  pools.clear();
  // Coroutines that still wait own their connections.
  const std::vector<client_connection*> left(clients.begin(), clients.end());
  for (client_connection* one : left) one->abandon();
}

void worker::report_broken(const std::exception_ptr& error) noexcept {
  ++metrics.connections.broken;
  try {
    shared.reports.log.complain(
        shared.reports.broken_connections, log_level::error, [&](const std::string& since) {
          return "an error inside the proxy ended a connection: " + message_of(error) + " (" + since + ")";
        });
    // NOLINTNEXTLINE(bugprone-empty-catch): the error is counted
  } catch (...) {
  }
}

upstream_pool* worker::pool_of(const upstream_target& to) {
  if (!config->has(to)) return nullptr;
  const auto known = pools.find(&to);
  if (known != pools.end()) return &known->second;
  return &pools.try_emplace(&to, io, config->options.pool, new_caches(*this, to)).first->second;
}

std::shared_ptr<upstream_caches> worker::caches_of(const upstream_target& to) {
  upstream_pool* const pool = pool_of(to);
  return pool == nullptr ? new_caches(*this, to) : pool->caches();
}

proxy_metrics worker::current_metrics() const {
  proxy_metrics out = metrics;
  for (const client_connection* client : clients) out.count_running(client->facts());
  for (const auto& [to, pool] : pools) out.now.idle_connections += pool.size();
  return out;
}

void worker::add_configured_rows(proxy_metrics& out) const {
  out.add_common_rows();
  for (const configured_route& one : config->routes) out.add_route(one.options.name);
  for (const auto& one : config->upstreams) out.add_upstream(one->name);
}

}  // namespace citestream
