// Relays the body of a response in one of three ways: event streams are rewritten as they flow, JSON bodies
// as a whole, everything else is passed on byte for byte.
//
// All three pull parts from next_body(), which decodes the framing of the upstream, and write them with
// write_part(), which adds the framing for the client. Everything that one read releases is written at once,
// as one chunk. A write is tried immediately; only if the socket does not take everything does the relay
// wait, and then nothing is read from the upstream. That is the back-pressure: a client that does not read
// stops the upstream after at most one read. Citation records of text that the client has not read count as
// unsent bytes.
//
// The input and output buffers belong to the worker and are valid until the relay waits for anything. If it
// must wait for the client, it takes them with it (written()).
//
// How a response ends must be visible to the client. A failed event stream gets an error event and no last
// chunk; a failed body is cut short, or reset if only the end of the connection marks its end.

#include <algorithm>
#include <utility>

#include "stream_tracking.hpp"
#include "upstream_exchange.hpp"

namespace citestream {
namespace {

using std::chrono::milliseconds;

/// How long the client may read the rest of a response after the proxy has begun to abort.
constexpr milliseconds final_write_time{1000};

}  // namespace

rewrite_mode upstream_exchange::rewrite_mode_of_response() const noexcept {
  const bool json = request_.method == "POST" && matched_.route->rewrites_json_of(request_.target);
  return rewrite_mode_of(json, matched_.bypasses_response(), response_.head);
}

/// Not a coroutine itself, to save a frame for each stream.
awaitable<bool> upstream_exchange::relay() {
  const rewrite_mode how = mode_ = rewrite_mode_of_response();
  facts_.status = response_.head.status;
  const http::field* named = http::find(response_.head.all, http::request_id_name);
  if (named != nullptr && named->value != facts_.id) facts_.answer_id = named->value;
  if (how == rewrite_mode::bypassed) {
    facts_.bypassed = http::is_encoded(response_.head.all) ? "compressed" : "asked";
    ++worker_.metrics.bypassed;
  }
  const bool bodiless = response_.head.body == http::framing::none;
  const bool too_large = response_.head.length > matched_.route->options.session.bounds.max_body_bytes;
  if (how == rewrite_mode::events && !bodiless) return relay_events();
  if (how == rewrite_mode::json && !bodiless && !too_large) return relay_json();
  if (how == rewrite_mode::json && !bodiless) facts_.bypassed = "too_large";
  return relay_untouched({});
}

/// A body that ends with the upstream connection is sent in chunks, so that the client can tell that it is
/// complete.
void upstream_exchange::write_head(http::framing body, std::uint64_t length, bool changed) {
  const bool chunks = request_.version == http::http_version::http_1_1;
  const bool open_end = body == http::framing::chunked || body == http::framing::until_close;
  output_.framing = !open_end ? body : chunks ? http::framing::chunked : http::framing::until_close;
  output_.keep_alive = keeps_client() && output_.framing != http::framing::until_close;
  http::client_framing how;
  how.body = output_.framing;
  how.length = length;
  how.changed = changed;
  how.close = !output_.keep_alive;
  how.request_id = facts_.id;
  how.bypassed = mode_ == rewrite_mode::bypassed;
  how.streamed = mode_ == rewrite_mode::events;
  http::append_client_head(response_.head, how, output_.head);
}

/// Releases the head of the response, which has been forwarded.
void upstream_exchange::forget_head() noexcept {
  std::string().swap(response_.bytes);
  http::fields().swap(response_.head.all);
}

/// The body bytes are in `worker_.buffers.input()` until the next wait.
awaitable<upstream_exchange::step> upstream_exchange::next_body(milliseconds quiet_after) {
  if (!times_.was_quiet) times_.last_arrival = clock::now();
  times_.was_quiet = false;
  for (;;) {
    std::string& out = worker_.buffers.clear_input();
    response_.undecoded.remove_prefix(response_.decoder.feed(response_.undecoded, out));
    if (response_.decoder.complete()) co_return step::complete;
    if (response_.decoder.malformed()) failure_ = failure::malformed;
    if (failure_ != failure::none) co_return step::failed;
    // Whatever is available is sent before more is requested, including the head.
    if (!out.empty() || !output_.head.empty()) co_return step::data;
    if (mode_ != rewrite_mode::json) forget_head();
    const auto idle = times_.last_arrival + options_.deadlines.upstream_idle;
    const auto quiet = quiet_after.count() > 0 ? clock::now() + quiet_after : idle;
    const auto deadline = std::min(idle, quiet);
    failure_ = co_await receive(deadline, failure::idle_timeout);
    if (failure_ == failure::idle_timeout && clock::now() < idle) {
      failure_ = failure::none;
      times_.was_quiet = true;
      worker_.buffers.clear_input();  // another stream has used it
      co_return step::quiet;
    }
    if (failure_ == failure::closed && response_.decoder.ends_with_connection()) {
      failure_ = failure::none;
      worker_.buffers.clear_input();
      co_return step::complete;
    }
  }
}

/// The bytes must stay in place until `client_` has taken them. written() does that for `worker_.buffers`.
void upstream_exchange::write(const client_link::pieces& bytes) {
  std::size_t size = 0;
  for (const std::string_view one : bytes) size += one.size();
  if (size == 0) return;
  worker_.metrics.note_unsent(size);
  facts_.client_bytes += size;
  client_.write(bytes);
  times_.written = clock::now();
}

awaitable<bool> upstream_exchange::send(const client_link::pieces& bytes) {
  write(bytes);
  bool sent = !client_.gone();
  if (client_.writing()) sent = co_await written();
  co_return sent;
}

/// Waits until the socket has taken everything. \return false if the client has disconnected.
awaitable<bool> upstream_exchange::written() {
  buffer_pair::taken kept = worker_.buffers.take();
  if (mode_ == rewrite_mode::events) kept.input.reset();  // the output is a rewritten copy
  const auto over = [&] { return !client_.writing() || client_.gone(); };
  const auto over_or_aborting = [&] { return over() || worker_.aborting; };
  const auto stall = times_.written + options_.deadlines.client_stall;
  co_await wake_->until(over_or_aborting, stall);
  const auto end = std::min(stall, clock::now() + final_write_time);
  co_await wake_->until(over, end);
  // The bytes belong to the caller: an unfinished write must not use them any longer.
  if (client_.writing()) client_.close();
  std::string().swap(output_.head);
  co_return !client_.gone();
}

/// Writes everything that one read released, as one chunk. \return false if the client has disconnected.
bool upstream_exchange::write_part(std::string_view data, bool last) {
  std::string_view end;
  std::string_view end_of_body;
  if (output_.framing == http::framing::chunked) {
    output_.chunk_start.clear();
    if (!data.empty()) http::append_chunk_start(data.size(), output_.chunk_start);
    if (!data.empty()) end = http::chunk_end;
    if (last) end_of_body = http::last_chunk;
  }
  const client_link::pieces pieces{output_.head, output_.chunk_start, data, end, end_of_body};
  write(pieces);
  if (!client_.writing())
    std::string().swap(output_.head);  // it would be kept for as long as the stream lasts
  return !client_.gone();
}

/// Decides after the last byte whether both connections can be used again.
bool upstream_exchange::finish(step how) {
  if (client_.gone()) {
    facts_.failed = failure::client_gone;
    ++worker_.metrics.clients_left;
    return false;
  }
  if (how == step::failed) {
    facts_.failed = failure_ == failure::none ? failure::closed : failure_;
    facts_.error = error_of(facts_.failed);
    ++worker_.metrics.upstream_errors;
    // If the body ends with the connection, only a reset shows that it is not complete.
    if (output_.framing == http::framing::until_close && !output_.failure_visible) client_.close(true);
    return false;
  }
  if (response_.head.persistent && link_->sent() && response_.undecoded.empty() && !link_->error()) {
    worker_.keep(*matched_.route->upstream, std::move(link_));
  }
  return output_.keep_alive;
}

/// Finishes the session. Sets \p how to failed if the stream ended inside a response.
void upstream_exchange::end_events(session& rewriter, step& how, std::string& out) {
  const bool aborted = how == step::failed;
  const failure_text text = describe(aborted ? failure_ : failure::closed);
  const stream_end end = aborted ? stream_end::aborted : stream_end::complete;
  const status result = rewriter.finish(out, end, text.message, text.code);
  const bool incomplete = result.code == errc::upstream_incomplete;
  if (incomplete) how = step::failed;
  // A stream of an unknown form gets no error event; one that was complete needs none.
  const bool event_sent = rewriter.recognised() != nullptr || rewriter.statistics().events == 0;
  output_.failure_visible = !incomplete || event_sent;
}

awaitable<bool> upstream_exchange::relay_events() {
  write_head(http::framing::chunked, 0, true);
  ++worker_.metrics.streams;
  session rewriter(answer_options(), &worker_.space);
  stream_meter meter(rewriter, facts_, worker_.metrics);
  facts_.running = &rewriter;
  const std::unique_ptr<recorder::stream> recording = record();
  event_gap gap;
  unread_records records(rewriter);
  std::string kept;  // input that waits for the client to read
  bool sent = true;
  step how = step::data;
  while (sent && (how == step::data || how == step::quiet)) {
    how = co_await next_body(options_.deadlines.keep_alive_comment);
    if (client_.gone()) break;
    std::string_view in = worker_.buffers.input();
    bool last = false;
    while (sent && !last) {
      std::string& out = worker_.buffers.clear_output();
      if (how == step::quiet && gap.between_events()) out = ": keep-alive\n\n";
      const std::string_view rewritten = rewrite(in, rewriter, records, meter, out);
      if (recording) recording->add(rewritten, times_.received);
      last = in.empty();
      if (last && (how == step::complete || how == step::failed)) end_events(rewriter, how, out);
      gap.feed(out);
      worker_.metrics.note_unsent(records.bytes() + out.size());
      kept = std::string(in);
      in = kept;
      sent = write_part(out, last && how == step::complete);
      if (client_.writing()) sent = co_await written();
      meter.sent(times_.written, sent);
      records.note_written(facts_.client_bytes, client_.unacknowledged());
      if (records.bytes() > unread_records::max_bytes) sent = co_await drained(records);
    }
  }
  co_return finish(how);
}

/// Rewrites the beginning of \p in, all of it unless it makes too many records. \return what was rewritten.
std::string_view upstream_exchange::rewrite(std::string_view& in, session& rewriter, unread_records& records,
                                            stream_meter& meter, std::string& out) {
  const std::string_view all = in;
  status last_error;  // about a single event, which passes unchanged
  do {
    const status error = rewriter.write(take_part(in), out);
    if (error) last_error = error;
    records.count_new();
  } while (!in.empty() && records.bytes() + out.size() <= unread_records::max_bytes);
  const std::string_view rewritten = all.substr(0, all.size() - in.size());
  meter.rewritten(rewritten, last_error, times_.received);
  return rewritten;
}

/// Waits until the client has read enough. \return false: it has disconnected, or was closed because it has
/// read nothing for too long.
awaitable<bool> upstream_exchange::drained(unread_records& records) {
  constexpr milliseconds look_every{20};
  std::size_t before = client_.unacknowledged();
  auto stall = times_.written + options_.deadlines.client_stall;
  while (records.bytes() > unread_records::max_bytes && !client_.gone() && !worker_.aborting) {
    const auto next = clock::now() + look_every;
    co_await wake_->sleep_until(next);
    const std::size_t now = client_.unacknowledged();
    records.note_written(facts_.client_bytes, now);
    if (now < before) stall = clock::now() + options_.deadlines.client_stall;
    if (clock::now() >= stall) client_.close();
    before = now;
  }
  co_return !client_.gone();
}

/// Returns null if recording is off.
std::unique_ptr<recorder::stream> upstream_exchange::record() {
  if (!worker_.reports.recordings.on()) return nullptr;
  recording_note note;
  note.request_id = facts_.id;
  note.method = request_.method;
  note.target = request_.target;
  note.route = facts_.route;
  note.status = response_.head.status;
  const http::field* type = http::find(response_.head.all, "content-type");
  if (type != nullptr) note.content_type = type->value;
  note.request = &request_.all;
  note.answer = &response_.head.all;
  return worker_.reports.recordings.begin(note, times_.request_sent);
}

awaitable<bool> upstream_exchange::relay_json() {
  std::string collected;
  step how = step::data;
  while (how == step::data && collected.size() <= matched_.route->options.session.bounds.max_body_bytes) {
    how = co_await next_body();
    collected += worker_.buffers.input();
  }
  bool keep = false;
  if (how == step::failed) {
    // Nothing has been sent yet: an error response is better than half a JSON text.
    keep = co_await fail(failure_);
  } else if (how == step::data) {
    facts_.bypassed = "too_large";
    keep = co_await relay_untouched(std::move(collected));
  } else {
    keep = co_await send_json(collected);
  }
  co_return keep;
}

awaitable<bool> upstream_exchange::send_json(const std::string& body) {
  std::string out;
  session rewriter(answer_options(), &worker_.space);
  stream_meter meter(rewriter, facts_, worker_.metrics);
  const status result = rewriter.rewrite_body(body, out);
  meter.rewritten(body, result, times_.received);
  if (result.code == errc::upstream_incomplete) {  // nothing of it has been sent
    const bool keep = co_await fail(failure::closed);
    co_return keep;
  }
  const bool changed = out != body;
  if (!result) ++worker_.metrics.bodies;
  write_head(http::framing::length, out.size(), changed);
  bool sent = write_part(out, true);
  if (client_.writing()) sent = co_await written();
  meter.sent(times_.written, sent);
  co_return finish(step::complete);
}

awaitable<bool> upstream_exchange::relay_untouched(std::string collected) {
  // Without a body, the length of a rewritten response is not known.
  const bool changed = response_.head.body == http::framing::none && mode_ == rewrite_mode::events;
  write_head(response_.head.body, response_.head.length, changed);
  bool sent = true;
  if (!collected.empty()) {
    sent = write_part(collected, false);
    if (client_.writing()) sent = co_await written();
  }
  step how = step::data;
  while (sent && how == step::data) {
    how = co_await next_body();
    if (client_.gone()) break;
    sent = write_part(worker_.buffers.input(), how == step::complete);
    if (client_.writing()) sent = co_await written();
  }
  co_return finish(how);
}

}  // namespace citestream
