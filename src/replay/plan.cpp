#include "replay/plan.hpp"

#include <citestream/sse/decoder.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

namespace citestream::replay {
namespace {

using std::chrono::nanoseconds;

/// Bytes that are gathered into one write where no pace is kept: a loopback socket's send buffer takes them.
constexpr std::size_t max_gathered_bytes = 64 * 1024;

/// Bytes of the recording that go together.
struct unit {
  nanoseconds due{};
  std::string bytes;
};

nanoseconds to_nanoseconds(double seconds) {
  // A year is long enough for any stream, and far from overflow.
  return std::chrono::duration_cast<nanoseconds>(
      std::chrono::duration<double>(std::min(seconds, 365.0 * 24 * 3600)));
}

/// The stream cut into its events. Comments go with the event that follows them.
std::vector<std::string> events_of(const recording& from) {
  const std::string bytes = from.bytes();
  std::vector<std::string> events;
  std::string before;
  sse_decoder decoder;
  const auto read = [&] {
    for (sse_item item; decoder.next(item);) {
      before += item.raw;
      if (item.kind == sse_kind::event) events.push_back(std::exchange(before, {}));
    }
  };
  decoder.feed(bytes);
  read();
  decoder.finish();
  read();
  if (!before.empty()) events.push_back(std::move(before));
  return events;
}

std::vector<unit> units_of(const recording& from, const replay_options& options) {
  std::vector<unit> units;
  if (options.pace == replay_pace::recorded && from.timed()) {
    for (const recording_piece& piece : from.pieces()) {
      units.push_back({to_nanoseconds(piece.seconds), piece.bytes});
    }
    return units;
  }
  const nanoseconds step =
      options.pace == replay_pace::interval ? std::chrono::milliseconds(options.interval_ms) : nanoseconds{};
  nanoseconds due{};
  for (std::string& event : events_of(from)) {
    units.push_back({due, std::move(event)});
    due += step;
  }
  return units;
}

/// \p units cut anew, every \p size bytes. A piece is due when its last byte is.
std::vector<unit> split(const std::vector<unit>& units, std::size_t size) {
  std::vector<unit> cut;
  bool open = false;
  for (const unit& each : units) {
    for (std::string_view rest = each.bytes; !rest.empty();) {
      if (!open) cut.emplace_back();
      unit& last = cut.back();
      const std::string_view part = rest.substr(0, size - last.bytes.size());
      last.bytes += part;
      last.due = each.due;
      rest.remove_prefix(part.size());
      open = last.bytes.size() < size;
    }
  }
  return cut;
}

/// Keeps the first \p size bytes. \return whether that took any away.
bool truncate(std::vector<unit>& units, std::uint64_t size) {
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].bytes.size() <= size) {
      size -= units[i].bytes.size();
      continue;
    }
    units[i].bytes.resize(static_cast<std::size_t>(size));
    units.resize(i + 1);
    return true;
  }
  return false;
}

void append_framed(std::string_view bytes, bool chunked, std::string& out) {
  if (!chunked) {
    out += bytes;
    return;
  }
  char digits[2 * sizeof bytes.size()];
  const auto [end, failure] = std::to_chars(std::begin(digits), std::end(digits), bytes.size(), 16);
  out.append(std::begin(digits), end).append("\r\n").append(bytes).append("\r\n");
}

}  // namespace

send_plan make_plan(const recording& from, const replay_options& options, bool chunked) {
  std::vector<unit> units = units_of(from, options);
  send_plan plan;
  if (!units.empty()) plan.length = units.back().due;
  if (options.pace == replay_pace::interval) plan.length += std::chrono::milliseconds(options.interval_ms);
  if (options.split != 0) units = split(units, options.split);
  if (options.die_after) plan.dies = truncate(units, *options.die_after);

  const bool paced =
      options.pace == replay_pace::interval || (options.pace == replay_pace::recorded && from.timed());
  const bool gather = !paced && options.split == 0;
  for (const unit& each : units) {
    if (each.bytes.empty()) continue;  // an empty chunk would end the body
    if (plan.steps.empty() || !gather || plan.steps.back().bytes.size() >= max_gathered_bytes) {
      plan.steps.emplace_back();
    }
    send_step& step = plan.steps.back();
    step.due = each.due;
    step.payload += each.bytes.size();
    append_framed(each.bytes, chunked, step.bytes);
  }
  return plan;
}

}  // namespace citestream::replay
