#include "upstream_memory.hpp"

#include <utility>

#include <openssl/ssl.h>

#include "upstream_link.hpp"

namespace citestream {
namespace {

/// Where a connection's SSL keeps the memory that it tells.
int slot() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

}  // namespace

upstream_memory::~upstream_memory() {
  SSL_SESSION_free(session_);
}

void upstream_memory::resume(SSL* connection) {
  SSL_set_ex_data(connection, slot(), this);
  if (session_ != nullptr) SSL_set_session(connection, session_);
}

void upstream_memory::watch(SSL_CTX* context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, &upstream_memory::on_session);
}

int upstream_memory::on_session(SSL* connection, SSL_SESSION* session) {
  auto* const self = static_cast<upstream_memory*>(SSL_get_ex_data(connection, slot()));
  if (self == nullptr) return 0;
  SSL_SESSION_free(std::exchange(self->session_, session));
  return 1;  // it is ours now
}

std::shared_ptr<upstream_link> upstream_pool::take() {
  const auto now = clock::now();
  while (!idle_.empty()) {
    idle last = std::move(idle_.back());
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
  watch();
}

void upstream_pool::close_old(clock::time_point now) {
  while (!idle_.empty() && now - idle_.front().since >= bounds_.max_idle_time) {
    idle_.front().link->close();
    idle_.erase(idle_.begin());
  }
}

/// No request may come any more: what is left of a peak, and of upstreams that have closed, goes all the
/// same.
void upstream_pool::watch() {
  if (watching_ || idle_.empty()) return;
  watching_ = true;
  ends_.expires_at(idle_.front().since + bounds_.max_idle_time);
  // What is due already cannot be cancelled any more: it asks whether the pool is still here.
  ends_.async_wait([this, here = std::weak_ptr<const bool>(here_)](error_code cancelled) {
    if (cancelled || here.expired()) return;
    watching_ = false;
    close_old(clock::now());
    watch();
  });
}

void upstream_pool::clear() {
  for (idle& one : idle_) one.link->close();
  idle_.clear();
}

}  // namespace citestream
