#include "connection.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "exchange.hpp"
#include "http/error_response.hpp"
#include "peer_name.hpp"

namespace citestream {
namespace {

/// How long a client that is being left may go on sending before its connection is closed on it: an answer
/// must not be lost to a reset that its own late bytes provoke (RFC 9112, 9.6).
constexpr std::chrono::milliseconds linger{1000};
/// What the first request of a client may take that was let in just before the proxy began to drain.
constexpr std::chrono::milliseconds last_chance{250};

/// An answer on its way, counted.
class counted {
 public:
  explicit counted(std::atomic<std::uint64_t>& of) noexcept : of_(of), before_(of.fetch_add(1)) {}
  ~counted() { of_.fetch_sub(1); }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  [[nodiscard]] std::uint64_t before() const noexcept { return before_; }

 private:
  std::atomic<std::uint64_t>& of_;
  std::uint64_t before_;
};

}  // namespace

worker::~worker() {
  pools.clear();
  // Coroutines that still wait own their connections.
  const std::vector<connection*> left(live.begin(), live.end());
  for (connection* one : left) one->abandon();
}

void worker::tell_broken(const std::exception_ptr& why) noexcept {
  ++metrics.broken;
  const std::uint64_t count = watch.broken.count();
  if (count == 0 || !watch.log.wants(log_level::error)) return;
  try {
    std::string what;
    try {
      std::rethrow_exception(why);
    } catch (const std::exception& error) {
      what = error.what();
    } catch (...) {
      what = "unknown";
    }
    watch.log.say(log_level::error, "an error inside the proxy ended a connection: " + what + ", " +
                                        std::to_string(count) + " times since this was last said");
    // NOLINTNEXTLINE(bugprone-empty-catch): it is counted
  } catch (...) {
  }
}

connection::connection(worker& home, transport::socket_type socket, SSL_CTX* tls, bool over)
    : home_(home),
      way_{home.config, nullptr, {}},
      peer_(peer_name(socket.native_handle())),
      wake_(std::make_shared<wakeup>(home.io)),
      client_(std::make_shared<client_link>(std::move(socket), tls, wake_)),
      finder_(home.config->options.max_head_bytes),
      over_(over) {
  home_.live.insert(this);
}

connection::~connection() {
  client_->close();
  home_.live.erase(this);
  home_.counters.active.fetch_sub(1);
}

awaitable<void> connection::serve(std::unique_ptr<connection> self) {
  try {
    co_await self->serve_all();
  } catch (...) {
    self->break_off();
    throw;
  }
}

awaitable<void> connection::serve_all() {
  constexpr http::refusal full{503, "too_many_connections", "the proxy serves as many clients as it may"};
  client_->start();
  if (over_) co_await refuse(full, true);
  bool more = !over_;
  while (more) more = co_await serve_one();
  co_await leave();
}

/// After an error inside the proxy: the client must not take a part of an answer for the whole.
void connection::break_off() noexcept {
  client_->close(true);
  if (seen_.id.empty()) return;  // between requests
  seen_.failed = trouble::internal;
  try {
    report();
    // NOLINTNEXTLINE(bugprone-empty-catch): tell_broken() counts it
  } catch (...) {
  }
}

/// \return whether another request may follow.
awaitable<bool> connection::serve_one() {
  constexpr http::refusal full{503, "too_many_streams",
                               "the proxy has as many answers on their way as it may"};
  const bool arrived = co_await read_head();
  if (!arrived) co_return false;
  const http::refusal why = co_await read_request();
  if (why) {
    co_await refuse(why, true);
    report();
    co_return false;
  }
  if (client_->gone()) {
    seen_.failed = trouble::client_gone;
    report();
    co_return false;
  }
  served_ = true;
  seen_.request_bytes = body_.size();
  const counted answer(home_.counters.answers);
  const std::size_t bound = options().max_streams;
  if (bound != 0 && answer.before() >= bound) {
    ++home_.metrics.refused_streams;
    const bool stays = head_.persistent && !home_.draining;
    const bool told = co_await refuse(full, !stays);
    report();
    co_return stays&& told;
  }
  home_.counters.requests.fetch_add(1, std::memory_order_relaxed);
  exchange one(home_, way_, *client_, wake_, head_, std::move(body_), seen_);
  const bool keep = co_await one.run();
  body_ = {};
  report();
  co_return keep && !client_->gone() && !home_.draining;
}

/// The request has ended, well or not.
void connection::report() {
  home_.watch.ended(seen_, peer_, home_.metrics);
}

/// Whether the bytes that have come decide about a head.
bool connection::has_head() {
  const std::string_view bytes = client_->unread();
  // RFC 9112, 2.2: one empty line before a request is left over from the one before.
  if (!started_ && bytes == "\r") return false;
  if (!started_ && bytes.starts_with("\r\n")) client_->consume(2);
  started_ = started_ || !bytes.empty();
  found_ = finder_.scan(client_->unread());
  return found_ != http::head_state::more;
}

/// Waits for a request's first byte. \return false: none comes.
awaitable<bool> connection::begin_head() {
  const proxy_deadlines deadlines = options().deadlines;  // the site may be replaced meanwhile
  const auto greeted = [&] { return !client_->greeting() || client_->gone() || home_.aborting; };
  const auto greeting_ends = clock::now() + deadlines.client_head;
  const bool in_time = co_await wake_->until(greeted, greeting_ends);
  if (!in_time) co_return false;
  const auto here = [&] { return !client_->unread().empty() || client_->gone() || home_.aborting; };
  const auto begun = [&] { return here() || home_.draining; };
  const auto idle = clock::now() + deadlines.client_idle;
  co_await wake_->until(begun, idle);
  const auto soon = clock::now() + last_chance;
  if (home_.draining && !served_) co_await wake_->until(here, soon);
  co_return !client_->gone() && !client_->unread().empty();
}

/// Waits for a head, or what shows that there is none. \return false: the connection ends without a word.
awaitable<bool> connection::read_head() {
  way_ = course{home_.config, nullptr, {}};
  finder_.reset();
  head_ = {};
  seen_ = {};
  started_ = false;
  const bool begun = co_await begin_head();
  way_.of = home_.config;  // the one before may have been replaced meanwhile
  if (!begun) co_return false;
  const auto decided = [&] {
    return has_head() || client_->gone() || (home_.draining && client_->unread().empty());
  };
  seen_.began = clock::now();
  const auto deadline = seen_.began + options().deadlines.client_head;
  co_await wake_->until(decided, deadline);
  co_return !client_->gone() && !client_->unread().empty();
}

awaitable<http::refusal> connection::read_request() {
  constexpr http::refusal late{408, "request_timeout", "the request did not come in time"};
  constexpr http::refusal malformed{400, "invalid_request", "malformed head"};
  constexpr http::refusal too_long{431, "head_too_large", "the request's head is too large"};
  constexpr http::refusal too_large{413, "body_too_large", "the request's body is too large"};
  constexpr http::refusal nowhere{404, "no_route", "nothing is served at this path and host"};
  if (found_ == http::head_state::more) co_return late;
  if (found_ == http::head_state::malformed) co_return malformed;
  if (found_ == http::head_state::too_long) co_return too_long;
  head_bytes_ = client_->unread().substr(0, finder_.size());
  client_->consume(finder_.size());
  http::refusal why = http::parse_request_head(head_bytes_, options().max_head_fields, head_);
  if (why) co_return why;
  seen_.id = home_.ids.of(head_.all);
  seen_.method = head_.method;
  seen_.target = head_.target;
  way_.by = way_.of->find(head_);
  if (way_.by == nullptr) co_return nowhere;
  seen_.route = way_.by->options.name;
  seen_.upstream = way_.by->upstream->name;
  if (options().request_options) why = http::read_request_options(head_.all, way_.asked);
  if (why) co_return why;
  if (head_.length > options().max_request_bytes) co_return too_large;
  why = co_await read_body();
  co_return why;
}

awaitable<http::refusal> connection::read_body() {
  constexpr http::refusal late{408, "request_timeout", "the request's body did not come in time"};
  constexpr http::refusal malformed{400, "invalid_request", "malformed chunked body"};
  constexpr http::refusal too_large{413, "body_too_large", "the request's body is too large"};
  body_.clear();
  http::body_decoder decoder(head_.body, head_.length);
  bool asked = !head_.expects_continue;
  const auto begun = clock::now();
  for (;;) {
    client_->consume(decoder.feed(client_->unread(), body_));
    if (decoder.malformed()) co_return malformed;
    if (body_.size() > options().max_request_bytes) co_return too_large;
    if (decoder.complete() || client_->gone()) co_return http::refusal{};
    if (!asked) co_await say_continue();
    asked = true;
    const auto arrived = [&] { return !client_->unread().empty() || client_->gone(); };
    const auto patience = options().deadlines.client_body;
    const std::chrono::milliseconds earned(body_.size() * 1000 / options().min_body_rate);
    const auto deadline = std::min(clock::now(), begun + earned) + patience;
    const bool in_time = co_await wake_->until(arrived, deadline);
    if (!in_time) co_return late;
  }
}

awaitable<bool> connection::say_continue() {
  const bool sent = co_await send("HTTP/1.1 100 Continue\r\n\r\n");
  co_return sent;
}

awaitable<bool> connection::refuse(http::refusal why, bool close) {
  home_.counters.refused.fetch_add(1, std::memory_order_relaxed);
  if (seen_.id.empty()) seen_.id = home_.ids.make();
  seen_.status = why.status;
  seen_.refused = why.code;
  const std::string answer =
      http::error_response(why.status, why.code, why.message, close, head_.method == "HEAD", seen_.id);
  const bool sent = co_await send(answer);
  co_return sent;
}

awaitable<bool> connection::send(std::string_view bytes) {
  seen_.client_bytes += bytes.size();
  const client_link::pieces pieces{bytes};
  client_->write(pieces);
  const auto over = [&] { return !client_->writing() || client_->gone(); };
  const auto deadline = clock::now() + options().deadlines.client_stall;
  co_await wake_->until(over, deadline);
  if (client_->writing()) client_->close();
  co_return !client_->gone();
}

/// Ends our side and lets the client take what was written.
awaitable<void> connection::leave() {
  if (client_->gone()) co_return;
  client_->shut();
  const auto deadline = clock::now() + linger;
  const auto gone = [&] {
    client_->consume(client_->unread().size());
    return client_->gone() || home_.aborting;
  };
  co_await wake_->until(gone, deadline);
}

}  // namespace citestream
