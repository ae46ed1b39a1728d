// How a plan is made.
//
// A recording is divided into units: its recorded pieces if their times are kept, otherwise its events. Send
// times are inserted into the units as comments. `split` cuts the units again, `die_after`
// truncates them. Each unit becomes one HTTP chunk. With a pace each chunk is one step; without one, chunks
// are gathered into steps of about 64 KiB.
//
// Invariant: without send times and truncation, the bytes of all units are the bytes of the recording.
#include "replay/plan.hpp"

#include <citestream/base/byte_range.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "base/field_text.hpp"
#include "framing/frame.hpp"
#include "framing/frame_decoder.hpp"
#include "send_time.hpp"

namespace citestream::replay {
namespace {

using std::chrono::nanoseconds;

/// Size of a write without a pace. It fits into the send buffer of a loopback socket.
constexpr std::size_t max_gathered_bytes = 64 * 1024;

/// Bytes of the recording that are sent as one HTTP chunk.
struct unit {
  nanoseconds due{};
  std::string bytes;
  std::vector<std::size_t> times;  ///< offsets of the digits of send times
};

/// Inserts a send time into \p to, before the byte \p at.
void insert_send_time(std::size_t at, unit& to) {
  to.bytes.insert(at, blank_send_time());
  to.times.push_back(at + send_time_start.size());
}

nanoseconds to_nanoseconds(double seconds) {
  // One year is longer than any stream and cannot overflow.
  return std::chrono::duration_cast<nanoseconds>(
      std::chrono::duration<double>(std::min(seconds, 365.0 * 24 * 3600)));
}

/// Returns the places of all complete events of \p bytes, in order.
std::vector<byte_range> find_events(std::string_view bytes) {
  std::vector<byte_range> events;
  for_each_frame(bytes, limits{}.max_event_bytes, [&](const frame& item) {
    const auto begin = static_cast<std::size_t>(item.offset);
    if (item.kind == frame_kind::event) events.push_back({begin, begin + item.raw.size()});
  });
  return events;
}

/// Returns true if a comment may be inserted before the event at \p begin. A byte order mark must stay first.
bool takes_comment(std::string_view bytes, std::size_t begin) {
  return begin != 0 || !bytes.starts_with(byte_order_mark);
}

/// Divides the stream into its events, \p step apart. Comments are sent with the event that follows them.
std::vector<unit> event_units(std::string_view bytes, nanoseconds step, bool send_times) {
  std::vector<unit> units;
  std::size_t begin = 0;
  nanoseconds due{};
  const auto add = [&](std::size_t end) {
    units.push_back({due, std::string(bytes.substr(begin, end - begin)), {}});
    begin = end;
    due += step;
  };
  for (const byte_range& event : find_events(bytes)) {
    const std::size_t comments = event.begin - begin;
    add(event.end);
    if (send_times && takes_comment(bytes, event.begin)) insert_send_time(comments, units.back());
  }
  if (begin < bytes.size()) add(bytes.size());
  return units;
}

/// Returns the recorded pieces at their recorded times.
std::vector<unit> timed_units(const recording& from, double speed, bool send_times) {
  std::vector<unit> units;
  for (const recording_piece& piece : from.pieces()) {
    units.push_back({to_nanoseconds(piece.seconds / speed), piece.bytes, {}});
  }
  if (!send_times) return units;
  const std::string bytes = from.bytes();
  std::size_t piece = 0;
  std::size_t end = units.empty() ? 0 : units.front().bytes.size();  // end of the piece in the recorded bytes
  for (const byte_range& event : find_events(bytes)) {
    while (event.begin >= end) end += units[++piece].bytes.size();
    if (!takes_comment(bytes, event.begin)) continue;
    // Counted from the end of the piece, so that comments inserted earlier do not matter.
    insert_send_time(units[piece].bytes.size() - (end - event.begin), units[piece]);
  }
  return units;
}

nanoseconds interval_of(const replay_options& options) {
  return options.pace == replay_pace::interval ? options.interval : nanoseconds();
}

std::vector<unit> units_of(const recording& from, const replay_options& options) {
  const bool comments = citestream::http::is_event_stream(from.content_type());
  const bool send_times = comments && options.send_times && options.split == 0 && !options.die_after;
  if (options.pace == replay_pace::recorded && from.timed()) {
    return timed_units(from, options.speed, send_times);
  }
  return event_units(from.bytes(), interval_of(options), send_times);
}

/// Divides the bytes of \p units anew, every \p size bytes. A new unit is due when its last byte was.
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

/// Keeps the first \p size bytes. \return true if any were removed
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

void append_framed(const unit& from, bool chunked, send_step& out) {
  out.due = from.due;
  out.payload += from.bytes.size();
  if (chunked) {
    char digits[2 * sizeof from.bytes.size()];
    const auto [end, failure] = std::to_chars(std::begin(digits), std::end(digits), from.bytes.size(), 16);
    out.bytes.append(std::begin(digits), end).append("\r\n");
  }
  for (const std::size_t place : from.times) out.times.push_back(out.bytes.size() + place);
  out.bytes.append(from.bytes).append(chunked ? "\r\n" : "");
}

}  // namespace

send_plan make_plan(const recording& from, const replay_options& options, bool chunked) {
  std::vector<unit> units = units_of(from, options);
  send_plan plan;
  if (!units.empty()) plan.length = units.back().due;
  plan.length += interval_of(options);
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
    append_framed(each, chunked, plan.steps.back());
  }
  return plan;
}

}  // namespace citestream::replay
