#include "client_link.hpp"

#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <utility>

namespace citestream {
namespace {

/// How often the socket is polled for the end while nothing is read.
constexpr std::chrono::milliseconds poll_every{50};

/// Limit for unsent bytes in the kernel, which would otherwise take megabytes.
constexpr int unsent_bytes = 64 * 1024;
using unsent_bound = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>;

/// Returns true if the end has arrived, even after bytes that are not read yet. Waiting for readability
/// cannot detect that, and waiting for errors misses an orderly end.
bool has_ended(int socket) {
  pollfd end{socket, POLLRDHUP, 0};
  return ::poll(&end, 1, 0) > 0;
}

}  // namespace

client_link::client_link(socket_type socket, SSL_CTX* context, std::shared_ptr<wakeup> wake)
    : transport(std::move(socket)), poll_timer_(this->socket().get_executor()), wake_(std::move(wake)) {
  if (context != nullptr) secure(context, tls_engine::side::server);
}

void client_link::start() {
  prepare();
  error_code ignored;
  socket().set_option(unsent_bound(unsent_bytes), ignored);  // not for Unix sockets
  arm();
}

void client_link::consume(std::size_t bytes) {
  unread_.erase(0, bytes);
  if (unread_.empty()) std::string().swap(unread_);
  arm();
}

void client_link::arm() {
  if (reading_ || disconnected_) return;
  if (unread_.size() >= max_unread) return poll_for_end();
  reading_ = true;
  arm_read();
}

void client_link::on_readable(error_code error) {
  reading_ = false;
  if (disconnected_) return;
  unread_.append(arrived(error));
  disconnected_ = static_cast<bool>(error);
  arm();
  wake_->resume();
}

void client_link::poll_for_end() {
  if (polling_) return;
  polling_ = true;
  poll_timer_.expires_after(poll_every);
  poll_timer_.async_wait([this, self = shared_from_this()](error_code cancelled) {
    polling_ = false;
    if (cancelled || disconnected_) return;
    // If enough bytes were consumed meanwhile, reading continues.
    if (unread_.size() < max_unread || !has_ended(socket().native_handle())) return arm();
    disconnected_ = true;
    wake_->notify();
  });
}

void client_link::write(const pieces& bytes) {
  error_code error;
  writing_ = !transport::write(bytes, error);
  if (error) disconnected_ = true;
}

std::size_t client_link::unacknowledged() noexcept {
  int bytes = 0;
  const int result = ::ioctl(socket().native_handle(), SIOCOUTQ, &bytes);
  return result == 0 && bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

void client_link::on_written(error_code error) {
  writing_ = false;
  if (error) disconnected_ = true;
  wake_->resume();
}

void client_link::on_broken() {
  disconnected_ = true;
  writing_ = false;
  wake_->notify();
}

void client_link::close(bool reset) {
  close_socket(reset);
  poll_timer_.cancel();
  disconnected_ = true;
}

}  // namespace citestream
