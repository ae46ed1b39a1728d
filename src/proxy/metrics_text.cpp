// The names and help texts of all metrics, in the order of the page. Prometheus' library writes the format.
#include <citestream/base/reference.hpp>
#include <citestream/base/version.hpp>
#include <citestream/cite/citation.hpp>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>
#include <vector>

#include "metrics.hpp"

namespace citestream {
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
  return type + 1 == proxy_metrics::source_types ? "none" : name(static_cast<source_type>(type));
}

void add_requests(const proxy_metrics& all, exposition& out) {
  out.family("requests_total", "Requests by route and status. Status 0: no response was sent.",
             MetricType::Counter);
  for (const auto& [key, count] : all.requests) {
    out.value({{"route", key.first}, {"status", std::to_string(key.second)}}, count);
  }
  out.family("request_duration_seconds",
             "Time from the first byte of a request to the end of its response, by route.",
             MetricType::Histogram);
  for (const auto& [route, times] : all.request_time) out.distribution({{"route", route}}, times);
  out.counter("requests_changed_total", "Requests forwarded with a rewritten body.", all.requests_changed);
  out.counter("requests_unread_total", "Requests whose body was to be rewritten but could not be read.",
              all.requests_unread);
  out.counter("connections_total", "Client connections accepted.", all.connections);
  out.family("refused_total", "Connections and requests refused, by the limit that was reached.",
             MetricType::Counter);
  out.value({{"bound", "max_connections"}}, all.refused_connections);
  out.value({{"bound", "max_streams"}}, all.refused_streams);
  out.value({{"bound", "max_request_memory"}}, all.refused_request_bytes);
  out.value({{"bound", "descriptors"}}, all.refused_descriptors);
  out.counter("broken_connections_total",
              "Connections ended by an error inside the proxy, such as a lack of memory.", all.broken);
  out.gauge("open_connections", "Client connections open.", all.open_connections);
  out.counter("clients_left_total", "Requests given up because the client disconnected.", all.clients_left);
  out.family("bytes_total", "Bytes of bodies received, and of everything sent to clients.",
             MetricType::Counter);
  out.value({{"direction", "from_client"}}, all.request_bytes);
  out.value({{"direction", "from_upstream"}}, all.upstream_bytes);
  out.value({{"direction", "to_client"}}, all.client_bytes);
  out.gauge("unsent_bytes_max",
            "Most bytes held for one client: unsent output and citation records not yet read.",
            all.unsent_max);
  out.gauge("draining", "1 while the proxy drains: no new requests are accepted.", all.draining ? 1 : 0);
}

void add_streams(const proxy_metrics& all, exposition& out) {
  out.counter("streams_total", "Event streams rewritten.", all.streams);
  out.gauge("open_streams", "Event streams being rewritten.", all.open_streams);
  out.counter("events_total", "Events received in these streams.", all.events);
  out.counter("events_sent_total", "Events sent to clients.", all.events_sent);
  out.family("events_dropped_total", "Events not sent, by reason.", MetricType::Counter);
  out.value({{"reason", "client_left"}}, all.events_dropped);
  out.histogram("added_latency_seconds", "Time from reading bytes to writing the output they cause.",
                all.added_latency);
  out.histogram("hold_seconds", "Time for which text of a stream was held without interruption.",
                all.hold_time);
  out.gauge("held_bytes", "Bytes of text held.", all.held_bytes);
  out.family("passed_events_total",
             "Events and bodies passed unchanged because they could not be read, by reason.",
             MetricType::Counter);
  for (std::size_t i = 0; i < all.passed.size(); ++i) {
    if (i > 0 && passed_reason(i) == passed_reason(0)) continue;  // no event passes for this reason
    out.value({{"reason", std::string(passed_reason(i))}}, all.passed[i]);
  }
  out.family("bypassed_total", "Responses passed unchanged although their kind is rewritten, by reason.",
             MetricType::Counter);
  for (const auto& [reason, count] : all.bypassed_by_reason) out.value({{"reason", reason}}, count);
}

void add_citations(const proxy_metrics& all, exposition& out) {
  out.family("citations_total", "Citations by status and type of their source.", MetricType::Counter);
  for (std::size_t i = 0; i < proxy_metrics::statuses; ++i) {
    const std::string status(name(static_cast<citation_status>(i)));
    for (std::size_t type = 0; type < proxy_metrics::source_types; ++type) {
      out.value({{"status", status}, {"source_type", std::string(source_name(type))}},
                all.citations[i][type]);
    }
  }
  out.family("model_citations_total", "Citations by model and status.", MetricType::Counter);
  for (const auto& [model, counts] : all.models) {
    for (std::size_t i = 0; i < proxy_metrics::statuses; ++i) {
      out.value({{"model", model}, {"status", std::string(name(static_cast<citation_status>(i)))}},
                counts[i]);
    }
  }
}

void add_verdicts(const proxy_metrics& all, exposition& out) {
  out.family("verdicts_total", "Verdicts on the claims of citations by route and model (option check).",
             MetricType::Counter);
  for (const auto& [key, counts] : all.verdicts) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      out.value({{"route", key.first},
                 {"model", key.second},
                 {"verdict", std::string(name(static_cast<claim_verdict>(i)))}},
                counts[i]);
    }
  }
}

/// Returns false for failures that are counted elsewhere: clients that disconnect, and those of the proxy.
bool is_of_upstream(failure kind) noexcept {
  return kind != failure::none && kind != failure::client_gone && kind != failure::shutdown &&
         kind != failure::internal && kind != failure::no_descriptors;
}

void add_upstream(const proxy_metrics& all, exposition& out) {
  out.family("upstream_errors_total",
             "Requests that failed on the side of the upstream, by upstream and kind.", MetricType::Counter);
  for (const auto& [upstream, counts] : all.failed) {
    for (std::size_t i = 0; i < failure_count; ++i) {
      const auto kind = static_cast<failure>(i);
      if (is_of_upstream(kind)) {
        out.value({{"upstream", upstream}, {"kind", std::string(failure_name(kind))}}, counts[i]);
      }
    }
  }
  out.family("upstream_connections_total", "Upstream connections used for requests: new, or from the pool.",
             MetricType::Counter);
  out.value({{"from", "new"}}, all.upstream_connects);
  out.value({{"from", "pool"}}, all.upstream_reused);
  out.gauge("upstream_idle_connections", "Connections kept in the pools.", all.idle_upstream);
}

void add_configuration(const proxy_metrics& all, exposition& out) {
  out.gauge("config_last_reload_successful", "1 if the configuration in use is the one that was loaded last.",
            all.reload_failed ? 0 : 1);
  out.family("config_last_reload_success_timestamp_seconds",
             "Unix time of the start or the last successful reload.", MetricType::Gauge);
  out.value({}, all.config_time);
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

std::string metrics_text(const proxy_metrics& all) {
  exposition out;
  add_requests(all, out);
  add_streams(all, out);
  add_citations(all, out);
  add_verdicts(all, out);
  add_upstream(all, out);
  out.counter("log_lines_lost_total", "Log lines that were not written.", all.log_lost);
  out.counter("spans_exported_total", "Spans that the collector accepted.", all.spans_exported);
  out.counter("spans_dropped_total", "Spans that were not sent or not accepted.", all.spans_dropped);
  out.counter("recordings_total", "Streams saved.", all.recordings);
  out.counter("recordings_lost_total", "Recordings that could not be saved.", all.recordings_lost);
  add_configuration(all, out);
  add_process(all.process, out);
  out.family("build_info", "The running version.", MetricType::Gauge);
  out.value({{"version", std::string(version())}}, 1);
  return out.text();
}

}  // namespace citestream
