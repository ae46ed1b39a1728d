// How metrics are counted and printed.
//
// Each worker counts into a proxy_metrics of its own. A request for `/metrics` copies and adds those of all
// workers, fills the families of prometheus-cpp with the sums, and prints them. Rows that a working
// installation would show exist from the start with 0, so that rates can be computed from the first failure.
// Models are named by responses, so their number is limited (model_names).
#include "metrics.hpp"

#include <citestream/base/version.hpp>

#include <algorithm>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>
#include <vector>

#include <boost/pfr/core.hpp>

namespace citestream {
namespace {

/// Adds numbers, the elements of an array or a map, or the members of a struct.
template <class Value>
void add_each(Value& to, const Value& from) {
  if constexpr (requires { to += from; }) {
    to += from;
  } else if constexpr (requires { typename Value::mapped_type; }) {
    for (const auto& [key, value] : from) add_each(to[key], value);
  } else if constexpr (requires { to.size(); }) {
    for (std::size_t i = 0; i < to.size(); ++i) add_each(to[i], from[i]);
  } else {
    boost::pfr::for_each_field(to,
                               [&](auto& one, auto place) { add_each(one, boost::pfr::get<place>(from)); });
  }
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
  // Rows from the start, so that a rate can be computed at the first error. Other statuses appear later.
  for (const unsigned status : {200U, 502U, 503U, 504U})
    ended.counts.try_emplace({std::string(route), status});
  ended.times.try_emplace(std::string(route));
  answers.verdicts.try_emplace({std::string(route), std::string(model_names::unknown)});
}

void proxy_metrics::add_upstream(std::string_view upstream) {
  ended.failed.try_emplace(std::string(upstream));
}

void proxy_metrics::add_common_rows() {
  ended.counts.try_emplace({std::string(no_name), 404U});
  ended.times.try_emplace(std::string(no_name));
  for (const std::string_view model : {model_names::unknown, model_names::other}) {
    answers.models.try_emplace(std::string(model));
  }
}

void proxy_metrics::count(const request_facts& of, request_facts::clock::duration duration,
                          model_names& names) {
  const std::string route(of.requested.route.empty() ? no_name : of.requested.route);
  ++ended.counts[{route, of.status}];
  ended.times[route].observe(duration);
  ++answers.bypassed[static_cast<std::size_t>(of.rewriting.bypassed)];
  if (of.failed != failure::none) {
    const std::string_view upstream = of.requested.upstream.empty() ? no_name : of.requested.upstream;
    ++ended.failed[std::string(upstream)][static_cast<std::size_t>(of.failed)];
  }
  if (is_of_client(of.failed)) ++requests.clients_left;
  add_each(bytes, of.bytes);
  const session_statistics& counts = of.rewriting.counts;
  events.received += counts.events;
  if (counts.verdicts != verdict_counts{})
    add_each(answers.verdicts[{route, names.row_of(of.rewriting.model)}], counts.verdicts);
  const std::uint64_t cited = counts.resolved + counts.unresolved + counts.pending;
  if (cited == 0) return;
  answer_counts::by_status& row = answers.models[names.row_of(of.rewriting.model)];
  row[static_cast<std::size_t>(citation_status::pending)] += counts.pending;
  row[static_cast<std::size_t>(citation_status::resolved)] += counts.resolved;
  row[static_cast<std::size_t>(citation_status::unresolved)] += counts.unresolved;
}

void proxy_metrics::count_passed(errc why, std::uint64_t count) noexcept {
  const auto* const row = std::ranges::find(passed_reasons, why, &passed_reason::error);
  answers.passed[row == passed_reasons.end() ? 0 : static_cast<std::size_t>(row - passed_reasons.begin())] +=
      count;
}

void proxy_metrics::count_citations(const session& of) {
  for (std::size_t place = 0; place < of.choices(); ++place) {
    const auto& cites = of.cites(place);
    for (std::size_t i = 0; i < cites.count(); ++i) {
      const citation& one = cites.at(i);
      const std::size_t type =
          one.type ? static_cast<std::size_t>(*one.type) : answer_counts::source_types - 1;
      ++answers.citations[static_cast<std::size_t>(one.origin)][static_cast<std::size_t>(one.status)][type];
    }
  }
}

void proxy_metrics::count_running(const request_facts& of) {
  add_each(bytes, of.bytes);
  if (of.rewriting.running == nullptr) return;
  const session_statistics counts = of.rewriting.running->statistics();
  ++now.open_streams;
  events.received += counts.events;
  now.held_bytes += counts.held;
}

void proxy_metrics::add(const proxy_metrics& other) {
  const std::uint64_t unsent = std::max(unsent_max, other.unsent_max);
  add_each(*this, other);
  unsent_max = unsent;
}

// The page: names and help texts of all metrics, in its order. Prometheus' library writes the format.
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using labels = std::vector<ClientMetric::Label>;

class exposition {
 public:
  void family(std::string name, std::string help, MetricType type) {
    all_.push_back({"citestream_" + std::move(name), std::move(help), type, {}});
  }
  /// A family whose name is the same for all programs.
  void standard_family(std::string name, std::string help, MetricType type, double number) {
    all_.push_back({std::move(name), std::move(help), type, {}});
    value({}, number);
  }
  template <class Number>
  void value(labels with, Number count) {
    ClientMetric one;
    one.label = std::move(with);
    one.counter.value = one.gauge.value = static_cast<double>(count);
    all_.back().metric.push_back(std::move(one));
  }
  void counter(std::string name, std::string help, std::uint64_t count) {
    family(std::move(name), std::move(help), MetricType::Counter);
    value({}, count);
  }
  void gauge(std::string name, std::string help, std::uint64_t count) {
    family(std::move(name), std::move(help), MetricType::Gauge);
    value({}, count);
  }
  template <class Bounds>
  void histogram(std::string name, std::string help, const duration_histogram<Bounds>& from) {
    family(std::move(name), std::move(help), MetricType::Histogram);
    distribution({}, from);
  }
  template <class Bounds>
  void distribution(labels with, const duration_histogram<Bounds>& from) {
    ClientMetric one;
    one.label = std::move(with);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < Bounds::seconds.size(); ++i) {
      count += from.counts[i];
      one.histogram.bucket.push_back({count, Bounds::seconds[i]});
    }
    one.histogram.sample_count = count + from.counts.back();
    one.histogram.sample_sum = std::chrono::duration<double>(from.sum).count();
    all_.back().metric.push_back(std::move(one));
  }
  [[nodiscard]] std::string text() const { return prometheus::TextSerializer().Serialize(all_); }

 private:
  std::vector<MetricFamily> all_;
};

std::string_view source_name(std::size_t type) {
  return type + 1 == answer_counts::source_types ? "none" : name(static_cast<source_type>(type));
}

void add_requests(const proxy_metrics& all, const proxy_state& state, exposition& out) {
  out.family("requests_total", "Requests by route and status. Status 0: no response was sent.",
             MetricType::Counter);
  for (const auto& [key, count] : all.ended.counts) {
    out.value({{"route", key.first}, {"status", std::to_string(key.second)}}, count);
  }
  out.family("request_duration_seconds",
             "Time from the first byte of a request to the end of its response, by route.",
             MetricType::Histogram);
  for (const auto& [route, times] : all.ended.times) out.distribution({{"route", route}}, times);
  out.counter("requests_changed_total", "Requests forwarded with a rewritten body.", all.requests.changed);
  out.counter("requests_unread_total", "Requests whose body was to be read or rewritten but could not be.",
              all.requests.unread);
  out.counter("connections_total", "Client connections accepted.", all.connections.accepted);
  out.family("refused_total", "Connections and requests refused, by the limit that was reached.",
             MetricType::Counter);
  out.value({{"bound", "max_connections"}}, all.refused.connections);
  out.value({{"bound", "max_streams"}}, all.refused.streams);
  out.value({{"bound", "max_request_memory"}}, all.refused.request_bytes);
  out.value({{"bound", "descriptors"}}, all.refused.descriptors);
  out.counter("broken_connections_total",
              "Connections ended by an error inside the proxy, such as a lack of memory.",
              all.connections.broken);
  out.gauge("open_connections", "Client connections open.", state.open_connections);
  out.counter("clients_left_total", "Requests given up because the client disconnected or did not read.",
              all.requests.clients_left);
  out.family("bytes_total",
             "Bytes of request bodies, and of everything received from upstreams and sent to clients.",
             MetricType::Counter);
  out.value({{"direction", "from_client"}}, all.bytes.request);
  out.value({{"direction", "from_upstream"}}, all.bytes.upstream);
  out.value({{"direction", "to_client"}}, all.bytes.client);
  out.gauge("unsent_bytes_max",
            "Most bytes held for one client: unsent output and citation records not yet read.",
            all.unsent_max);
  out.gauge("draining", "1 while the proxy drains: no new requests are accepted.", state.draining ? 1 : 0);
}

void add_streams(const proxy_metrics& all, exposition& out) {
  out.counter("streams_total", "Event streams rewritten.", all.events.streams);
  out.gauge("open_streams", "Event streams being rewritten.", all.now.open_streams);
  out.counter("events_total", "Events received in these streams.", all.events.received);
  out.counter("events_sent_total", "Events sent to clients.", all.events.sent);
  out.family("events_dropped_total", "Events not sent, by reason.", MetricType::Counter);
  out.value({{"reason", "client_left"}}, all.events.dropped);
  out.histogram("added_latency_seconds", "Time from reading bytes to writing the output they cause.",
                all.delays.added);
  out.histogram("hold_seconds", "Time for which text of a stream was held without interruption.",
                all.delays.held);
  out.gauge("held_bytes", "Bytes of text held.", all.now.held_bytes);
  out.family("passed_events_total",
             "Events and bodies passed unchanged because they could not be read, by reason.",
             MetricType::Counter);
  for (std::size_t i = 0; i < passed_reasons.size(); ++i) {
    out.value({{"reason", std::string(passed_reasons[i].name)}}, all.answers.passed[i]);
  }
  out.family("bypassed_total", "Responses passed unchanged although their kind is rewritten, by reason.",
             MetricType::Counter);
  for (std::size_t i = 1; i < bypass_reason_count; ++i) {
    out.value({{"reason", std::string(name(static_cast<bypass_reason>(i)))}}, all.answers.bypassed[i]);
  }
}

void add_citations(const proxy_metrics& all, exposition& out) {
  out.family("citations_total", "Citations by who made them, status and type of their source.",
             MetricType::Counter);
  for (std::size_t i = 0; i < answer_counts::origins; ++i) {
    const std::string origin(name(static_cast<citation_origin>(i)));
    for (std::size_t status = 0; status < answer_counts::statuses; ++status) {
      const std::string status_name(name(static_cast<citation_status>(status)));
      // What the provider cites is always resolved.
      const bool of_marker = static_cast<citation_origin>(i) == citation_origin::marker;
      if (!of_marker && static_cast<citation_status>(status) != citation_status::resolved) continue;
      for (std::size_t type = 0; type < answer_counts::source_types; ++type) {
        out.value(
            {{"origin", origin}, {"status", status_name}, {"source_type", std::string(source_name(type))}},
            all.answers.citations[i][status][type]);
      }
    }
  }
  out.family("model_citations_total", "Citations of markers by model and status.", MetricType::Counter);
  for (const auto& [model, counts] : all.answers.models) {
    for (std::size_t i = 0; i < answer_counts::statuses; ++i) {
      out.value({{"model", model}, {"status", std::string(name(static_cast<citation_status>(i)))}},
                counts[i]);
    }
  }
}

void add_verdicts(const proxy_metrics& all, exposition& out) {
  out.family("verdicts_total", "Verdicts on the claims of citations by route and model (option check).",
             MetricType::Counter);
  for (const auto& [key, counts] : all.answers.verdicts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      out.value({{"route", key.first},
                 {"model", key.second},
                 {"verdict", std::string(name(static_cast<claim_verdict>(i)))}},
                counts[i]);
    }
  }
}

void add_upstream(const proxy_metrics& all, exposition& out) {
  out.family("upstream_errors_total",
             "Requests that failed on the side of the upstream, by upstream and kind.", MetricType::Counter);
  for (const auto& [upstream, counts] : all.ended.failed) {
    for (std::size_t i = 0; i < failure_count; ++i) {
      const auto kind = static_cast<failure>(i);
      if (is_of_upstream(kind)) {
        out.value({{"upstream", upstream}, {"kind", std::string(failure_name(kind))}}, counts[i]);
      }
    }
  }
  out.family("upstream_connections_total", "Upstream connections used for requests: new, or from the pool.",
             MetricType::Counter);
  out.value({{"from", "new"}}, all.upstreams.connects);
  out.value({{"from", "pool"}}, all.upstreams.reused);
  out.gauge("upstream_idle_connections", "Connections kept in the pools.", all.now.idle_connections);
}

void add_configuration(const proxy_state& state, exposition& out) {
  out.gauge("config_last_reload_successful", "1 if the last reload succeeded.", state.reload_failed ? 0 : 1);
  out.family("config_last_reload_success_timestamp_seconds",
             "Unix time of the start or the last successful reload.", MetricType::Gauge);
  out.value({}, state.config_time);
}

/// The names are those of Prometheus' client libraries.
void add_process(const process_usage& of, exposition& out) {
  const auto gauge = [&](std::string name, std::string help, double number) {
    out.standard_family("process_" + std::move(name), std::move(help), MetricType::Gauge, number);
  };
  out.standard_family("process_cpu_seconds_total", "CPU time used, user and system, in seconds.",
                      MetricType::Counter, of.cpu_seconds);
  gauge("start_time_seconds", "Unix time of the start of the process.", of.start_time_seconds);
  gauge("threads", "Threads of the process.", static_cast<double>(of.threads));
  gauge("resident_memory_bytes", "Resident memory.", static_cast<double>(of.resident_bytes));
  gauge("virtual_memory_bytes", "Virtual memory.", static_cast<double>(of.virtual_bytes));
  gauge("virtual_memory_max_bytes", "Limit of virtual memory.", static_cast<double>(of.virtual_max_bytes));
  gauge("open_fds", "Open file descriptors.", static_cast<double>(of.open_fds));
  gauge("max_fds", "Limit of open file descriptors.", static_cast<double>(of.max_fds));
}

}  // namespace

std::string metrics_text(const proxy_metrics& all, const proxy_state& state) {
  exposition out;
  add_requests(all, state, out);
  add_streams(all, out);
  add_citations(all, out);
  add_verdicts(all, out);
  add_upstream(all, out);
  out.counter("log_lines_lost_total", "Log lines that were not written.", state.telemetry.log_lines_lost);
  out.counter("spans_exported_total", "Spans that the collector accepted.", state.telemetry.spans_exported);
  out.counter("spans_dropped_total", "Spans that were not sent or not accepted.",
              state.telemetry.spans_dropped);
  out.counter("recordings_total", "Streams saved.", state.telemetry.recordings);
  out.counter("recordings_lost_total",
              "Recordings that could not be saved or were larger than record_max_stream_bytes.",
              state.telemetry.recordings_lost);
  add_configuration(state, out);
  add_process(state.process, out);
  out.family("build_info", "The running version.", MetricType::Gauge);
  out.value({{"version", std::string(version())}}, 1);
  return out.text();
}

}  // namespace citestream
