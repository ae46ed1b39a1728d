// A snapshot is made of valid options in three steps: the option `upstream` becomes an entry of `upstreams`
// and a route, every upstream gets its TLS context, and the routes are sorted so that the first one that fits
// a request is the most specific one.
#include "config_snapshot.hpp"

#include <algorithm>
#include <utility>

#include "base/path_reader.hpp"
#include "proxy_options.hpp"
#include "tls.hpp"

namespace citestream {
namespace {

std::string prepare_tls(const upstream_options& from, asio::ssl::context& tls) {
  error_code error;
  tls.set_options(
      asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1,
      error);
  if (!error) tls.set_verify_mode(asio::ssl::verify_peer, error);
  if (error) return error.message();
  if (from.ca_file.empty()) {
    tls.set_default_verify_paths(error);
  } else {
    tls.load_verify_file(from.ca_file, error);
  }
  if (error)
    return (from.ca_file.empty() ? "the system's CA certificates" : "CA file '" + from.ca_file + "'") + ": " +
           error.message();
  tls_session_cache::enable(tls.native_handle());
  return from.cert_file.empty() ? std::string{} : use_certificate(tls, from.cert_file, from.key_file).what;
}

}  // namespace

std::string make_upstream_target(const upstream_options& from, std::shared_ptr<upstream_target>& out) {
  auto made = std::make_shared<upstream_target>();
  made->name = from.name;
  std::string why = http::parse_upstream_url(from.url, made->url);
  if (!why.empty()) return "upstream " + why;
  if (made->url.tls) why = prepare_tls(from, made->tls);
  if (why.empty()) out = std::move(made);
  return why;
}

response_facts facts_of(const http::response_head& response) noexcept {
  return {.status = static_cast<int>(response.status),
          .content_type = http::media_type(response.all),
          .content_encoding = http::is_encoded(response.all) ? "encoded" : ""};
}

namespace {

/// The name in a Host field, without its port (RFC 9110, 7.2).
std::string_view host_name(std::string_view host) noexcept {
  const std::size_t from = host.starts_with('[') ? std::min(host.find(']'), host.size()) : 0;
  return host.substr(0, host.find(':', from));
}

/// Turns the option `upstream` into an entry of `upstreams` and a route.
void complete(proxy_options& options) {
  add_default_route({}, options);
  if (options.upstream.url.empty()) return;
  options.upstream.name = default_upstream;
  options.upstreams.push_back(options.upstream);
}

std::string add_upstreams(const proxy_options& options, config_snapshot& out) {
  for (const upstream_options& one : options.upstreams) {
    const auto same = [&](const auto& other) { return other->name == one.name; };
    if (std::ranges::any_of(out.upstreams, same)) return "there are two upstreams named '" + one.name + "'";
    std::shared_ptr<upstream_target> made;
    std::string why = make_upstream_target(one, made);
    if (!why.empty()) return why;
    out.upstreams.push_back(std::move(made));
  }
  return out.upstreams.empty() ? "no upstream is configured" : "";
}

std::string add_route(const route_options& one, config_snapshot& out) {
  const std::string shown = "the route '" + one.host + one.path + "'";
  if (!one.path.starts_with('/')) return shown + " has a path that does not start with /";
  const auto named = [&](const auto& other) { return other->name == one.upstream; };
  const auto found = std::ranges::find_if(out.upstreams, named);
  if (found == out.upstreams.end()) return shown + " refers to an unknown upstream '" + one.upstream + "'";
  const auto same = [&](const configured_route& other) {
    return match_the_same_requests(other.options, one);
  };
  if (std::ranges::any_of(out.routes, same)) return shown + " is defined twice";
  out.routes.push_back({one, *found});
  route_options& made = out.routes.back().options;
  if (made.name.empty()) made.name = made.host + made.path;
  return {};
}

}  // namespace

std::string configured_route::forwarded_target(const http::request_head& request) const {
  if (!options.strip_prefix) return std::string(request.target);
  const std::string_view rest = after_path(request.target, options.path).value_or(request.target);
  return rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
}

bool configured_route::rewrites_json_of(std::string_view target) const noexcept {
  const auto holds = [&](const std::string& path) { return is_below(target, path); };
  return std::ranges::any_of(options.json_paths, holds);
}

const configured_route* config_snapshot::find(const http::request_head& request) const noexcept {
  const http::field* field = http::find(request.all, "host");
  const std::string_view host = field == nullptr ? std::string_view{} : host_name(field->value);
  const auto fits = [&](const configured_route& one) {
    return is_below(request.target, one.options.path) &&
           (one.options.host.empty() || http::same_name(one.options.host, host));
  };
  const auto found = std::ranges::find_if(routes, fits);
  return found == routes.end() ? nullptr : &*found;
}

bool config_snapshot::has(const upstream_target& one) const noexcept {
  return std::ranges::any_of(upstreams, [&](const auto& other) { return other.get() == &one; });
}

std::string make_config_snapshot(proxy_options options, std::shared_ptr<const config_snapshot>& out) {
  complete(options);
  auto made = std::make_shared<config_snapshot>();
  if (std::string why = add_upstreams(options, *made); !why.empty()) return why;
  if (options.routes.empty()) return "there are several upstreams but no routes";
  for (const route_options& one : options.routes) {
    if (std::string why = add_route(one, *made); !why.empty()) return why;
  }
  // Longer paths first; of equal paths, the one with a host first.
  std::ranges::sort(made->routes, [](const configured_route& a, const configured_route& b) {
    const auto weight = [](const configured_route& one) {
      const std::string path = path_of(one.options.path);
      return std::pair(path.size() - (path.ends_with('/') ? 1 : 0), !one.options.host.empty());
    };
    return weight(a) > weight(b);
  });
  made->options = std::move(options);
  out = std::move(made);
  return {};
}

}  // namespace citestream
