#include "replay/reframed.hpp"

#include <citestream/base/limits.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "framing/frame_decoder.hpp"

namespace citestream::replay {
namespace {

struct events_of_recording {
  std::vector<recording_piece> all;  ///< the payloads, which are JSON objects
  bool cut_off{};
};

/// Payloads without line breaks, which are between tokens only.
events_of_recording payloads_of(const recording& from) {
  events_of_recording out;
  const std::string bytes = from.bytes();
  frame_decoder decoder(limits{}.max_event_bytes);
  std::size_t piece = 0;
  std::size_t end_of_piece = from.pieces().empty() ? 0 : from.pieces().front().bytes.size();
  const auto read = [&] {
    for (frame item; decoder.next(item);) {
      if (item.kind == frame_kind::unterminated) out.cut_off = true;
      if (item.kind != frame_kind::event || !item.data.starts_with('{')) continue;
      const std::size_t end = static_cast<std::size_t>(item.offset) + item.raw.size();
      while (end > end_of_piece) end_of_piece += from.pieces()[++piece].bytes.size();
      std::string payload(item.data);
      std::erase_if(payload, ascii::is_line_break);
      out.all.push_back({from.pieces()[piece].seconds, std::move(payload)});
    }
  };
  decoder.feed(bytes);
  read();
  decoder.finish();
  read();
  return out;
}

}  // namespace

recording as_events(const recording& from) {
  if (from.content_type() == "text/event-stream") return from;
  events_of_recording events = payloads_of(from);
  for (recording_piece& one : events.all) one.bytes = "data: " + one.bytes + "\r\n\r\n";
  return {from.name(), std::move(events.all), from.timed()};
}

recording as_array(const recording& from) {
  if (from.content_type() != "text/event-stream") return from;
  events_of_recording events = payloads_of(from);
  for (std::size_t i = 0; i < events.all.size(); ++i) events.all[i].bytes.insert(0, i == 0 ? "[" : ",\r\n");
  if (!events.all.empty() && !events.cut_off) events.all.back().bytes += "\r\n]";
  return {from.name(), std::move(events.all), from.timed(), "application/json"};
}

}  // namespace citestream::replay
