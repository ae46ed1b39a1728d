// getaddrinfo() blocks for as long as the name servers take, often half a minute, and cannot be cancelled. So
// each name is looked up in a detached thread: nothing ever joins it, and the process exits while it runs.
// The threads share `name_resolver::state`, which lives as long as the last of them. Before a callback is
// posted, a thread checks under the lock that the resolver is still open; after close() none is posted, so
// event loops may be destroyed.
//
// A name has one lookup at a time, however many workers wait for it. At most `max_threads` lookups run, the
// rest are queued. A lookup that misses its deadline no longer counts: names that hang take threads from each
// other, never from healthy names.
//
// dns_cache looks names up again after three quarters of `max_age` and keeps using the old ones meanwhile.
// If the name server fails or hangs, the old addresses stay in use and are looked up again soon. Only a
// definite answer that the name does not exist removes them.

#include "dns_cache.hpp"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <exception>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <netdb.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <boost/asio/post.hpp>

namespace citestream {
namespace {

/// C libraries report a lack of file descriptors as a name that cannot be found.
bool has_descriptor_left() noexcept {
  const int probe = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (probe >= 0) ::close(probe);
  return probe >= 0 || (errno != EMFILE && errno != ENFILE);
}

error_code error_of_lookup(int code, int system_error) {
  if (!has_descriptor_left()) return asio::error::no_descriptors;
  switch (code) {
    case EAI_NONAME:
#ifdef EAI_NODATA
    case EAI_NODATA:
#endif
      return asio::error::host_not_found;
    case EAI_MEMORY:
      return asio::error::no_memory;
    case EAI_SYSTEM:
      return {system_error, boost::system::system_category()};
    case EAI_FAIL:
      return asio::error::no_recovery;
    default:
      return asio::error::host_not_found_try_again;
  }
}

found_addresses ask_system(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int code = ::getaddrinfo(host.c_str(), nullptr, &hints, &list);
  if (code != 0) return {{}, error_of_lookup(code, errno)};
  found_addresses out;
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    if (const auto found = address_of(one->ai_addr, one->ai_addrlen)) out.addresses.push_back(*found);
  }
  ::freeaddrinfo(list);
  if (out.addresses.empty()) out.error = asio::error::host_not_found;
  return out;
}

found_addresses ask(const name_lookup& look_up, const std::string& host) {
  try {
    if (!look_up) return ask_system(host);
    found_addresses out;
    for (const std::string& text : look_up(host)) out.addresses.push_back(asio::ip::make_address(text));
    if (out.addresses.empty()) out.error = asio::error::host_not_found_try_again;
    return out;
  } catch (const std::exception&) {
    return {{}, asio::error::no_memory};
  }
}

}  // namespace

struct name_resolver::state {
  struct waiter {
    asio::io_context* io;
    found_callback done;
  };
  struct job {
    std::vector<waiter> waiters;
    bool started{};
    bool overdue{};
  };

  std::mutex mutex;
  name_lookup look_up;
  std::map<std::string, job> jobs;
  std::deque<std::string> queued;
  std::size_t running{};  ///< lookups that are not overdue
  bool closed{};

  void finish(std::map<std::string, job>::iterator at, const found_addresses& found) {
    if (at->second.started && !at->second.overdue) --running;
    for (waiter& one : at->second.waiters) {
      if (closed) break;
      try {
        asio::post(*one.io, [done = std::move(one.done), found] { done(found); });
        // NOLINTNEXTLINE(bugprone-empty-catch): the deadline of the one who waits ends the wait
      } catch (const std::exception&) {
      }
    }
    jobs.erase(at);
  }
};

name_resolver::name_resolver(name_lookup look_up) : state_(std::make_shared<state>()) {
  state_->look_up = std::move(look_up);
}

name_resolver::~name_resolver() {
  close();
}

void name_resolver::close() noexcept {
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
  state_->queued.clear();
}

void name_resolver::find(const std::string& host, asio::io_context& io, found_callback done) {
  const std::lock_guard lock(state_->mutex);
  const auto [at, is_new] = state_->jobs.try_emplace(host);
  try {
    at->second.waiters.push_back({&io, std::move(done)});
    if (is_new) state_->queued.push_back(host);
  } catch (...) {
    if (is_new) state_->jobs.erase(at);
    throw;
  }
  if (is_new) start(state_);
}

void name_resolver::overdue(const std::string& host) {
  const std::lock_guard lock(state_->mutex);
  const auto at = state_->jobs.find(host);
  if (at == state_->jobs.end() || !at->second.started || at->second.overdue) return;
  at->second.overdue = true;
  --state_->running;
  start(state_);
}

/// Starts queued lookups, as many as may run. Called with the lock held.
void name_resolver::start(const std::shared_ptr<state>& all) {
  while (!all->queued.empty() && all->running < max_threads && !all->closed) {
    const auto at = all->jobs.find(all->queued.front());
    all->queued.pop_front();
    try {
      std::thread(&name_resolver::run, all, at->first).detach();
      at->second.started = true;
      ++all->running;
    } catch (const std::exception&) {
      all->finish(at, {{}, asio::error::no_memory});
    }
  }
}

void name_resolver::run(const std::shared_ptr<state>& all, std::string host) {
  const found_addresses found = ask(all->look_up, host);
  const std::lock_guard lock(all->mutex);
  all->finish(all->jobs.find(host), found);
  start(all);
}

dns_cache::dns_cache(asio::io_context& io, name_resolver& resolver, std::string host, times bounds)
    : io_(io), resolver_(resolver), host_(std::move(host)), bounds_(bounds), deadline_(io) {}

void dns_cache::find(clock::time_point now, found_callback done) {
  error_code not_an_address;
  const asio::ip::address literal = asio::ip::make_address(host_, not_an_address);
  if (!not_an_address) return done({{literal}, {}});
  if (!known_.addresses.empty() && (now < expires_at_ || overdue_)) {
    if (now >= refresh_at_) look_up();
    return done(known_);
  }
  waiters_.push_back(std::move(done));
  look_up();
}

void dns_cache::prefer(const asio::ip::address& address) {
  const auto at = std::ranges::find(known_.addresses, address);
  if (at != known_.addresses.end()) std::rotate(known_.addresses.begin(), at, at + 1);
}

void dns_cache::defer(const asio::ip::address& address) {
  const auto at = std::ranges::find(known_.addresses, address);
  if (at != known_.addresses.end()) std::rotate(at, at + 1, known_.addresses.end());
}

void dns_cache::look_up() {
  if (std::exchange(looking_up_, true)) return;
  deadline_.expires_after(bounds_.lookup);
  deadline_.async_wait([weak = weak_from_this()](error_code cancelled) {
    const auto self = weak.lock();
    if (self && !cancelled) self->on_deadline(clock::now());
  });
  resolver_.find(host_, io_, [weak = weak_from_this()](const found_addresses& found) {
    if (const auto self = weak.lock()) self->on_found(found, clock::now());
  });
}

void dns_cache::on_found(const found_addresses& found, clock::time_point now) {
  looking_up_ = false;
  overdue_ = false;
  if (!found.error) {
    known_ = found;
    expires_at_ = now + bounds_.max_age;
    refresh_at_ = now + bounds_.max_age * 3 / 4;
  } else if (found.error == asio::error::host_not_found) {
    known_ = {};
  } else {
    keep_old(now);
  }
  tell_waiters(known_.addresses.empty() ? found : known_);
}

/// The lookup continues in its thread. The next call of look_up() joins it there.
void dns_cache::on_deadline(clock::time_point now) {
  if (!looking_up_ || now < deadline_.expiry()) return;  // the handler was queued before the result arrived
  looking_up_ = false;
  overdue_ = true;
  resolver_.overdue(host_);
  keep_old(now);
  tell_waiters(known_.addresses.empty() ? found_addresses{{}, asio::error::timed_out} : known_);
}

void dns_cache::keep_old(clock::time_point now) {
  if (known_.addresses.empty()) return;
  expires_at_ = now + bounds_.max_age;
  refresh_at_ = now + bounds_.max_age / 4;
}

void dns_cache::tell_waiters(const found_addresses& result) {
  deadline_.cancel();
  const std::vector<found_callback> waiters = std::exchange(waiters_, {});
  for (const found_callback& done : waiters) done(result);
}

}  // namespace citestream
