// A link has these steps: look up the name, connect to the address that accepts first, and with TLS do
// the handshake. Addresses are tried in order: the next one when the one before fails or has not answered for
// 250 ms, because a name may have an address that takes packets and never answers; earlier attempts continue
// (RFC 8305, 5). When one succeeds, the link is ready and carries one request at a time. Every step stores
// its result in the link and notifies the attached wakeup; there is no coroutine.
//
// While a request is being sent, the response is already being read, because an upstream may answer early.
// Write errors are therefore ignored: what can still be read decides.

#include "upstream_link.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <linux/sockios.h>
#include <list>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

#include "base/decimal.hpp"
#include "http/fields.hpp"

namespace citestream {
namespace {

/// Bytes of a request body that are written at once. TLS makes a copy of them.
constexpr std::size_t part_bytes = 256 * 1024;
/// How long an address has before the next one is tried as well (RFC 8305, 8).
constexpr std::chrono::milliseconds attempt_delay{250};

bool system_holds_unsent(int socket) {
  int bytes = 0;
  return ::ioctl(socket, SIOCOUTQNSD, &bytes) == 0 && bytes > 0;
}

}  // namespace

/// Attempts to connect.
struct upstream_link::connecting {
  explicit connecting(asio::io_context& io) : next_attempt(io) {}

  asio::steady_timer next_attempt;
  std::vector<tcp::endpoint> addresses;
  std::size_t tried{};             ///< how many of them
  std::list<tcp::socket> running;  ///< one for each attempt that has neither failed nor succeeded
  error_code failed;               ///< why the last attempt did
};

upstream_link::~upstream_link() = default;

upstream_link::upstream_link(asio::io_context& io, std::shared_ptr<upstream_target> to,
                             std::shared_ptr<upstream_caches> caches)
    : transport(socket_type(io)),
      to_(std::move(to)),
      caches_(std::move(caches)),
      connecting_(std::make_unique<connecting>(io)) {}

void upstream_link::connect() {
  // Weak, because the link owns the cache that keeps this function.
  std::weak_ptr<transport> weak = weak_from_this();
  caches_->names->find(clock::now(), [weak = std::move(weak)](const found_addresses& found) {
    const auto self = std::static_pointer_cast<upstream_link>(weak.lock());
    if (self) self->step([&] { self->on_found(found); });
  });
}

void upstream_link::on_found(const found_addresses& found) {
  if (closed_) return;  // the result may come after the client has disconnected
  if (found.error) return fail_to_connect(found.error);
  address_count_ = found.addresses.size();
  const std::uint16_t port = whole_number<std::uint16_t>(to_->url.port).value_or(0);
  for (const asio::ip::address& one : found.addresses) connecting_->addresses.emplace_back(one, port);
  try_next();
}

/// Tries the next address. Fails after the last one if no attempt is running.
void upstream_link::try_next() {
  connecting& now = *connecting_;
  const auto self = std::static_pointer_cast<upstream_link>(shared_from_this());
  while (now.tried < now.addresses.size()) {
    const tcp::endpoint& to = now.addresses[now.tried++];
    tcp::socket& socket = now.running.emplace_back(now.next_attempt.get_executor());
    socket.open(to.protocol(), now.failed);
    if (now.failed) {
      now.running.pop_back();
      continue;
    }
    socket.async_connect(to, [self, &socket](error_code error) {
      self->step([&] {
        if (self->connecting_) self->on_tried(socket, error);
      });
    });
    if (now.tried == now.addresses.size()) return;
    now.next_attempt.expires_after(attempt_delay);
    now.next_attempt.async_wait([self](error_code cancelled) {
      self->step([&] {
        if (!cancelled && self->connecting_) self->try_next();
      });
    });
    return;
  }
  if (!now.running.empty()) return;
  const error_code why = now.failed;
  connecting_.reset();
  caches_->names->expire();  // the host may have moved
  fail_to_connect(why);
}

void upstream_link::on_tried(tcp::socket& socket, error_code error) {
  if (closed_) return;
  if (!error) return on_connected(socket);
  connecting_->failed = error;
  connecting_->running.remove_if([&](const tcp::socket& one) { return &one == &socket; });
  try_next();
}

void upstream_link::on_connected(tcp::socket& connected) {
  error_code error;
  const tcp::endpoint to = connected.remote_endpoint(error);
  address_ = to.address();
  if (connecting_->tried > 1) caches_->names->prefer(address_);
  // Connecting registers the socket for writing, so each wait for a read would end at once. It is registered
  // again, for reading only.
  const int native = connected.release(error);
  if (!error) socket().assign(to.protocol(), native, error);
  if (error) {
    if (native >= 0) ::close(native);
    return on_tried(connected, error);
  }
  connecting_.reset();  // ends the other attempts
  born_ = clock::now();
  prepare();
  if (to_->url.tls) return start_handshake();
  outcome_ = failure::none;
  notify();
}

void upstream_link::start_handshake() {
  tls_engine& engine = secure(to_->tls.native_handle(), tls_engine::side::client);
  SSL* const ssl = engine.native();
  std::string name = to_->url.host;
  if (to_->url.is_address) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name.c_str());
  } else {
    // RFC 6066, 3: addresses are not server names.
    SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data());
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    SSL_set1_host(ssl, name.c_str());
  }
  caches_->sessions.use(ssl);
  start_tls();
  arrival_ = arrival::awaited;
  arm_read();
  notify();
}

void upstream_link::on_handshake(error_code error) {
  // Before a request is sent, only TLS messages can arrive.
  static_cast<void>(arrived(error));
  if (tls()->established()) {
    outcome_ = failure::none;
    return notify();
  }
  if (tls()->failed()) return fail(failure::tls, tls()->reason());
  if (error) return fail(failure::tls, error.message());
  arrival_ = arrival::awaited;
  arm_read();
}

void upstream_link::on_readable(error_code error) {
  arrival_ = arrival::unwanted;
  if (closed_) return;
  if (!outcome_) return on_handshake(error);
  error_ = error;
  arrival_ = arrival::ready;
  if (wake_) wake_->resume();
}

/// A lack of file descriptors is a problem of the proxy, not of the upstream.
void upstream_link::fail_to_connect(error_code error) {
  const failure other = error == asio::error::timed_out ? failure::connect_timeout : failure::unreachable;
  fail(lacks_descriptors(error) ? failure::no_descriptors : other, error.message());
}

void upstream_link::fail(failure how, const std::string& reason) {
  outcome_ = how;
  reason_ = reason;
  notify();
}

void upstream_link::notify() {
  if (wake_) wake_->notify();
}

void upstream_link::send(std::string head, request_body body) {
  outgoing_.head = std::move(head);
  outgoing_.body = std::move(body);
  outgoing_.body_sent = 0;
  outgoing_.done = false;
  send_on();
}

/// Writes as much as the socket takes.
void upstream_link::send_on() {
  error_code error;
  bool done = true;
  while (done && !error && (!outgoing_.head.empty() || outgoing_.body_sent < outgoing_.body.bytes.size())) {
    const std::string_view part =
        std::string_view(outgoing_.body.bytes).substr(outgoing_.body_sent, part_bytes);
    outgoing_.body_sent += part.size();
    const pieces bytes{outgoing_.head, part};
    done = write(bytes, error);
    if (done) std::string().swap(outgoing_.head);
  }
  if (!done) return;
  // A write error is not reported here: the upstream may have responded before it closed, and reading shows
  // that.
  outgoing_.done = !error;
  std::string().swap(outgoing_.head);
  outgoing_.body.release();
}

void upstream_link::on_written(error_code error) {
  std::string().swap(outgoing_.head);
  if (error) {
    outgoing_.body.release();
  } else {
    send_on();
  }
  if (outgoing_.done) notify();
}

void upstream_link::on_broken() {
  if (!outcome_) outcome_ = failure::unreachable;
  error_ = asio::error::connection_reset;
  arrival_ = arrival::ready;
  notify();
}

void upstream_link::receive() {
  if (arrival_ == arrival::awaited || received()) return;
  arrival_ = arrival::awaited;
  arm_read();
}

std::string_view upstream_link::take() {
  if (arrival_ == arrival::ready) arrival_ = arrival::unwanted;
  return arrived(error_);
}

bool upstream_link::alive() {
  if (error_ || !outgoing_.done || arrival_ != arrival::unwanted) return false;
  char byte{};
  const auto got = ::recv(socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

void upstream_link::close(bool abandoned) {
  closed_ = true;
  connecting_.reset();
  close_socket(abandoned && (unsent() != 0 || system_holds_unsent(socket().native_handle())));
  wake_ = nullptr;
}

std::shared_ptr<upstream_link> upstream_pool::take() {
  const auto now = clock::now();
  while (!idle_.empty()) {
    idle_link last = std::move(idle_.back());
    idle_.pop_back();
    const bool young = now - last.since < bounds_.max_idle_time && now - last.link->born() < bounds_.max_age;
    if (young && last.link->alive()) return last.link;
    last.link->close();
  }
  return nullptr;
}

void upstream_pool::put(std::shared_ptr<upstream_link> link) {
  link->attach(nullptr);
  idle_.push_back({std::move(link), clock::now()});
  close_surplus();
  start_timer();
}

/// Closes connections that are idle for too long, and the oldest ones if there are too many.
void upstream_pool::close_surplus() {
  const auto now = clock::now();
  while (!idle_.empty() &&
         (idle_.size() > bounds_.max_idle || now - idle_.front().since >= bounds_.max_idle_time)) {
    idle_.front().link->close();
    idle_.erase(idle_.begin());
  }
}

/// Closes connections in time even if no further request arrives.
void upstream_pool::start_timer() {
  if (timer_runs_ || idle_.empty()) return;
  timer_runs_ = true;
  timer_.expires_at(idle_.front().since + bounds_.max_idle_time);
  // A handler that is already queued cannot be cancelled, so it checks that the pool still exists.
  timer_.async_wait([this, exists = std::weak_ptr<const bool>(exists_)](error_code cancelled) {
    if (cancelled || exists.expired()) return;
    timer_runs_ = false;
    close_surplus();
    start_timer();
  });
}

void upstream_pool::clear() {
  for (idle_link& one : idle_) one.link->close();
  idle_.clear();
}

}  // namespace citestream
