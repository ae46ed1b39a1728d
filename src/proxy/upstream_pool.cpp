#include "upstream_pool.hpp"

#include <utility>

#include <openssl/ssl.h>

#include "upstream_link.hpp"

namespace citestream {
namespace {

/// Where a connection keeps a pointer to the cache that it uses.
int slot() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

}  // namespace

tls_session_cache::~tls_session_cache() {
  SSL_SESSION_free(session_);
}

void tls_session_cache::use(SSL* connection) {
  SSL_set_ex_data(connection, slot(), this);
  if (session_ != nullptr) SSL_set_session(connection, session_);
}

void tls_session_cache::enable(SSL_CTX* context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, &tls_session_cache::on_session);
}

int tls_session_cache::on_session(SSL* connection, SSL_SESSION* session) {
  auto* const self = static_cast<tls_session_cache*>(SSL_get_ex_data(connection, slot()));
  if (self == nullptr) return 0;
  SSL_SESSION_free(std::exchange(self->session_, session));
  return 1;  // the cache owns the session now
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
  const auto now = clock::now();
  close_old(now);
  while (!idle_.empty() && idle_.size() >= bounds_.max_idle) {
    idle_.front().link->close();
    idle_.erase(idle_.begin());
  }
  if (bounds_.max_idle == 0) return link->close();
  link->attach(nullptr);
  idle_.push_back({std::move(link), now});
  start_timer();
}

void upstream_pool::close_old(clock::time_point now) {
  while (!idle_.empty() && now - idle_.front().since >= bounds_.max_idle_time) {
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
    close_old(clock::now());
    start_timer();
  });
}

void upstream_pool::clear() {
  for (idle_link& one : idle_) one.link->close();
  idle_.clear();
}

}  // namespace citestream
