#include <algorithm>
#include <utility>

#include "event_gap.hpp"
#include "exchange.hpp"
#include "stream_watch.hpp"

namespace citestream {
namespace {

using std::chrono::milliseconds;

/// What a client that the proxy leaves behind may still take.
constexpr milliseconds farewell{1000};

}  // namespace

http::treatment exchange::kind_of_answer() const noexcept {
  const bool json = request_.method == "POST" && way_.by->rewrites_json_of(request_.target);
  return http::treatment_of(json, way_.answer_bypass(), answer_);
}

/// Not a coroutine: those that it chooses from are, and many wait at once.
awaitable<bool> exchange::relay() {
  const http::treatment how = kind_ = kind_of_answer();
  seen_.status = answer_.status;
  const http::field* named = http::find(answer_.all, http::request_id_name);
  if (named != nullptr && named->value != seen_.id) seen_.answer_id = named->value;
  if (how == http::treatment::bypassed) {
    seen_.bypassed = http::is_encoded(answer_.all) ? "compressed" : "asked";
    home_.counters.bypassed.fetch_add(1, std::memory_order_relaxed);
  }
  const bool bodiless = answer_.body == http::framing::none;
  const bool too_large = answer_.length > way_.by->options.session.bounds.max_body_bytes;
  if (how == http::treatment::events && !bodiless) return relay_events();
  if (how == http::treatment::json && !bodiless && !too_large) return relay_json();
  if (how == http::treatment::json && !bodiless) seen_.bypassed = "too_large";
  return relay_untouched({});
}

/// A body that only the connection's end would end is sent in chunks: the client can tell that it is whole.
void exchange::write_head(http::framing body, std::uint64_t length, bool changed) {
  const bool chunks = request_.version == http::http_version::http_1_1;
  const bool open_end = body == http::framing::chunked || body == http::framing::until_close;
  client_body_ = !open_end ? body : chunks ? http::framing::chunked : http::framing::until_close;
  keep_client_ = keeps_client() && client_body_ != http::framing::until_close;
  http::client_framing how;
  how.body = client_body_;
  how.length = length;
  how.changed = changed;
  how.close = !keep_client_;
  how.request_id = seen_.id;
  how.bypassed = kind_ == http::treatment::bypassed;
  how.streamed = kind_ == http::treatment::events;
  http::append_client_head(answer_, how, head_);
}

/// What upstream said is said to the client: nothing more is asked of it.
void exchange::forget_head() noexcept {
  std::string().swap(raw_);
  http::fields().swap(answer_.all);
}

/// What has come of the body stands in `home_.room.in()`, until the next wait for anything.
awaitable<exchange::step> exchange::next_body(milliseconds quiet_after) {
  if (!was_quiet_) last_arrival_ = clock::now();
  was_quiet_ = false;
  for (;;) {
    std::string& out = home_.room.make_in();
    undecoded_.remove_prefix(decoder_.feed(undecoded_, out));
    if (decoder_.complete()) co_return step::complete;
    if (decoder_.malformed()) trouble_ = trouble::malformed;
    if (trouble_ != trouble::none) co_return step::failed;
    // Nothing waits: what is there leaves before more is asked for, the head too.
    if (!out.empty() || !head_.empty()) co_return step::data;
    if (kind_ != http::treatment::json) forget_head();
    const auto idle = last_arrival_ + options_.deadlines.upstream_idle;
    const auto quiet = quiet_after.count() > 0 ? clock::now() + quiet_after : idle;
    const auto deadline = std::min(idle, quiet);
    trouble_ = co_await receive(deadline, trouble::idle_timeout);
    if (trouble_ == trouble::idle_timeout && clock::now() < idle) {
      trouble_ = trouble::none;
      was_quiet_ = true;
      home_.room.empty_in();  // it was another stream's meanwhile
      co_return step::quiet;
    }
    if (trouble_ == trouble::closed && decoder_.ends_with_connection()) {
      trouble_ = trouble::none;
      home_.room.empty_in();
      co_return step::complete;
    }
  }
}

/// The bytes stay in place until `client_` has taken them; what stands in `home_.room` does in written().
void exchange::write(const client_link::pieces& bytes) {
  std::size_t size = 0;
  for (const std::string_view one : bytes) size += one.size();
  if (size == 0) return;
  home_.counters.note_unsent(size);
  seen_.client_bytes += size;
  client_.write(bytes);
  left_ = clock::now();
}

awaitable<bool> exchange::send(const client_link::pieces& bytes) {
  write(bytes);
  bool sent = !client_.gone();
  if (client_.writing()) sent = co_await written();
  co_return sent;
}

/// Waits until all that was written is taken. \return false: the client has gone.
awaitable<bool> exchange::written() {
  transfer_room::rooms kept = home_.room.leave();
  if (kind_ == http::treatment::events) kept.in.reset();  // rewritten: what leaves is not in there
  const auto over = [&] { return !client_.writing() || client_.gone(); };
  const auto over_or_aborting = [&] { return over() || home_.aborting; };
  const auto stall = left_ + options_.deadlines.client_stall;
  co_await wake_->until(over_or_aborting, stall);
  const auto end = std::min(stall, clock::now() + farewell);
  co_await wake_->until(over, end);
  // The bytes belong to the caller: a write that is still under way must not see them again.
  if (client_.writing()) client_.close();
  std::string().swap(head_);
  co_return !client_.gone();
}

/// Everything that one read released, in one write, as one chunk. \return whether the client is still there.
bool exchange::write_part(std::string_view data, bool last) {
  std::string_view end;
  std::string_view end_of_body;
  if (client_body_ == http::framing::chunked) {
    chunk_start_.clear();
    if (!data.empty()) http::append_chunk_start(data.size(), chunk_start_);
    if (!data.empty()) end = http::chunk_end;
    if (last) end_of_body = http::last_chunk;
  }
  const client_link::pieces pieces{head_, chunk_start_, data, end, end_of_body};
  write(pieces);
  if (!client_.writing()) std::string().swap(head_);  // not for as long as the stream lasts
  return !client_.gone();
}

/// After the last byte has left: what becomes of both connections.
bool exchange::finish(step how) {
  if (client_.gone()) {
    seen_.failed = trouble::client_gone;
    home_.counters.clients_left.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  if (how == step::failed) {
    seen_.failed = trouble_ == trouble::none ? trouble::closed : trouble_;
    home_.counters.upstream_errors.fetch_add(1, std::memory_order_relaxed);
    // Where only the connection's end tells the body's end, the end must not look like one.
    if (client_body_ == http::framing::until_close && !failure_told_) client_.close(true);
    return false;
  }
  if (answer_.persistent && link_->sent() && undecoded_.empty() && !link_->error()) {
    home_.keep(*way_.by->upstream, std::move(link_));
  }
  return keep_client_;
}

/// Sets \p how to failed where the stream ends inside an answer.
void exchange::end_events(session& rewriter, step& how, std::string& out) {
  const bool aborted = how == step::failed;
  const trouble_text text = describe(aborted ? trouble_ : trouble::closed);
  const stream_end end = aborted ? stream_end::aborted : stream_end::complete;
  const status result = rewriter.finish(out, end, text.message, text.code);
  const bool incomplete = result.code == errc::upstream_incomplete;
  if (incomplete) how = step::failed;
  // A stream of an unknown form is given no error event; one that has said all that it had to say needs none.
  const bool event_sent = rewriter.recognised() != nullptr || rewriter.statistics().events == 0;
  failure_told_ = !incomplete || event_sent;
}

awaitable<bool> exchange::relay_events() {
  home_.counters.streams.fetch_add(1, std::memory_order_relaxed);
  write_head(http::framing::chunked, 0, true);
  ++home_.metrics.streams;
  session rewriter(answer_options(), &home_.space);
  stream_watch watch(rewriter, seen_, home_.metrics);
  seen_.running = &rewriter;
  const std::unique_ptr<recorder::stream> recording = record();
  event_gap gap;
  unread_records records(rewriter);
  std::string kept;  // input that waits for the client to read
  bool sent = true;
  step how = step::data;
  while (sent && (how == step::data || how == step::quiet)) {
    how = co_await next_body(options_.deadlines.keep_alive_comment);
    if (client_.gone()) break;
    std::string_view in = home_.room.in();
    bool last = false;
    while (sent && !last) {
      std::string& out = home_.room.make_out();
      if (how == step::quiet && gap.here()) out = ": keep-alive\n\n";
      const std::string_view rewritten = rewrite(in, rewriter, records, watch, out);
      if (recording) recording->add(rewritten, arrived_);
      last = in.empty();
      if (last && (how == step::complete || how == step::failed)) end_events(rewriter, how, out);
      gap.feed(out);
      home_.counters.note_unsent(records.bytes() + out.size());
      kept = std::string(in);
      in = kept;
      sent = write_part(out, last && how == step::complete);
      if (client_.writing()) sent = co_await written();
      watch.sent(left_, sent);
      records.note_written(seen_.client_bytes, client_.unacknowledged());
      if (records.bytes() > unread_records::max_bytes) sent = co_await drained(records);
    }
  }
  co_return finish(how);
}

/// Rewrites the beginning of \p in, all of it unless it makes too many records. \return what was rewritten.
std::string_view exchange::rewrite(std::string_view& in, session& rewriter, unread_records& records,
                                   stream_watch& watch, std::string& out) {
  const std::string_view all = in;
  status last_error;  // about a single event, which passes unchanged
  do {
    const status error = rewriter.write(take_part(in), out);
    if (error) last_error = error;
    records.count_new();
  } while (!in.empty() && records.bytes() + out.size() <= unread_records::max_bytes);
  const std::string_view rewritten = all.substr(0, all.size() - in.size());
  watch.rewritten(rewritten, last_error, arrived_);
  return rewritten;
}

/// Waits until the client has read enough. \return false: it has disconnected, or was closed because it has
/// read nothing for too long.
awaitable<bool> exchange::drained(unread_records& records) {
  constexpr milliseconds look_every{20};
  std::size_t before = client_.unacknowledged();
  auto stall = left_ + options_.deadlines.client_stall;
  while (records.bytes() > unread_records::max_bytes && !client_.gone() && !home_.aborting) {
    const auto next = clock::now() + look_every;
    co_await wake_->sleep_until(next);
    const std::size_t now = client_.unacknowledged();
    records.note_written(seen_.client_bytes, now);
    if (now < before) stall = clock::now() + options_.deadlines.client_stall;
    if (clock::now() >= stall) client_.close();
    before = now;
  }
  co_return !client_.gone();
}

/// Null where nothing is recorded.
std::unique_ptr<recorder::stream> exchange::record() {
  if (!home_.watch.recordings.on()) return nullptr;
  recording_note note;
  note.request_id = seen_.id;
  note.method = request_.method;
  note.target = request_.target;
  note.route = seen_.route;
  note.status = answer_.status;
  const http::field* type = http::find(answer_.all, "content-type");
  if (type != nullptr) note.content_type = type->value;
  note.request = &request_.all;
  note.answer = &answer_.all;
  return home_.watch.recordings.begin(note, asked_);
}

awaitable<bool> exchange::relay_json() {
  std::string collected;
  step how = step::data;
  while (how == step::data && collected.size() <= way_.by->options.session.bounds.max_body_bytes) {
    how = co_await next_body();
    collected += home_.room.in();
  }
  bool keep = false;
  if (how == step::failed) {
    // Nothing has left yet: half a JSON text is worth less than an error that says why.
    keep = co_await give_up(trouble_);
  } else if (how == step::data) {
    seen_.bypassed = "too_large";
    keep = co_await relay_untouched(std::move(collected));
  } else {
    keep = co_await send_json(collected);
  }
  co_return keep;
}

awaitable<bool> exchange::send_json(const std::string& body) {
  std::string out;
  session rewriter(answer_options(), &home_.space);
  stream_watch watch(rewriter, seen_, home_.metrics);
  const status result = rewriter.rewrite_body(body, out);
  watch.rewritten(body, result, arrived_);
  if (result.code == errc::upstream_incomplete) {  // nothing of it has been sent
    const bool keep = co_await give_up(trouble::closed);
    co_return keep;
  }
  const bool changed = out != body;
  if (!result) home_.counters.bodies.fetch_add(1, std::memory_order_relaxed);
  write_head(http::framing::length, out.size(), changed);
  bool sent = write_part(out, true);
  if (client_.writing()) sent = co_await written();
  watch.sent(left_, sent);
  co_return finish(step::complete);
}

awaitable<bool> exchange::relay_untouched(std::string collected) {
  // Without its body, an answer that would be rewritten cannot say its length.
  const bool changed = answer_.body == http::framing::none && kind_ == http::treatment::events;
  write_head(answer_.body, answer_.length, changed);
  bool sent = true;
  if (!collected.empty()) {
    sent = write_part(collected, false);
    if (client_.writing()) sent = co_await written();
  }
  step how = step::data;
  while (sent && how == step::data) {
    how = co_await next_body();
    if (client_.gone()) break;
    sent = write_part(home_.room.in(), how == step::complete);
    if (client_.writing()) sent = co_await written();
  }
  co_return finish(how);
}

}  // namespace citestream
