#include "report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/ascii.hpp"
#include "rewrite/json_object.hpp"

namespace citestream::load {
namespace {

struct row {
  const char* key;
  const char* title;
  const latency_histogram& times;
};

std::array<row, 6> rows_of(const tally& counts) {
  return {row{"connect_us", "connect", counts.times.connecting},
          row{"first_byte_us", "first byte", counts.times.first_byte},
          row{"first_event_us", "first event", counts.times.first_event},
          row{"between_events_us", "between events", counts.times.between_events},
          row{"answer_us", "whole answer", counts.times.whole_answer},
          row{"on_the_way_us", "on the way", counts.times.on_the_way}};
}

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

double per_second(std::uint64_t count, const tally& counts) {
  const double time = seconds(counts.measured_for);
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

/// Details contain bytes of answers, which may not be UTF-8.
std::string in_ascii(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  return text;
}

void append_times(const latency_histogram& times, std::string& out) {
  object_writer object(out);
  object.number("count", times.count());
  if (times.count() != 0) {
    const auto add = [&](const member_key& key, std::chrono::nanoseconds value) {
      object.key(key) += digits(static_cast<double>(value.count()) / 1000, 1);
    };
    add("mean", times.mean());
    add("p50", times.percentile(50));
    add("p90", times.percentile(90));
    add("p95", times.percentile(95));
    add("p99", times.percentile(99));
    add("max", times.max());
  }
  object.end();
}

void append_counts(const counts& what, std::string& out) {
  object_writer object(out);
  object.number("answers", what.answers);
  object.number("wrong", what.wrong);
  object.number("events", what.events);
  object.number("bytes", what.bytes);
  object.end();
}

void append_faults(const tally& counts, std::string& out) {
  object_writer object(out);
  for (std::size_t i = 0; i < counts.faults.size(); ++i) {
    const tally::faults_of_kind& kind = counts.faults[i];
    if (kind.answers == 0) continue;
    object_writer entry(object.runtime_key(fault_names[i]));
    entry.number("answers", kind.answers);
    entry.string("first", in_ascii(kind.first));
    entry.end();
  }
  object.end();
}

void append_statuses(const tally& counts, std::string& out) {
  object_writer object(out);
  for (const auto& [status, answers] : counts.statuses)
    object.runtime_key(std::to_string(status)) += std::to_string(answers);
  object.end();
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
  if (counts.unfinished != 0) out += grouped(counts.unfinished) + " answers were still running at the end\n";
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
  std::string out;
  object_writer object(out);
  object.string("url",
                in_ascii((options.to.tls ? "https://" : "http://") + options.to.authority + options.to.path));
  object.number("streams", options.streams);
  object.key("seconds") += digits(seconds(counts.measured_for), 3);
  object.number("requests", counts.requests);
  object.number("connections", counts.connections);
  object.number("resent", counts.resent);
  object.number("still_running", counts.unfinished);
  object.number("open_max", counts.open_max);
  append_counts(counts.all, object.key("total"));
  append_counts(counts.measured, object.key("measured"));
  object_writer rate(object.key("per_second"));
  rate.key("answers") += digits(per_second(counts.measured.answers, counts), 1);
  rate.key("events") += digits(per_second(counts.measured.events, counts), 1);
  rate.key("bytes") += digits(per_second(counts.measured.bytes, counts), 0);
  rate.end();
  for (const row& each : rows_of(counts)) append_times(each.times, object.runtime_key(each.key));
  append_statuses(counts, object.key("statuses"));
  append_faults(counts, object.key("faults"));
  object.end();
  return out + '\n';
}

std::string progress_line(std::chrono::nanoseconds elapsed, const tally& counts) {
  return digits(seconds(elapsed), 1) + " s: " + grouped(counts.open) + " open, " +
         grouped(counts.all.answers) + " answers, " + grouped(counts.all.events) + " events, " +
         grouped(counts.all.wrong) + " wrong";
}

}  // namespace citestream::load
