#include "client_link.hpp"

#include <poll.h>
#include <utility>

namespace citestream {
namespace {

/// How late the end of a client is noticed behind bytes that are not read.
constexpr std::chrono::milliseconds look_every{50};

/// Whether the end has arrived, also behind bytes that nobody has read. A wait for reading cannot tell while
/// there are such bytes, and a wait for errors does not see an orderly end.
bool has_ended(int socket) {
  pollfd end{socket, POLLRDHUP, 0};
  return ::poll(&end, 1, 0) > 0;
}

/// Shared by all connections of a thread: a connection that only waits keeps no buffer of its own.
std::array<char, 16 * 1024>& scratch() {
  thread_local std::array<char, 16 * 1024> bytes;
  return bytes;
}

}  // namespace

client_link::client_link(tcp::socket socket, std::shared_ptr<wakeup> wake)
    : socket_(std::move(socket)), look_(socket_.get_executor()), wake_(std::move(wake)) {}

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
  if (reading_ || gone_) return;
  if (unread_.size() >= max_unread) return watch();
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

void client_link::watch() {
  if (watching_) return;
  watching_ = true;
  look_.expires_after(look_every);
  look_.async_wait([self = shared_from_this()](error_code cancelled) { self->on_look(cancelled); });
}

void client_link::on_look(error_code cancelled) {
  watching_ = false;
  if (cancelled || gone_) return;
  // Enough may have been used since: then a read is armed already, or is now.
  if (unread_.size() < max_unread || !has_ended(socket_.native_handle())) return arm();
  gone_ = true;
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
  look_.cancel();
  gone_ = true;
}

}  // namespace citestream
