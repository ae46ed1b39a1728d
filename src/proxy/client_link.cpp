#include "client_link.hpp"

#include <utility>

namespace citestream {
namespace {

/// Shared by all connections of a thread: a connection that only waits keeps no buffer of its own.
std::array<char, 16 * 1024>& scratch() {
  thread_local std::array<char, 16 * 1024> bytes;
  return bytes;
}

}  // namespace

client_link::client_link(tcp::socket socket, std::shared_ptr<wakeup> wake)
    : socket_(std::move(socket)), wake_(std::move(wake)) {}

void client_link::start() {
  error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
  arm();
}

void client_link::consume(std::size_t bytes) {
  unread_.erase(0, bytes);
  arm();
}

void client_link::arm() {
  if (reading_ || gone_ || unread_.size() >= max_unread) return;
  reading_ = true;
  socket_.async_wait(tcp::socket::wait_read,
                     [self = shared_from_this()](error_code error) { self->on_readable(error); });
}

void client_link::on_readable(error_code error) {
  reading_ = false;
  if (gone_) return;
  std::size_t size = 0;
  if (!error) size = socket_.read_some(asio::buffer(scratch()), error);
  if (error == asio::error::would_block || error == asio::error::interrupted) return arm();
  if (error) {
    gone_ = true;
  } else {
    unread_.append(scratch().data(), size);
    arm();
  }
  wake_->notify();
}

void client_link::write(const pieces& bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) outgoing_[i] = asio::buffer(bytes[i]);
  writing_ = true;
  asio::async_write(socket_, outgoing_, [self = shared_from_this()](error_code error, std::size_t) {
    self->writing_ = false;
    if (error) self->gone_ = true;
    self->wake_->notify();
  });
}

void client_link::shut() {
  error_code ignored;
  socket_.shutdown(tcp::socket::shutdown_send, ignored);
}

void client_link::close(bool reset) {
  error_code ignored;
  if (reset) socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  socket_.close(ignored);
  gone_ = true;
}

}  // namespace citestream
