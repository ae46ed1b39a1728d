// serve() is one coroutine for the life of the connection. For each request it reads the head, decides by its
// route, reads the body, and hands both to a response_relay, which sends the response. Requests that are
// malformed, too large, too slow, without a route or in a loop are answered here and never reach an upstream.
//
// All waiting is done through one `wakeup`: the coroutine sleeps until a condition holds or a deadline
// passes. Nothing is cancelled from outside.
//
// A connection is closed by ending our side first and reading on for a moment. Otherwise bytes that the
// client still sends would cause a reset, which can destroy the response on its way (RFC 9112, 9.6).

#include "client_connection.hpp"

#include <algorithm>
#include <sys/socket.h>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "client_response.hpp"
#include "http/fields.hpp"
#include "http/forwarding.hpp"
#include "response_relay.hpp"

namespace citestream {

namespace {

/// `192.0.2.1:5000`, `[2001:db8::1]:5000` or `unix`; empty if it is not known.
std::string peer_name(int socket) {
  tcp::endpoint peer;
  auto size = static_cast<socklen_t>(peer.capacity());
  if (::getpeername(socket, peer.data(), &size) != 0) return {};
  if (peer.data()->sa_family == AF_UNIX) return "unix";
  asio::ip::address host = peer.address();
  if (host.is_v6()) host = asio::ip::address_v6(host.to_v6().to_bytes());  // without its scope
  return http::authority_of(host.to_string(), std::to_string(peer.port()));
}

/// How long bytes of the client are still read after our side has ended.
constexpr std::chrono::milliseconds linger{1000};
/// Time for the first request of a client that was accepted just before the proxy began to drain.
constexpr std::chrono::milliseconds first_request_time{250};

/// A request body must arrive at `min_body_rate`, measured over each `client_body` interval. Surplus is not
/// carried over: otherwise a client could send a burst and then stall for hours.
class body_pace {
 public:
  /// \p bytes: received so far
  clock::time_point deadline(std::size_t bytes, const proxy_options& options) {
    const auto time = options.deadlines.client_body;
    const auto due = options.limits.min_body_rate * static_cast<std::uint64_t>(time.count()) / 1000;
    if (bytes - counted_ >= due) {
      since_ = clock::now();
      counted_ = bytes;
    }
    return since_ + time;
  }

 private:
  clock::time_point since_{clock::now()};
  std::size_t counted_{};
};

}  // namespace

client_connection::client_connection(worker& owner, transport::socket_type socket, SSL_CTX* tls,
                                     counter_share place, bool over_limit)
    : worker_(owner),
      matched_{owner.config, nullptr, {}},
      peer_(peer_name(socket.native_handle())),
      wake_(std::make_shared<wakeup>(owner.io)),
      client_(std::make_shared<client_link>(std::move(socket), tls, wake_)),
      place_(std::move(place)),
      over_limit_(over_limit) {
  worker_.clients.insert(this);
}

client_connection::~client_connection() {
  client_->close();
  worker_.clients.erase(this);
}

awaitable<void> client_connection::serve(std::unique_ptr<client_connection> self) {
  try {
    co_await self->serve_all();
  } catch (...) {
    self->abort();
    throw;
  }
}

awaitable<void> client_connection::serve_all() {
  constexpr http::own_error full{503, "too_many_connections", "the proxy has reached max_connections"};
  client_->start();
  if (over_limit_) {
    co_await refuse(full, true);
    worker_.metrics.bytes.client +=
        std::exchange(facts_, {}).bytes.client;  // the listener counts the refusal
  }
  bool more = !over_limit_;
  while (more) more = co_await serve_one();
  co_await close_gently();
}

/// After an exception. The reset shows the client that the response is not complete.
void client_connection::abort() noexcept {
  client_->close(true);
  if (facts_.id.empty()) return;  // between requests
  facts_.failed = failure::internal;
  try {
    facts_.error = describe(failure::internal).message;
    report();
    // NOLINTNEXTLINE(bugprone-empty-catch): report_broken() counts it
  } catch (...) {
  }
}

/// \return true if another request may follow.
awaitable<bool> client_connection::serve_one() {
  constexpr http::own_error full{503, "too_many_streams", "the proxy has reached max_streams"};
  const std::optional<http::head_state> found = co_await read_head();
  if (!found) co_return false;
  const http::own_error why = co_await read_request(*found);
  if (why) {
    co_await refuse(why, true);
    report();
    co_return false;
  }
  if (client_->disconnected()) {
    facts_.failed = failure::client_disconnected;
    report();
    co_return false;
  }
  served_ = true;
  counter_share answer(worker_.shared.open.streams);
  const std::uint64_t answers = answer.set(1);
  const std::size_t bound = options().limits.max_streams;
  if (bound != 0 && answers > bound) {
    ++worker_.metrics.refused.streams;
    const bool keep_open = request_.head.persistent && !worker_.draining();
    const bool sent = co_await refuse(full, !keep_open);
    report();
    co_return (keep_open && sent);
  }
  response_relay relay(current_request(), std::move(request_.body));
  const bool keep = co_await relay.run();
  report();
  co_return keep && !client_->disconnected() && !worker_.draining();
}

served_request client_connection::current_request() {
  return {worker_, matched_, *client_, wake_, request_.head, facts_};
}

/// Counts and logs the request, which has ended.
void client_connection::report() {
  worker_.shared.reports.report(facts_, peer_, worker_.metrics);
  facts_ = {};
}

/// Looks for a head in the bytes received so far.
http::head_state client_connection::find_head() {
  if (request_.finder.size() == 0) skip_empty_line();
  return client_->unread() == "\r" ? http::head_state::more : request_.finder.scan(client_->unread());
}

/// One empty line in front of a request is ignored (RFC 9112, 2.2).
void client_connection::skip_empty_line() {
  if (request_.skipped_line || !client_->unread().starts_with("\r\n")) return;
  client_->consume(2);
  request_.skipped_line = true;
}

void client_connection::log_handshake(std::string_view why) {
  telemetry& reports = worker_.shared.reports;
  reports.log.complain(reports.failed_handshakes, log_level::info, [&](const std::string& since) {
    return "the TLS handshake of " + peer_ + " failed: " + std::string(why) + " (" + since + ")";
  });
}

/// Waits for the first byte of a request. \return false if none will come.
awaitable<bool> client_connection::begin_head() {
  const proxy_deadlines deadlines = options().deadlines;  // the snapshot may be replaced meanwhile
  const auto handshake_done = [&] {
    return !client_->handshaking() || client_->disconnected() || worker_.aborting();
  };
  const auto handshake_deadline = clock::now() + deadlines.client_head;
  const bool in_time = co_await wake_->until(handshake_done, handshake_deadline);
  if (const std::string_view why = client_->handshake_error(); !why.empty()) log_handshake(why);
  if (!in_time) co_return false;
  const auto here = [&] {
    skip_empty_line();
    return !client_->unread().empty() || client_->disconnected() || worker_.aborting();
  };
  const auto begun = [&] { return here() || worker_.draining(); };
  const auto idle = clock::now() + deadlines.client_idle;
  co_await wake_->until(begun, idle);
  const auto soon = clock::now() + first_request_time;
  if (worker_.draining() && !served_) co_await wake_->until(here, soon);
  co_return !client_->disconnected() && !client_->unread().empty();
}

/// Waits for a head. \return what was found until the deadline; nothing if the connection ends without a
/// request.
awaitable<std::optional<http::head_state>> client_connection::read_head() {
  matched_ = matched_route{worker_.config, nullptr, {}};
  request_ = {};
  facts_ = {};
  const bool begun = co_await begin_head();
  matched_.config = worker_.config;  // a reload during the wait replaces it
  if (!begun) co_return std::nullopt;
  request_.finder = http::head_finder(options().limits.max_head_bytes);
  http::head_state found = http::head_state::more;
  const auto decided = [&] {
    found = find_head();
    return found != http::head_state::more || client_->disconnected() || worker_.aborting() ||
           (worker_.draining() && client_->unread().empty());
  };
  facts_.began = clock::now();
  const auto deadline = facts_.began + options().deadlines.client_head;
  co_await wake_->until(decided, deadline);
  if (client_->disconnected() || client_->unread().empty()) co_return std::nullopt;
  co_return found;
}

/// \param found  what read_head() has found
awaitable<http::own_error> client_connection::read_request(http::head_state found) {
  constexpr http::own_error late{408, "request_timeout", "the request did not arrive in time"};
  constexpr http::own_error malformed{400, "invalid_request", "malformed head"};
  constexpr http::own_error too_long{431, "head_too_large", "the request head is too large"};
  constexpr http::own_error too_large{413, "body_too_large", "the request body is too large"};
  constexpr http::own_error looped{508, "loop_detected", "the request has already passed through this proxy"};
  constexpr http::own_error nowhere{404, "no_route", "no route matches this path and host"};
  if (found == http::head_state::more) co_return worker_.aborting() ? describe(failure::shutdown) : late;
  if (found == http::head_state::malformed) co_return malformed;
  if (found == http::head_state::too_long) co_return too_long;
  request_.head_bytes = client_->unread().substr(0, request_.finder.size());
  client_->consume(request_.finder.size());
  http::own_error why =
      http::parse_request_head(request_.head_bytes, options().limits.max_head_fields, request_.head);
  identify();
  if (why) co_return why;
  matched_.route = matched_.config->find(request_.head);
  if (matched_.route == nullptr) co_return nowhere;
  facts_.requested.route = matched_.route->options.name;
  facts_.requested.upstream = matched_.route->upstream->name;
  if (http::has_passed(request_.head.all, worker_.shared.pseudonym)) co_return looped;
  if (options().request_options) why = read_request_options(request_.head.all, matched_.options);
  if (why) co_return why;
  if (request_.head.length > max_body_bytes()) co_return too_large;
  why = co_await read_body();
  if (why) request_.body.release();  // the connection may stay open for a while
  co_return why;
}

/// Sets id, trace, method and path, from what was parsed of the head.
void client_connection::identify() {
  facts_.id = worker_.ids.of(request_.head.all);
  const span_exporter& spans = worker_.shared.reports.spans;
  if (spans.on()) facts_.trace = spans.begin(request_.head.all, worker_.ids);
  // Other text may be a part of a body whose length was wrong, or name a user: the log must not contain it.
  const std::string_view target = request_.head.target;
  const auto plain = [](char c) { return ascii::is_visible(c) && c != '#'; };
  if (!http::is_token(request_.head.method) || !target.starts_with('/')) return;
  if (!std::ranges::all_of(target, plain)) return;
  facts_.requested.method = request_.head.method;
  facts_.requested.target = target;
}

awaitable<http::own_error> client_connection::read_body() {
  constexpr http::own_error late{408, "request_timeout", "the request body did not arrive in time"};
  constexpr http::own_error malformed{400, "invalid_request", "malformed chunked body"};
  constexpr http::own_error too_large{413, "body_too_large", "the request body is too large"};
  constexpr http::own_error no_room{503, "too_many_request_bytes",
                                    "the proxy has reached max_request_memory"};
  request_.body = {.bytes = {}, .counted = counter_share(worker_.shared.open.request_bytes)};
  std::string& body = request_.body.bytes;
  http::body_decoder decoder(request_.head.body, request_.head.length);
  bool continue_sent = !request_.head.expects_continue;
  body_pace pace;
  for (;;) {
    client_->consume(decoder.feed(client_->unread(), body));
    facts_.bytes.request = body.size();
    if (decoder.malformed()) co_return malformed;
    if (body.size() > max_body_bytes()) co_return too_large;
    if (!body.empty() && request_.body.count() > options().limits.max_request_memory) {
      ++worker_.metrics.refused.request_bytes;
      co_return no_room;
    }
    if (decoder.complete() || client_->disconnected()) co_return http::own_error{};
    if (worker_.aborting()) co_return describe(failure::shutdown);
    if (!continue_sent) co_await send_continue();
    continue_sent = true;
    const auto arrived = [&] {
      return !client_->unread().empty() || client_->disconnected() || worker_.aborting();
    };
    const auto deadline = pace.deadline(body.size(), options());
    const bool in_time = co_await wake_->until(arrived, deadline);
    if (!in_time) co_return late;
  }
}

awaitable<bool> client_connection::send_continue() {
  const served_request request = current_request();
  client_response response(request);
  const client_link::pieces bytes{"HTTP/1.1 100 Continue\r\n\r\n"};
  const bool sent = co_await response.send(bytes);
  co_return sent;
}

awaitable<bool> client_connection::refuse(http::own_error why, bool close) {
  if (facts_.id.empty()) identify();
  facts_.refused = why.code;
  facts_.error = why.message;
  const served_request request = current_request();
  client_response response(request);
  const bool sent = co_await response.send_error(why, close);
  co_return sent;
}

/// Ends our side and gives the client time to read what was written.
awaitable<void> client_connection::close_gently() {
  if (client_->disconnected()) co_return;
  client_->shut();
  const auto deadline = clock::now() + linger;
  const auto gone = [&] {
    client_->consume(client_->unread().size());
    return client_->disconnected() || worker_.aborting();
  };
  co_await wake_->until(gone, deadline);
}

}  // namespace citestream
