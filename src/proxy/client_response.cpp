// Writes everything that a client gets: responses of upstreams, interim responses, and errors of the proxy.
// Everything that one read of the upstream releases is written at once, as one chunk.
//
// A write is tried immediately; only if the socket does not take everything does the caller wait, and then
// nothing is read from the upstream. That is the back-pressure: a client that does not read stops a stream
// after at most one read. Citation records of text that the client has not read count as unsent bytes
// (drained()). A wait ends if the client has read nothing for client_stall_timeout, and at total_timeout
// (while_read()).
//
// The bytes of a write are often in the buffers that the streams of a worker share. If a response must wait
// for its client, it takes the buffers with it (written()).

#include "client_response.hpp"

#include <algorithm>

#include "http/body_decoder.hpp"
#include "http/error_response.hpp"
#include "http/forwarding.hpp"

namespace citestream {
namespace {

using std::chrono::milliseconds;

/// How long the client may read the rest of a response after the proxy has begun to abort.
constexpr milliseconds final_write_time{1000};

}  // namespace

void client_response::set_head(const http::response_head& from, rewrite_mode mode, http::framing body,
                               std::uint64_t length, bool changed) {
  const bool chunks = request_.head.version == http::http_version::http_1_1;
  const bool open_end = body == http::framing::chunked || body == http::framing::until_close;
  mode_ = mode;
  framing_ = !open_end ? body : chunks ? http::framing::chunked : http::framing::until_close;
  keep_alive_ = client_can_stay() && framing_ != http::framing::until_close;
  const http::client_framing how{.body = framing_,
                                 .length = length,
                                 .close = !keep_alive_,
                                 .changed = changed,
                                 .request_id = request_.facts.id,
                                 .bypassed = mode == rewrite_mode::bypassed,
                                 .streamed = mode == rewrite_mode::events};
  http::append_client_head(from, how, head_);
}

/// The bytes must stay in place until the client has taken them. written() does that for `worker::buffers`.
void client_response::write(const client_link::pieces& bytes) {
  std::size_t size = 0;
  for (const std::string_view one : bytes) size += one.size();
  if (size == 0) return;
  request_.owner.metrics.note_unsent(size);
  request_.facts.bytes.client += size;
  request_.client.write(bytes);
  written_at_ = clock::now();
}

awaitable<bool> client_response::send_part(std::string_view data, bool last) {
  std::string_view end;
  std::string_view end_of_body;
  if (framing_ == http::framing::chunked) {
    chunk_start_.clear();
    if (!data.empty()) http::append_chunk_start(data.size(), chunk_start_);
    if (!data.empty()) end = http::chunk_end;
    if (last) end_of_body = http::last_chunk;
  }
  const client_link::pieces pieces{head_, chunk_start_, data, end, end_of_body};
  write(pieces);
  // Otherwise the head would be kept for as long as the stream lasts.
  if (!request_.client.writing()) std::string().swap(head_);
  return written();
}

/// Waits until \p done, or until the client has not read anything for too long. A client that reads slowly
/// has until the end of `total_timeout`.
template <class Done>
awaitable<void> client_response::while_read(const Done& done, milliseconds look_every) {
  client_link& client = request_.client;
  const proxy_deadlines& deadlines = request_.deadlines();
  std::size_t before = client.unread_by_client();
  auto stall = clock::now() + deadlines.client_stall;
  const auto latest = std::max(stall, request_.facts.began + deadlines.total);
  bool is_done = done();
  while (!is_done && clock::now() < stall) {
    const auto next = std::min(stall, clock::now() + look_every);
    is_done = co_await request_.wake->until(done, next);
    const std::size_t now = client.unread_by_client();
    if (now < before) stall = std::min(latest, clock::now() + deadlines.client_stall);
    before = now;
  }
}

/// Waits until the socket has taken everything. \return false if the client has disconnected.
awaitable<bool> client_response::written() {
  client_link& client = request_.client;
  if (!client.writing()) co_return !client.disconnected();
  buffer_pair::taken kept = request_.owner.buffers.take();
  if (mode_ == rewrite_mode::events) kept.input.reset();  // the output is a rewritten copy
  const auto over = [&] { return !client.writing() || client.disconnected(); };
  const auto over_or_aborting = [&] { return over() || request_.owner.aborting(); };
  const milliseconds look_every = request_.deadlines().client_stall / 8;
  co_await while_read(over_or_aborting, look_every);
  const auto end = request_.owner.aborting() ? clock::now() + final_write_time : clock::now();
  co_await request_.wake->until(over, end);
  // The bytes belong to the caller: an unfinished write must not use them any longer.
  if (client.writing()) {
    if (!client.disconnected())
      lost_ = request_.owner.aborting() ? failure::shutdown : failure::client_stalled;
    client.close();
  }
  std::string().swap(head_);
  co_return !client.disconnected();
}

awaitable<bool> client_response::send(const client_link::pieces& bytes) {
  write(bytes);
  return written();
}

awaitable<bool> client_response::send_error(http::own_error error, bool close) {
  request_.facts.status = error.status;
  const bool bodiless = request_.head.method == "HEAD";
  const std::string answer =
      http::error_response(error, {request_.head.target, request_.facts.id, close, bodiless});
  const client_link::pieces bytes{answer};
  const bool sent = co_await send(bytes);
  co_return sent;
}

awaitable<bool> client_response::drained(unread_records& records) {
  constexpr milliseconds look_every{20};
  client_link& client = request_.client;
  const auto done = [&] {
    records.note_written(request_.facts.bytes.client, client.unacknowledged());
    return records.bytes() <= unread_records::max_bytes || client.disconnected() || request_.owner.aborting();
  };
  co_await while_read(done, look_every);
  if (!done()) {
    lost_ = failure::client_stalled;
    client.close();
  }
  co_return !client.disconnected();
}

void client_response::break_off() {
  if (framing_ == http::framing::until_close && !end_visible_) request_.client.close(true);
}

bool client_response::client_can_stay() const noexcept {
  return request_.head.persistent && !request_.owner.draining();
}

}  // namespace citestream
