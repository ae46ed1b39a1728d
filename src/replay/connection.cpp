// How a connection works.
//
// Requests are read one at a time. on_head() rejects an unknown coding, because Beast reads such a body as
// the next request, and sends 100 Continue to a client that waits for it. A body is written in one piece. A
// stream is written step by step from its send_plan: next_step() waits until the step is due, write_step()
// writes it, on_written() continues. During a stream watch_client() also waits until the socket is readable,
// which reports a disconnect while nothing is written.
//
// After a stream on a kept-alive connection that wait is still pending. on_written() then sets the phase
// `complete` and cancels the wait, whose handler reads the next request: two operations never read from the
// socket at once.
// Each handler holds a shared pointer: the connection is freed after its last operation.
#include "replay/connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/status.hpp>

#include "send_time.hpp"

namespace citestream::replay {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

/// Limits for requests, far above what APIs accept.
constexpr std::uint64_t max_body_bytes = 16U * 1024 * 1024;
constexpr std::uint32_t max_head_bytes = 64U * 1024;

/// Time limit for reading the rest of a rejected request.
constexpr std::chrono::seconds drain_time{2};

constexpr std::string_view last_chunk = "0\r\n\r\n";
constexpr std::string_view continue_head = "HTTP/1.1 100 Continue\r\n\r\n";

/// Returns the head of a response. It contains nothing from the request.
std::string response_head(unsigned status, std::string_view content_type, std::string_view framing,
                          bool keep_alive) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + ' ';
  head += http::obsolete_reason(static_cast<http::status>(status));
  head.append("\r\nContent-Type: ").append(content_type).append("\r\n").append(framing);
  head.append(keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n");
  return head;
}

}  // namespace

void connection::start() {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  ++shared_->connections;
  read_request();
}

void connection::read_request() {
  parser_.emplace();
  parser_->body_limit(max_body_bytes);
  parser_->header_limit(max_head_bytes);
  http::async_read_header(socket_, buffer_, *parser_,
                          [self = shared_from_this()](error_code error, std::size_t) {
                            if (error) return self->on_request(error);
                            self->on_head();
                          });
}

void connection::on_head() {
  const auto& head = parser_->get();
  head_only_ = head.method() == http::verb::head;
  if (head.count(http::field::transfer_encoding) != 0 && !parser_->chunked()) {
    return send_error_and_close(error_answer(501, "unknown_coding", "only the coding chunked is supported"));
  }
  if (head.version() < 11 || !boost::beast::iequals(head[http::field::expect], "100-continue")) {
    return read_body();
  }
  asio::async_write(socket_, asio::buffer(continue_head),
                    [self = shared_from_this()](error_code error, std::size_t) {
                      if (error) return self->close();
                      self->read_body();
                    });
}

void connection::read_body() {
  http::async_read(socket_, buffer_, *parser_,
                   [self = shared_from_this()](error_code error, std::size_t) { self->on_request(error); });
}

void connection::on_request(error_code error) {
  if (error == http::error::body_limit) {
    return send_error_and_close(error_answer(
        413, "body_too_large", "the request body exceeds " + std::to_string(max_body_bytes) + " bytes"));
  }
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return send_error_and_close(error_answer(
        431, "head_too_large", "the request head exceeds " + std::to_string(max_head_bytes) + " bytes"));
  }
  if (error && error.category() == http::make_error_code(http::error::bad_method).category() &&
      error != http::error::end_of_stream && error != http::error::partial_message) {
    return send_error_and_close(error_answer(400, "bad_request", "not an HTTP request: " + error.message()));
  }
  if (error) return close();  // the client has closed the connection
  ++shared_->requests;
  const auto& request = parser_->get();
  answer what =
      shared_->recordings.respond({request.method_string().data(), request.method_string().size()},
                                  {request.target().data(), request.target().size()}, request.body());
  if (what.stream != nullptr) return start_stream(*what.stream, request.version(), request.keep_alive());
  send_body(std::move(what), request.keep_alive());
}

void connection::send_body(answer what, bool keep_alive) {
  keep_alive_ = keep_alive;
  const std::string framing = "Content-Length: " + std::to_string(what.body.size()) + "\r\n";
  head_ = response_head(what.status, what.content_type, framing + what.fields, keep_alive);
  if (!head_only_) head_ += what.body;
  log(what.note + ": body, " + std::to_string(what.body.size()) + " bytes");
  asio::async_write(socket_, asio::buffer(head_), [self = shared_from_this()](error_code error, std::size_t) {
    if (error) return self->close();
    if (!self->keep_alive_) return self->drain();
    self->read_request();
  });
}

void connection::start_stream(const prepared_stream& from, unsigned http_version, bool keep_alive) {
  ++shared_->streams_started;
  stream_ = {};
  stream_.recording = &from;
  stream_.plan = http_version >= 11 ? &from.chunked : &from.bare;
  stream_.round_started = clock::now();
  keep_alive_ = keep_alive && stream_.chunked();  // otherwise the close ends the body
  std::string framing = "Cache-Control: no-cache\r\n";
  if (stream_.chunked()) framing += "Transfer-Encoding: chunked\r\n";
  head_ = response_head(200, from.content_type, framing, keep_alive_);
  log(from.name + ": stream begins");
  watch_client();
  write(head_);
}

/// Detects a client that disconnects while nothing is written: the socket becomes readable, but no bytes are
/// available.
void connection::watch_client() {
  watching_ = true;
  socket_.async_wait(asio::ip::tcp::socket::wait_read, [self = shared_from_this()](error_code error) {
    self->watching_ = false;
    if (self->stream_.at == running_stream::phase::complete) return self->read_request();
    if (!self->socket_.is_open() || error == asio::error::operation_aborted) return;
    error_code failure;
    const bool more = self->socket_.available(failure) > 0;
    // The client has sent its next request. It stays in the socket, and this stream is not watched any more.
    if (!error && !failure && more) return;
    self->client_disconnected();
  });
}

void connection::next_step() {
  if (stream_.next_step == stream_.plan->steps.size() && shared_->loop && !stream_.plan->dies &&
      !stream_.plan->steps.empty()) {
    stream_.next_step = 0;
    stream_.round_started += stream_.plan->length;
  }
  if (stream_.next_step == stream_.plan->steps.size()) return end_stream();
  const clock::time_point due = stream_.round_started + stream_.plan->steps[stream_.next_step].due;
  if (due <= clock::now()) return write_step();
  timer_.expires_at(due);
  timer_.async_wait([self = shared_from_this()](error_code error) {
    if (error || !self->socket_.is_open()) return;
    self->write_step();
  });
}

void connection::write_step() {
  const send_step& step = stream_.plan->steps[stream_.next_step++];
  if (step.times.empty()) return write(step.bytes);
  timed_ = step.bytes;
  const clock::time_point now = clock::now();
  for (const std::size_t place : step.times) write_send_time(now, timed_.data() + place);
  write(timed_);
}

void connection::write(const std::string& bytes) {
  asio::async_write(socket_, asio::buffer(bytes),
                    [self = shared_from_this()](error_code error, std::size_t) { self->on_written(error); });
}

void connection::on_written(error_code error) {
  if (!socket_.is_open()) return;  // the disconnect was detected
  if (error) return client_disconnected();
  if (stream_.at == running_stream::phase::last_chunk) {
    ++shared_->streams_complete;
    log(stream_.recording->name + ": stream complete, " + std::to_string(stream_.payload_sent) + " bytes");
    if (!keep_alive_) return close();
    if (!watching_) return read_request();
    stream_.at = running_stream::phase::complete;
    error_code ignored;
    socket_.cancel(ignored);  // the handler of the wait reads the next request
    return;
  }
  if (stream_.next_step != 0) stream_.payload_sent += stream_.plan->steps[stream_.next_step - 1].payload;
  next_step();
}

void connection::end_stream() {
  if (stream_.plan->dies) {
    log(stream_.recording->name + ": broken off after " + std::to_string(stream_.payload_sent) + " bytes");
    return close();
  }
  stream_.at = running_stream::phase::last_chunk;
  if (!stream_.chunked()) return on_written({});
  head_ = last_chunk;
  write(head_);
}

void connection::client_disconnected() {
  ++shared_->streams_disconnected;
  log(stream_.recording->name + ": client disconnected after " + std::to_string(stream_.payload_sent) +
      " bytes");
  close();
}

void connection::log(const std::string& what) {
  if (shared_->log) shared_->log(what);
}

/// Reads what the client still sends, for a limited time. Closing a socket with unread bytes resets the
/// connection, and the client may lose the answer (RFC 9112, 9.6).
void connection::drain() {
  error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  timer_.expires_after(drain_time);
  timer_.async_wait([self = shared_from_this()](error_code cancelled) {
    if (!cancelled) self->close();
  });
  discard();
}

void connection::discard() {
  socket_.async_read_some(asio::buffer(unread_), [self = shared_from_this()](error_code error, std::size_t) {
    if (error) return self->close();
    self->discard();
  });
}

void connection::close() noexcept {
  error_code ignored;
  timer_.cancel();
  socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

}  // namespace citestream::replay
