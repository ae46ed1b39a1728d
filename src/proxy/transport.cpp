// Reading: a connection waits for readability without a buffer, and then reads into the one buffer of its
// thread, which holds the bytes until the next read of any connection. So ten thousand idle connections need
// no buffers.
//
// Writing: write() sends what the socket takes immediately. Only if something is left does it wait for
// writability, and on_written() follows. Plain bytes are not copied; TLS records are kept in `sealed_` until
// they are sent.
//
// With TLS the bytes pass through a tls_engine in both directions. The engine can produce messages of its own
// at any time (handshake, tickets, key updates); flush() sends them. They are limited, because a peer could
// request them without reading.

#include "transport.hpp"

#include <utility>

namespace citestream {
namespace {

/// The most that one read returns.
constexpr std::size_t shared_bytes = 64 * 1024;
/// Limit for pending TLS messages to a peer that does not read.
constexpr std::size_t max_own_bytes = 64 * 1024;

struct shared_space {
  std::array<char, shared_bytes> wire;
  std::string plain;
};

shared_space& space() {
  thread_local const std::unique_ptr<shared_space> all = std::make_unique<shared_space>();
  return *all;
}

}  // namespace

void transport::prepare() {
  error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);  // not for Unix sockets
  socket_.non_blocking(true, ignored);
}

tls_engine& transport::secure(SSL_CTX* context, tls_engine::side which) {
  return tls_.emplace(context, which);
}

void transport::start_tls() {
  tls_->start(sealed_);
  flush();
}

void transport::arm_read() {
  socket_.async_wait(socket_type::wait_read, [self = shared_from_this()](error_code error) {
    self->step([&] { self->on_readable(error); });
  });
}

std::string_view transport::arrived(error_code& error) {
  auto& wire = space().wire;
  std::size_t size = 0;
  if (!error) size = socket_.read_some(asio::buffer(wire), error);
  if (error == asio::error::would_block || error == asio::error::interrupted) error.clear();
  const std::string_view received(wire.data(), size);
  return tls_ ? decrypt(received, error) : received;
}

std::string_view transport::decrypt(std::string_view wire, error_code& error) {
  std::string& plain = space().plain;
  plain.clear();
  tls_->feed(wire, plain, sealed_);
  flush();
  if (tls_->close_notify_received()) {
    error = asio::error::eof;
  } else if (tls_->failed() || error == asio::error::eof) {
    error = asio::error::connection_reset;  // an end without close_notify may be forged
  } else if (!writing_ && unsent() > max_own_bytes) {
    error = asio::error::connection_reset;  // the peer requests key updates and does not read
  }
  return plain;
}

bool transport::write(const pieces& bytes, error_code& error) {
  if (tls_) {
    std::string& plain = space().plain;
    plain.clear();
    for (const std::string_view one : bytes) plain.append(one);
    if (!tls_->seal(plain, sealed_)) error = asio::error::connection_reset;
  } else {
    for (std::size_t i = 0; i < bytes.size(); ++i) rest_[i] = asio::buffer(bytes[i]);
  }
  if (error || push(error)) return true;
  writing_ = !error;
  if (writing_) wait_until_writable();
  return !writing_;
}

void transport::flush() {
  error_code ignored;  // reading reports it
  if (!writing_ && !push(ignored) && !ignored) wait_until_writable();
}

/// Sends what the socket takes. \return true if nothing is left.
bool transport::push(error_code& error) {
  if (tls_) rest_[0] = asio::buffer(sealed_) + sealed_sent_;
  while (asio::buffer_size(rest_) != 0) {
    std::size_t sent = socket_.write_some(rest_, error);
    if (error == asio::error::would_block || error == asio::error::interrupted) {
      error.clear();
      forget_sent();
      return false;
    }
    if (error) return false;
    if (tls_) sealed_sent_ += sent;
    if (tls_) rest_[0] = asio::buffer(sealed_) + sealed_sent_;
    for (std::size_t i = 0; !tls_ && i < rest_.size(); ++i) {
      const std::size_t here = std::min(sent, rest_[i].size());
      rest_[i] += here;
      sent -= here;
    }
  }
  if (tls_) std::string().swap(sealed_);
  sealed_sent_ = 0;
  return true;
}

std::size_t transport::unsent() const noexcept {
  return tls_ ? sealed_.size() - sealed_sent_ : asio::buffer_size(rest_);
}

/// Discards sent bytes only when they are the larger part, to avoid moving the rest too often.
void transport::forget_sent() {
  if (sealed_sent_ < sealed_.size() - sealed_sent_) return;
  sealed_.erase(0, sealed_sent_);
  sealed_sent_ = 0;
}

void transport::wait_until_writable() {
  if (std::exchange(waiting_, true)) return;
  socket_.async_wait(socket_type::wait_write, [self = shared_from_this()](error_code error) {
    self->waiting_ = false;
    self->step([&] { self->on_writable(error); });
  });
}

void transport::on_writable(error_code error) {
  const bool done = !error && push(error);
  if (!done && !error) return wait_until_writable();
  if (std::exchange(writing_, false)) on_written(error);
}

void transport::end_writing() {
  error_code ignored;
  if (tls_) {
    tls_->send_close_notify(sealed_);
    flush();
  }
  socket_.shutdown(socket_type::shutdown_send, ignored);
}

void transport::close_socket(bool reset) {
  error_code ignored;
  if (reset) socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
}

}  // namespace citestream
