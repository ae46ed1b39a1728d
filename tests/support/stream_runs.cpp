#include "support/stream_runs.hpp"

#include "framing/frame_decoder.hpp"
#include "support/rounds.hpp"

namespace citestream_tests {

using namespace citestream;

namespace {

void pull(session& session, std::vector<owned_event>& out) {
  for (session_event event; session.next(event);) {
    owned_event& kept = out.emplace_back();
    kept.type = event.type;
    kept.choice = event.choice;
    kept.delta = event.delta;
    kept.text = event.text;
    if (event.record != nullptr) {
      kept.number = event.record->number;
      kept.marker = event.record->marker;
      kept.end = event.record->end.utf8;
      kept.status = event.record->status;
    }
    kept.finish_reason = event.finish_reason;
  }
}

}  // namespace

stream_run run(session& session, const pieces& parts, const ending& how) {
  stream_run result;
  for (const std::string_view part : parts) {
    std::string sent;
    const status error = session.write(part, sent);
    if (error) result.error = error;
    result.out += sent;
    pull(session, result.events);
  }
  std::string sent;
  result.end = session.finish(sent, how.how, how.message, how.code);
  result.out += sent;
  pull(session, result.events);
  result.counts = session.statistics();
  return result;
}

session_options options_for(const style& how) {
  session_options options;
  options.style = &how;
  return options;
}

stream_run run_whole(const session_options& options, std::string_view bytes, const ending& how) {
  session fresh(options);
  return run(fresh, {bytes}, how);
}

std::string cut_difference(const session_options& options, std::string_view stream) {
  session one(options);
  const stream_run whole = run(one, {stream});
  for (std::size_t at = 1; at < stream.size(); at += cut_step) {
    one.reset();
    const stream_run got = run(one, {stream.substr(0, at), stream.substr(at)});
    if (comparable(got) != comparable(whole)) return "cut at " + std::to_string(at) + ": " + got.out;
  }
  one.reset();
  const stream_run got = run(one, cut_every(stream, 1));
  return comparable(got) == comparable(whole) ? "" : "single bytes: " + got.out;
}

std::string text_of(const stream_run& run, std::uint32_t choice) {
  std::string out;
  for (const owned_event& one : run.events) {
    if (one.type == session_event_type::text && one.choice == choice) out += one.text;
  }
  return out;
}

std::vector<std::string> payloads(std::string_view bytes) {
  std::vector<std::string> found;
  for_each_frame(bytes, limits{}.max_event_bytes, [&](const frame& item) {
    if (item.kind == frame_kind::event || item.kind == frame_kind::unterminated)
      found.emplace_back(item.data);
  });
  return found;
}

}  // namespace citestream_tests
