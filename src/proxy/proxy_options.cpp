#include "proxy_options.hpp"

#include <citestream/session/rewrite_mode.hpp>

#include <algorithm>
#include <utility>

#include "base/enum_text.hpp"
#include "http/fields.hpp"

namespace citestream {

namespace {

constexpr std::string_view level_names[] = {"off", "error", "warn", "info"};
constexpr std::string_view format_names[] = {"text", "json"};

}  // namespace

std::string_view name(log_level level) noexcept {
  return enum_text<log_level::info>(level_names, level);
}

std::string_view name(log_format format) noexcept {
  return enum_text<log_format::json>(format_names, format);
}

void add_default_route(route_options base, proxy_options& to) {
  const auto takes_all = [](const route_options& one) { return one.path == "/" && one.host.empty(); };
  if (std::ranges::any_of(to.routes, takes_all)) return;
  if (!to.upstream.url.empty()) {
    base.upstream = default_upstream;
  } else if (to.upstreams.size() == 1 && to.routes.empty()) {
    base.upstream = to.upstreams.front().name;
  } else {
    return;
  }
  to.routes.push_back(std::move(base));
}

bool match_the_same_requests(const route_options& a, const route_options& b) {
  return is_below(a.path, b.path) && is_below(b.path, a.path) && http::same_name(a.host, b.host);
}

std::string keep_restart_only_options(const proxy_options& current, bool log_changed, proxy_options& next) {
  std::string changed;
  const auto keep = [&](const char* name, const auto& now, auto& then) {
    if (then == now) return;
    changed.append(changed.empty() ? "" : ", ").append(name);
    then = now;
  };
  keep("listen", current.listen.addresses, next.listen.addresses);
  keep("tls_listen", current.listen.tls_addresses, next.listen.tls_addresses);
  keep("unix_mode", current.listen.unix_mode, next.listen.unix_mode);
  keep("threads", current.threads, next.threads);
  keep("admin", current.admin, next.admin);
  if (!log_changed) keep("log_level", current.log.level, next.log.level);
  keep("log_file", current.log.file, next.log.file);
  keep("otlp_endpoint", current.trace.endpoint, next.trace.endpoint);
  keep("trace_sample_ratio", current.trace.sample_ratio, next.trace.sample_ratio);
  keep("record", current.record.directory, next.record.directory);
  keep("record_max_files", current.record.max_files, next.record.max_files);
  keep("record_max_bytes", current.record.max_bytes, next.record.max_bytes);
  keep("record_max_stream_bytes", current.record.max_stream_bytes, next.record.max_stream_bytes);
  return changed;
}

}  // namespace citestream
