// How a client works.
//
// A client is one coroutine: it connects, sends a request, reads the answer and starts again. Every wait has
// a deadline, which expire() checks from outside. If the server closes a reused connection before the first
// byte of an answer, the request is sent once more. Every other failure is a fault of the answer.
#include "virtual_client.hpp"

#include <algorithm>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/error.hpp>

#include "base/field_text.hpp"

namespace citestream::load {
namespace {

namespace beast_http = boost::beast::http;

constexpr std::size_t read_bytes = 16 * 1024;
constexpr std::uint32_t max_head_bytes = 64 * 1024;

/// Pause after an answer with a fault, so that a failing server is not flooded.
constexpr std::chrono::milliseconds retry_pause{100};

/// Returns how a body of this Content-Type is read; nothing if the request did not ask for it. NDJSON and
/// binary messages are always accepted.
std::optional<body_form> form_of(std::string_view type, bool stream) {
  const std::string_view name = http::media_type(type);
  if (http::is_ndjson(type)) return body_form::lines;
  if (http::same_name(name, http::message_stream_type)) return body_form::messages;
  if (!http::same_name(name, stream ? "text/event-stream" : "application/json")) return std::nullopt;
  return stream ? body_form::events : body_form::json;
}

}  // namespace

virtual_client::virtual_client(shared_run& shared, std::size_t number)
    : shared_(shared),
      turn_(number),
      connection_(shared.io, shared.options.to, shared.tls),
      pause_(shared.io),
      answer_(shared.options.checking, shared.counts) {}

awaitable<void> virtual_client::run(std::chrono::nanoseconds delay) {
  co_await pause(delay);
  while (!shared_.stopping && shared_.requests_left != 0) {
    --shared_.requests_left;
    const prepared_request& prepared = shared_.requests[turn_++ % shared_.requests.size()];
    tally& counts = shared_.counts;
    counts.open_max = std::max(counts.open_max, ++counts.open);
    co_await exchange(prepared);
    --counts.open;
    const bool wrong = settle();
    if (wrong) co_await pause(retry_pause);
  }
  connection_.close();
}

/// Sends one request and reads its answer. The server may close an idle connection at any time; then the
/// request is sent once more (RFC 9112, 9.3.1).
awaitable<void> virtual_client::exchange(const prepared_request& prepared) {
  begin_answer();
  for (bool again = true; again;) {
    attempt_.reused = connection_.is_open();
    if (!attempt_.reused) {
      const bool connected = co_await connect();
      if (!connected) co_return;
    }
    const bool sent = co_await send(prepared.bytes);
    if (sent) co_await receive(prepared);
    again = attempt_.reused && attempt_.broken && attempt_.answer == arrival::nothing && !attempt_.expired &&
            !shared_.stopping;
    if (again) {
      ++shared_.counts.resent;
      connection_.close();
      begin_answer();
    }
  }
  const bool keep = attempt_.complete() && !attempt_.broken && parser_->keep_alive() && buffer_.size() == 0;
  if (!keep) connection_.close();
}

void virtual_client::begin_answer() {
  buffer_.clear();
  parser_.reset();
  attempt_ = {};
}

awaitable<bool> virtual_client::connect() {
  const clock::time_point started = clock::now();
  wait_for(shared_.options.times.connect_timeout);
  error_code error = co_await connection_.connect(shared_.where);
  fault kind = fault::connect;
  if (!error) {
    kind = fault::tls;
    error = co_await connection_.shake_hands();
  }
  deadline_.reset();
  if (error) {
    if (!shared_.stopping) answer_.note(kind, attempt_.expired ? "not in time" : error.message());
    connection_.close();
    co_return false;
  }
  ++shared_.counts.connections;
  shared_.counts.note(&latencies::connecting, clock::now() - started);
  co_return true;
}

awaitable<bool> virtual_client::send(const std::string& bytes) {
  ++shared_.counts.requests;
  attempt_.sent = clock::now();
  wait_for(shared_.options.times.idle_timeout);
  const error_code error = co_await connection_.write(bytes);
  deadline_.reset();
  // A server may answer and close before it has read everything. Its answer explains more than the write
  // error.
  attempt_.broken = error && attempt_.reused;
  co_return !attempt_.broken;
}

awaitable<void> virtual_client::receive(const prepared_request& prepared) {
  begin_head();
  while (!attempt_.complete() && !attempt_.broken) {
    error_code error;
    const std::size_t size = co_await read_once(error);
    const clock::time_point arrived = clock::now();
    if (size != 0 && attempt_.answer == arrival::nothing)
      shared_.counts.note(&latencies::first_byte, arrived - attempt_.sent);
    if (size != 0) attempt_.answer = std::max(attempt_.answer, arrival::head);
    const bool well_formed = take(prepared, arrived);
    if (well_formed && error && !attempt_.complete()) at_end(error);
  }
  if (attempt_.answer >= arrival::body) answer_.finish(attempt_.complete());
  if (attempt_.complete()) shared_.counts.note(&latencies::whole_answer, clock::now() - attempt_.sent);
}

void virtual_client::begin_head() {
  parser_.emplace();
  parser_->eager(true);
  parser_->body_limit(boost::none);
  parser_->header_limit(max_head_bytes);
}

awaitable<std::size_t> virtual_client::read_once(error_code& error) {
  wait_for(shared_.options.times.idle_timeout);
  const auto into = buffer_.prepare(read_bytes);
  const std::size_t size = co_await connection_.read(into, error);
  deadline_.reset();
  buffer_.commit(size);
  co_return size;
}

/// Parses the buffered bytes. \return false if they are not HTTP
bool virtual_client::take(const prepared_request& prepared, clock::time_point arrived) {
  error_code error;
  while (!error && buffer_.size() != 0 && !attempt_.complete()) {
    buffer_.consume(parser_->put(buffer_.data(), error));
    if (error && error != beast_http::error::need_more) break;
    if (parser_->is_header_done() && attempt_.answer < arrival::body) {
      if (parser_->get().result_int() < 200) {  // interim responses such as 100 Continue
        begin_head();
        continue;
      }
      begin_body(prepared);
    }
    if (parser_->is_done()) attempt_.answer = arrival::complete;
  }
  if (attempt_.answer >= arrival::body) feed_body(arrived);
  if (attempt_.complete() && buffer_.size() != 0) answer_.note(fault::http, "bytes after the answer's end");
  if (!error || error == beast_http::error::need_more) return true;
  answer_.note(fault::http, error.message());
  attempt_.broken = true;
  return false;
}

void virtual_client::begin_body(const prepared_request& prepared) {
  attempt_.answer = arrival::body;
  const auto& head = parser_->get();
  ++shared_.counts.statuses[head.result_int()];
  const auto field = head[beast_http::field::content_type];
  const std::string_view type(field.data(), field.size());
  std::optional<body_form> form;
  if (head.result_int() != 200) {
    answer_.note(fault::status, std::to_string(head.result_int()));
  } else if (form = form_of(type, prepared.stream); !form) {
    answer_.note(fault::content_type, type.empty() ? "none" : std::string(type));
  }
  answer_.begin(prepared, form.value_or(body_form::unread), attempt_.sent);
}

void virtual_client::feed_body(clock::time_point arrived) {
  boost::beast::flat_buffer& body = parser_->get().body();
  const auto bytes = body.cdata();
  if (bytes.size() != 0) answer_.feed({static_cast<const char*>(bytes.data()), bytes.size()}, arrived);
  body.clear();
}

/// Handles the end of the connection: a complete answer, a fault, or a reason to send the request again.
void virtual_client::at_end(error_code error) {
  attempt_.broken = true;
  if (shared_.stopping) return;
  if (attempt_.expired) {
    answer_.note(fault::silence, attempt_.answer != arrival::nothing ? "inside the answer" : "no answer");
    return;
  }
  if (attempt_.reused && attempt_.answer == arrival::nothing) return;
  error_code unfinished;
  const bool clean = error == asio::error::eof;
  if (clean && parser_->is_header_done()) parser_->put_eof(unfinished);
  if (clean && parser_->is_header_done() && !unfinished) {
    attempt_.answer = arrival::complete;
    return;
  }
  const std::string where = attempt_.answer == arrival::nothing ? "before the answer"
                            : attempt_.answer >= arrival::body  ? "inside the answer"
                                                                : "in its head";
  answer_.note(fault::cut, where + (clean ? "" : ": " + error.message()));
}

/// Counts the answer. \return true if it had a fault
bool virtual_client::settle() {
  const bool wrong = answer_.settle();
  if (!attempt_.complete() && !wrong) {
    ++shared_.counts.unfinished;
    return false;
  }
  shared_.counts.note(&counts::answers, 1);
  if (wrong) shared_.counts.note(&counts::wrong, 1);
  return wrong;
}

awaitable<void> virtual_client::pause(std::chrono::nanoseconds time) {
  if (time.count() <= 0 || shared_.stopping) co_return;
  pause_.expires_after(time);
  error_code cancelled;
  auto token = asio::redirect_error(asio::use_awaitable, cancelled);
  co_await pause_.async_wait(token);
}

void virtual_client::expire(clock::time_point now) {
  if (!deadline_ || *deadline_ > now) return;
  attempt_.expired = true;
  connection_.close();
}

void virtual_client::stop() {
  pause_.cancel();
  connection_.close();
}

}  // namespace citestream::load
