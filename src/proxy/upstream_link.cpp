#include "upstream_link.hpp"

#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <utility>

#include <boost/asio/ssl/host_name_verification.hpp>

namespace citestream {
namespace {

constexpr std::size_t max_idle_links = 32;
/// Servers close idle connections after 5 s and more (Node and uvicorn: 5 s). A request sent into such a
/// close is lost and may not be repeated, so a connection is not used that late.
constexpr std::chrono::seconds max_idle_time{4};

}  // namespace

upstream_link::upstream_link(asio::io_context& io, std::shared_ptr<upstream_target> to)
    : to_(std::move(to)), resolver_(io), socket_(io) {}

void upstream_link::connect() {
  resolver_.async_resolve(to_->url.host, to_->url.port, tcp::resolver::numeric_service,
                          [self = shared_from_this()](error_code error, const auto& results) {
                            self->on_resolved(error, results);
                          });
}

void upstream_link::on_resolved(error_code error, const tcp::resolver::results_type& results) {
  if (error) return fail(phase::unreachable, error.message());
  if (closed_) return;  // a name may be found after everybody has left
  asio::async_connect(socket_, results, [self = shared_from_this()](error_code failed, const tcp::endpoint&) {
    self->on_connected(failed);
  });
}

void upstream_link::on_connected(error_code error) {
  if (error) return fail(phase::unreachable, error.message());
  error_code ignored;
  socket_.set_option(tcp::no_delay(true), ignored);
  if (!to_->url.tls) {
    phase_ = phase::ready;
    return tell();
  }
  tls_.emplace(socket_, to_->tls);
  // RFC 6066, 3: addresses are not server names.
  std::string name = to_->url.host;
  if (!to_->url.address) {
    SSL_ctrl(tls_->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
  }
  tls_->set_verify_callback(asio::ssl::host_name_verification(to_->url.host), ignored);
  tls_->async_handshake(asio::ssl::stream_base::client, [self = shared_from_this()](error_code failed) {
    if (failed) return self->fail(phase::untrusted, failed.message());
    self->phase_ = phase::ready;
    self->tell();
  });
}

void upstream_link::fail(phase how, const std::string& reason) {
  phase_ = how;
  reason_ = reason;
  tell();
}

void upstream_link::tell() {
  if (wake_) wake_->notify();
}

template <class Stream>
void upstream_link::send_on(Stream& stream) {
  const std::array<asio::const_buffer, 2> bytes{asio::buffer(head_), asio::buffer(body_)};
  asio::async_write(stream, bytes, [self = shared_from_this()](error_code error, std::size_t) {
    // An error is not reported: upstream may have answered before it closed, and the read tells.
    self->sent_ = !error;
    self->head_.clear();
    self->body_.clear();
    self->body_.shrink_to_fit();
    self->tell();
  });
}

void upstream_link::send(std::string head, std::string body) {
  head_ = std::move(head);
  body_ = std::move(body);
  sent_ = false;
  return tls_ ? send_on(*tls_) : send_on(socket_);
}

template <class Stream>
void upstream_link::receive_on(Stream& stream) {
  stream.async_read_some(asio::buffer(buffer_.get(), buffer_bytes),
                         [self = shared_from_this()](error_code error, std::size_t size) {
                           self->receiving_ = false;
                           self->error_ = error;
                           self->size_ = size;
                           self->tell();
                         });
}

void upstream_link::receive() {
  if (receiving_ || received()) return;
  receiving_ = true;
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(buffer_bytes);
  return tls_ ? receive_on(*tls_) : receive_on(socket_);
}

std::string_view upstream_link::take() noexcept {
  return {buffer_.get(), std::exchange(size_, 0)};
}

bool upstream_link::alive() {
  if (error_ || !sent_ || receiving_) return false;
  if (tls_ && SSL_pending(tls_->native_handle()) != 0) return false;
  char byte{};
  const auto got = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

void upstream_link::close() {
  error_code ignored;
  closed_ = true;
  resolver_.cancel();
  socket_.close(ignored);
  wake_ = nullptr;
}

std::shared_ptr<upstream_link> upstream_pool::take() {
  while (!idle_.empty()) {
    idle last = std::move(idle_.back());
    idle_.pop_back();
    if (clock::now() - last.since < max_idle_time && last.link->alive()) return last.link;
    last.link->close();
  }
  return nullptr;
}

void upstream_pool::put(std::shared_ptr<upstream_link> link) {
  if (idle_.size() == max_idle_links) {
    idle_.front().link->close();
    idle_.erase(idle_.begin());
  }
  link->attach(nullptr);
  idle_.push_back({std::move(link), clock::now()});
}

void upstream_pool::clear() {
  for (idle& one : idle_) one.link->close();
  idle_.clear();
}

}  // namespace citestream
