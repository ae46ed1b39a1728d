#include "metrics.hpp"

namespace citestream {
namespace {

template <class Array>
void add_each(Array& to, const Array& from) noexcept {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace

std::string model_names::row_of(const std::string& model) {
  if (model.empty()) return std::string(unknown);
  const std::lock_guard lock(mutex_);
  if (names_.contains(model)) return model;
  if (names_.size() == max_names) return std::string(other);
  names_.insert(model);
  return model;
}

void proxy_metrics::add_route(std::string_view route) {
  // Those that a working upstream and its failures cause. Others appear when they happen.
  for (const unsigned status : {200U, 502U, 503U, 504U}) requests.try_emplace({std::string(route), status});
  request_time.try_emplace(std::string(route));
  verdicts.try_emplace({std::string(route), std::string(model_names::unknown)});
}

void proxy_metrics::add_upstream(std::string_view upstream) {
  failed.try_emplace(std::string(upstream));
}

void proxy_metrics::add_common_rows() {
  requests.try_emplace({std::string(no_name), 404U});
  request_time.try_emplace(std::string(no_name));
  for (const char* reason : {"compressed", "option", "too_large"}) bypassed_by_reason.try_emplace(reason);
  for (const std::string_view model : {model_names::unknown, model_names::other}) {
    models.try_emplace(std::string(model));
  }
}

void proxy_metrics::count(const request_facts& of, request_facts::clock::duration duration,
                          model_names& names) {
  const std::string route(of.to.route.empty() ? no_name : of.to.route);
  ++requests[{route, of.status}];
  request_time[route].observe(duration);
  if (!of.rewriting.bypassed.empty()) ++bypassed_by_reason[std::string(of.rewriting.bypassed)];
  if (of.failed != failure::none) {
    const std::string_view upstream = of.to.upstream.empty() ? no_name : of.to.upstream;
    ++failed[std::string(upstream)][static_cast<std::size_t>(of.failed)];
  }
  count_running(of);
  const session_statistics& counts = of.rewriting.counts;
  events += counts.events;
  count_verdicts(of, names);
  const std::uint64_t cited = counts.resolved + counts.unresolved + counts.pending;
  if (cited == 0) return;
  by_status& row = models[names.row_of(of.rewriting.model)];
  row[static_cast<std::size_t>(citation_status::pending)] += counts.pending;
  row[static_cast<std::size_t>(citation_status::resolved)] += counts.resolved;
  row[static_cast<std::size_t>(citation_status::unresolved)] += counts.unresolved;
}

void proxy_metrics::count_verdicts(const request_facts& of, model_names& names) {
  const verdict_counts& counts = of.rewriting.counts.verdicts;
  if (counts == verdict_counts{}) return;
  const std::string_view route = of.to.route.empty() ? no_name : of.to.route;
  add_each(verdicts[{std::string(route), names.row_of(of.rewriting.model)}], counts);
}

void proxy_metrics::count_citations(const session& of) {
  for (std::size_t place = 0; place < of.choices(); ++place) {
    for (const citation& one : of.cites(place).all()) {
      const std::size_t type = one.type ? static_cast<std::size_t>(*one.type) : source_types - 1;
      ++citations[static_cast<std::size_t>(one.status)][type];
    }
  }
}

void proxy_metrics::count_running(const request_facts& of) {
  request_bytes += of.bytes.request;
  upstream_bytes += of.bytes.upstream;
  client_bytes += of.bytes.client;
  if (of.rewriting.running == nullptr) return;
  const session_statistics counts = of.rewriting.running->statistics();
  ++open_streams;
  events += counts.events;
  held_bytes += counts.held;
}

void proxy_metrics::add(const proxy_metrics& other) {
  for (const auto& [key, value] : other.requests) requests[key] += value;
  for (const auto& [key, value] : other.bypassed_by_reason) bypassed_by_reason[key] += value;
  for (const auto& [key, value] : other.models) add_each(models[key], value);
  for (const auto& [key, value] : other.verdicts) add_each(verdicts[key], value);
  for (std::size_t i = 0; i < statuses; ++i) add_each(citations[i], other.citations[i]);
  for (const auto& [key, value] : other.failed) add_each(failed[key], value);
  for (const auto& [key, value] : other.request_time) request_time[key].add(value);
  add_each(passed, other.passed);
  added_latency.add(other.added_latency);
  hold_time.add(other.hold_time);
  note_unsent(other.unsent_max);
  using m = proxy_metrics;
  for (const auto member : {&m::connections,
                            &m::refused_connections,
                            &m::refused_streams,
                            &m::refused_descriptors,
                            &m::refused_request_bytes,
                            &m::broken,
                            &m::accepted_requests,
                            &m::refused,
                            &m::requests_changed,
                            &m::requests_unread,
                            &m::clients_left,
                            &m::request_bytes,
                            &m::upstream_bytes,
                            &m::client_bytes,
                            &m::streams,
                            &m::bodies,
                            &m::bypassed,
                            &m::events,
                            &m::events_sent,
                            &m::events_dropped,
                            &m::upstream_connects,
                            &m::upstream_reused,
                            &m::upstream_errors,
                            &m::open_connections,
                            &m::open_streams,
                            &m::held_bytes,
                            &m::idle_upstream}) {
    this->*member += other.*member;
  }
}

std::string_view passed_reason(std::size_t error) noexcept {
  switch (static_cast<errc>(error)) {
    case errc::event_too_large:
      return "event_too_large";
    case errc::invalid_json:
      return "invalid_json";
    case errc::json_too_deep:
      return "json_too_deep";
    case errc::duplicate_key:
      return "duplicate_key";
    case errc::body_too_large:
      return "body_too_large";
    case errc::damaged_message:
      return "damaged_message";
    default:
      break;
  }
  return "unknown_form";
}

}  // namespace citestream
