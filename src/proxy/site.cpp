#include "site.hpp"

#include <algorithm>
#include <utility>

#include "route_rules.hpp"

namespace citestream {
namespace {

/// The name in a Host field, without its port (RFC 9110, 7.2).
std::string_view host_name(std::string_view host) noexcept {
  const std::size_t from = host.starts_with('[') ? std::min(host.find(']'), host.size()) : 0;
  return host.substr(0, host.find(':', from));
}

/// The single upstream and its route are written out.
void complete(proxy_options& options) {
  route_options all;
  all.session = options.session;
  all.requests = options.requests;
  add_default_route(std::move(all), options);
  if (options.upstream.empty()) return;
  upstream_options& one = options.upstreams.emplace_back();
  one.name = default_upstream;
  one.url = options.upstream;
  one.ca_file = options.upstream_ca;
  one.cert_file = options.upstream_cert;
  one.key_file = options.upstream_key;
}

std::string add_upstreams(const proxy_options& options, site& out) {
  for (const upstream_options& one : options.upstreams) {
    const auto same = [&](const auto& other) { return other->name == one.name; };
    if (std::ranges::any_of(out.upstreams, same)) return "two upstreams are named '" + one.name + "'";
    std::shared_ptr<upstream_target> made;
    std::string why = make_upstream_target(one, made);
    if (!why.empty()) return why;
    out.upstreams.push_back(std::move(made));
  }
  return out.upstreams.empty() ? "no upstream is given" : "";
}

std::string add_route(const route_options& one, site& out) {
  const std::string shown = "the route '" + one.host + one.path + "'";
  if (!one.path.starts_with('/')) return shown + " has a path that does not begin with /";
  const auto named = [&](const auto& other) { return other->name == one.upstream; };
  const auto found = std::ranges::find_if(out.upstreams, named);
  if (found == out.upstreams.end()) return shown + " leads to an unknown upstream '" + one.upstream + "'";
  const auto same = [&](const route& other) { return takes_the_same(other.options, one); };
  if (std::ranges::any_of(out.routes, same)) return shown + " is there twice";
  out.routes.push_back({one, *found});
  route_options& made = out.routes.back().options;
  if (made.name.empty()) made.name = made.host + made.path;
  return {};
}

}  // namespace

std::string route::upstream_target_of(std::string_view target) const {
  std::string_view prefix = options.strip_prefix ? std::string_view(options.path) : std::string_view{};
  if (prefix.ends_with('/')) prefix.remove_suffix(1);
  const std::string_view rest = target.substr(prefix.size());
  return rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
}

bool route::rewrites_json_of(std::string_view target) const noexcept {
  const auto holds = [&](const std::string& path) { return is_below(target, path); };
  return std::ranges::any_of(options.json_paths, holds);
}

const route* site::find(const http::request_head& request) const noexcept {
  const http::field* field = http::find(request.all, "host");
  const std::string_view host = field == nullptr ? std::string_view{} : host_name(field->value);
  const auto fits = [&](const route& one) {
    return is_below(request.target, one.options.path) &&
           (one.options.host.empty() || http::same_name(one.options.host, host));
  };
  const auto found = std::ranges::find_if(routes, fits);
  return found == routes.end() ? nullptr : &*found;
}

bool site::has(const upstream_target& one) const noexcept {
  return std::ranges::any_of(upstreams, [&](const auto& other) { return other.get() == &one; });
}

std::string make_site(proxy_options options, std::shared_ptr<const site>& out) {
  complete(options);
  auto made = std::make_shared<site>();
  if (std::string why = add_upstreams(options, *made); !why.empty()) return why;
  if (options.routes.empty()) return "several upstreams are given and no route to them";
  for (const route_options& one : options.routes) {
    if (std::string why = add_route(one, *made); !why.empty()) return why;
  }
  // The longest path wins; of two equal ones the one for a host.
  std::ranges::sort(made->routes, [](const route& a, const route& b) {
    const auto weight = [](const route& one) {
      return std::pair(one.options.path.size() - (one.options.path.ends_with('/') ? 1 : 0),
                       !one.options.host.empty());
    };
    return weight(a) > weight(b);
  });
  made->options = std::move(options);
  out = std::move(made);
  return {};
}

}  // namespace citestream
