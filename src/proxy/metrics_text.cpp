#include "metrics_text.hpp"

#include <citestream/base/reference.hpp>
#include <citestream/base/version.hpp>
#include <citestream/cite/citation.hpp>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>
#include <vector>

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
  void value(labels with, std::uint64_t count) {
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
    ClientMetric one;
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

void add_requests(const proxy_metrics& all, const shared_metrics& shared, exposition& out) {
  out.family("requests_total", "Requests by route and status; status 0: no answer was sent.",
             MetricType::Counter);
  for (const auto& [key, count] : all.requests) {
    out.value({{"route", key.first}, {"status", std::to_string(key.second)}}, count);
  }
  out.histogram("request_duration_seconds", "From the first byte of a request to the end of its answer.",
                all.took);
  out.counter("requests_changed_total", "Requests whose body left rewritten.", shared.requests_changed);
  out.counter("requests_unread_total", "Requests whose body was to be rewritten and could not be read.",
              shared.requests_unread);
  out.counter("connections_total", "Client connections accepted.", shared.connections);
  out.family("refused_total", "Connections and requests turned away, by the bound that was reached.",
             MetricType::Counter);
  out.value({{"bound", "max_connections"}}, all.refused_connections);
  out.value({{"bound", "max_streams"}}, all.refused_streams);
  out.value({{"bound", "descriptors"}}, all.refused_descriptors);
  out.counter("broken_connections_total",
              "Connections that an error inside the proxy ended, as want of memory.", all.broken);
  out.gauge("open_connections", "Client connections open.", all.connections);
  out.counter("clients_left_total", "Exchanges given up because the client left.", shared.clients_left);
  out.family("bytes_total", "Bytes of bodies, and all that was given to clients.", MetricType::Counter);
  out.value({{"direction", "from_client"}}, all.request_bytes);
  out.value({{"direction", "from_upstream"}}, all.upstream_bytes);
  out.value({{"direction", "to_client"}}, all.client_bytes);
  out.gauge("unsent_bytes_max", "Bytes that waited for one client at most.", shared.unsent_max);
  out.gauge("draining", "1 while no new requests are taken.", shared.draining ? 1 : 0);
}

void add_streams(const proxy_metrics& all, exposition& out) {
  out.counter("streams_total", "Event streams rewritten.", all.streams);
  out.gauge("open_streams", "Event streams being rewritten.", all.open_streams);
  out.counter("events_total", "Events of these streams that came.", all.events);
  out.counter("events_sent_total", "Of these, events that left for their client.", all.events_sent);
  out.family("events_dropped_total", "Of these, events that did not leave, by reason.", MetricType::Counter);
  out.value({{"reason", "client_left"}}, all.events_dropped);
  out.histogram("added_latency_seconds", "From bytes read to the write of what they released.", all.added);
  out.histogram("hold_seconds", "Text of a stream withheld without a break.", all.hold);
  out.gauge("held_bytes", "Bytes of text withheld.", all.held_bytes);
  out.family("passed_events_total", "Events and bodies that passed unread, by reason.", MetricType::Counter);
  constexpr auto last = static_cast<std::size_t>(errc::body_too_large);
  for (std::size_t i = 0; i <= last; ++i)
    out.value({{"reason", std::string(passed_reason(i))}}, all.passed[i]);
  out.family("bypassed_total", "Answers that passed although their kind is rewritten, by reason.",
             MetricType::Counter);
  for (const auto& [reason, count] : all.bypassed) out.value({{"reason", reason}}, count);
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

void add_upstream(const proxy_metrics& all, exposition& out) {
  out.family("upstream_errors_total", "Exchanges that upstream did not bring to an end, by kind.",
             MetricType::Counter);
  for (std::size_t i = 0; i < proxy_metrics::troubles; ++i) {
    const auto kind = static_cast<trouble>(i);
    if (kind == trouble::none || kind == trouble::client_gone) continue;
    if (kind == trouble::shutdown || kind == trouble::internal) continue;
    if (kind == trouble::no_descriptors) continue;  // counted in refused_total
    out.value({{"kind", std::string(trouble_name(kind))}}, all.failed[i]);
  }
  out.family("upstream_connections_total", "Connections taken for requests: made, or from the pool.",
             MetricType::Counter);
  out.value({{"from", "new"}}, all.connects);
  out.value({{"from", "pool"}}, all.reused);
  out.gauge("upstream_idle_connections", "Connections kept in the pools.", all.idle_upstream);
}

}  // namespace

std::string metrics_text(const proxy_metrics& all, const shared_metrics& shared) {
  exposition out;
  add_requests(all, shared, out);
  add_streams(all, out);
  add_citations(all, out);
  add_upstream(all, out);
  out.counter("log_lines_lost_total", "Log lines that were not written.", shared.log_lost);
  out.counter("recordings_total", "Streams saved.", shared.recordings);
  out.counter("recordings_lost_total", "Streams that were to be saved and were not.", shared.recordings_lost);
  out.family("build_info", "The version that runs.", MetricType::Gauge);
  out.value({{"version", std::string(version())}}, 1);
  return out.text();
}

}  // namespace citestream
