#include "report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <boost/json/serialize.hpp>

#include "base/ascii.hpp"

namespace citestream::load {
namespace {

struct row {
  const char* key;
  const char* title;
  const latency_histogram& times;
};

std::array<row, 6> rows_of(const tally& counts) {
  return {row{"connect_us", "connect", counts.connecting},
          row{"first_byte_us", "first byte", counts.first_byte},
          row{"first_event_us", "first event", counts.first_event},
          row{"between_events_us", "between events", counts.between_events},
          row{"answer_us", "whole answer", counts.whole_answer},
          row{"on_the_way_us", "on the way", counts.on_the_way}};
}

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

double per_second(std::uint64_t count, const tally& counts) {
  const double time = std::chrono::duration<double>(counts.measured_for).count();
  return time > 0 ? static_cast<double>(count) / time : 0;
}

std::string digits(double value, int places) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", places, value);
  return text.data();
}

/// Returns a duration in a unit with at most four digits before the decimal point.
std::string duration_text(std::chrono::nanoseconds time) {
  const double us = static_cast<double>(time.count()) / 1000;
  if (us < 10'000) return digits(us, us < 100 ? 1 : 0) + " us";
  if (us < 10'000'000) return digits(us / 1000, us < 100'000 ? 1 : 0) + " ms";
  return digits(us / 1'000'000, 1) + " s";
}

/// Returns a number with a space between groups of three digits.
std::string grouped(double value) {
  std::string text = digits(std::round(value), 0);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ' ');
  return text;
}
std::string grouped(std::uint64_t value) {
  return grouped(static_cast<double>(value));
}

void pad(std::string& out, std::string_view text, std::size_t width) {
  out.append(text.size() < width ? width - text.size() : 1, ' ').append(text);
}

void member(std::string& out, std::string_view key, std::string_view json) {
  if (!out.empty() && out.back() != '{') out += ',';
  out.append("\"").append(key).append("\":").append(json);
}
void member(std::string& out, std::string_view key, std::uint64_t number) {
  member(out, key, std::to_string(number));
}

std::string json_text(std::string text) {
  // Details contain bytes of answers, which may not be UTF-8.
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return boost::json::serialize(boost::json::string_view(text));
}

std::string json_times(const latency_histogram& times) {
  std::string out = "{";
  member(out, "count", times.count());
  if (times.count() != 0) {
    const auto add = [&](std::string_view key, std::chrono::nanoseconds value) {
      member(out, key, digits(static_cast<double>(value.count()) / 1000, 1));
    };
    add("mean", times.mean());
    add("p50", times.percentile(50));
    add("p90", times.percentile(90));
    add("p95", times.percentile(95));
    add("p99", times.percentile(99));
    add("max", times.max());
  }
  return out + '}';
}

std::string json_counts(const counts& what) {
  std::string out = "{";
  member(out, "answers", what.answers);
  member(out, "wrong", what.wrong);
  member(out, "events", what.events);
  member(out, "bytes", what.bytes);
  return out + '}';
}

std::string json_faults(const tally& counts) {
  std::string out = "{";
  for (std::size_t i = 0; i < counts.faults.size(); ++i) {
    const tally::faults_of_kind& kind = counts.faults[i];
    if (kind.answers == 0) continue;
    std::string entry = "{";
    member(entry, "answers", kind.answers);
    member(entry, "first", json_text(kind.first));
    member(out, fault_names[i], entry + '}');
  }
  return out + '}';
}

std::string json_statuses(const tally& counts) {
  std::string out = "{";
  for (const auto& [status, answers] : counts.statuses) member(out, std::to_string(status), answers);
  return out + '}';
}

std::string rates(const tally& counts) {
  return grouped(per_second(counts.measured.answers, counts)) + " answers/s, " +
         grouped(per_second(counts.measured.events, counts)) + " events/s, " +
         digits(per_second(counts.measured.bytes, counts) / 1e6, 1) + " MB/s";
}

/// Replaces control characters with spaces, so that the text fits on one line of the table.
std::string one_line(std::string text) {
  std::ranges::replace_if(text, ascii::is_control, ' ');
  return text;
}

}  // namespace

std::string to_table(const run_options& options, const tally& counts) {
  std::string out = grouped(counts.all.answers) + " answers, " + grouped(counts.all.wrong) + " wrong, " +
                    grouped(counts.all.events) + " events; " + grouped(options.streams) +
                    " streams, at most " + grouped(counts.open_max) + " at once, " +
                    grouped(counts.connections) + " connections\n";
  if (counts.resent != 0) out += grouped(counts.resent) + " requests sent again on another connection\n";
  if (counts.left != 0) out += grouped(counts.left) + " answers still ran at the end\n";
  out += rates(counts) + " in " + digits(seconds(counts.measured_for), 1) + " s\n\n";
  constexpr std::size_t first = 14;
  constexpr std::size_t other = 11;
  out += std::string(first, ' ');
  for (const char* title : {"count", "p50", "p90", "p99", "max"}) pad(out, title, other);
  out += '\n';
  for (const row& each : rows_of(counts)) {
    if (each.times.count() == 0) continue;
    out += each.title + std::string(first - std::string_view(each.title).size(), ' ');
    pad(out, grouped(each.times.count()), other);
    for (const double per_cent : {50.0, 90.0, 99.0}) {
      pad(out, duration_text(each.times.percentile(per_cent)), other);
    }
    pad(out, duration_text(each.times.max()), other);
    out += '\n';
  }
  for (std::size_t i = 0; i < counts.faults.size(); ++i) {
    const tally::faults_of_kind& kind = counts.faults[i];
    if (kind.answers == 0) continue;
    out.append("\nwrong: ").append(fault_names[i]).append(" in ").append(grouped(kind.answers));
    out += " answers; the first: " + one_line(kind.first);
  }
  return out + (counts.all.wrong != 0 ? "\n" : "");
}

std::string to_json(const run_options& options, const tally& counts) {
  std::string out = "{";
  member(out, "url",
         json_text((options.to.tls ? "https://" : "http://") + options.to.authority + options.to.path));
  member(out, "streams", options.streams);
  member(out, "seconds", digits(seconds(counts.measured_for), 3));
  member(out, "requests", counts.requests);
  member(out, "connections", counts.connections);
  member(out, "resent", counts.resent);
  member(out, "still_running", counts.left);
  member(out, "open_max", counts.open_max);
  member(out, "total", json_counts(counts.all));
  member(out, "measured", json_counts(counts.measured));
  std::string rate = "{";
  member(rate, "answers", digits(per_second(counts.measured.answers, counts), 1));
  member(rate, "events", digits(per_second(counts.measured.events, counts), 1));
  member(rate, "bytes", digits(per_second(counts.measured.bytes, counts), 0));
  member(out, "per_second", rate + '}');
  for (const row& each : rows_of(counts)) member(out, each.key, json_times(each.times));
  member(out, "statuses", json_statuses(counts));
  member(out, "faults", json_faults(counts));
  return out + "}\n";
}

std::string progress_line(std::chrono::nanoseconds elapsed, const tally& counts) {
  return digits(seconds(elapsed), 1) + " s: " + grouped(counts.open) + " open, " +
         grouped(counts.all.answers) + " answers, " + grouped(counts.all.events) + " events, " +
         grouped(counts.all.wrong) + " wrong";
}

}  // namespace citestream::load
