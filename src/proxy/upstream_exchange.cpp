// Takes an idle connection or makes one, sends the request, reads the head and then the body in parts.
//
// A request is sent at most once. The only retry is for a connection that could not be established, before
// any byte of the request was written; SDKs retry everything else themselves. An idle connection from the
// pool may be closed by the upstream at any moment, so connections that are too old are not used.
//
// Each wait ends with what it waits for, a deadline, the client's disconnect, or the abort of the proxy.

#include "upstream_exchange.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"

namespace citestream {
namespace {

/// Limits for responses: upstreams are trusted more than clients, but not without bounds.
constexpr std::size_t max_answer_head_bytes = 64 * 1024;
constexpr int max_answer_head_fields = 256;
constexpr std::chrono::milliseconds pause_before_retry{100};
/// How long a TLS handshake may take while there are other addresses: longer than to send a lost packet
/// again.
constexpr std::chrono::seconds handshake_time{1};

}  // namespace

template <class Ready>
awaitable<failure> upstream_exchange::wait(const Ready& ready, clock::time_point deadline, failure late) {
  const auto any = [&] { return ready() || request_.client.disconnected() || request_.owner.aborting(); };
  const bool in_time = co_await request_.wake->until(any, deadline);
  if (request_.client.disconnected()) co_return failure::client_disconnected;
  if (request_.owner.aborting()) co_return failure::shutdown;
  co_return in_time ? failure::none : late;
}

awaitable<failure> upstream_exchange::open() {
  const auto now = clock::now();
  deadline_ = now + request_.deadlines().total;
  if (upstream_pool* const pool = request_.owner.pool_of(request_.upstream())) link_ = pool->take();
  if (link_) {
    link_->attach(request_.wake);
    ++request_.owner.metrics.upstreams.reused;
    co_return failure::none;
  }
  const auto deadline = std::min(deadline_, now + request_.deadlines().connect);
  failure why = co_await connect(deadline);
  if (why != failure::unreachable) co_return why;
  const auto never = [] { return false; };
  const auto soon = clock::now() + pause_before_retry;
  why = co_await wait(never, soon, failure::none);
  if (why == failure::none) why = co_await connect(deadline);
  co_return why;
}

/// If the TLS handshake breaks off or stalls, the next address is tried.
awaitable<failure> upstream_exchange::connect(clock::time_point deadline) {
  const auto decided = [&] { return link_->outcome().has_value(); };
  const auto connected = [&] { return link_->handshaking() || decided(); };
  const failure late = deadline == deadline_ ? failure::total_timeout : failure::connect_timeout;
  failure why = failure::none;
  bool again = true;
  for (std::size_t tried = 1; again; ++tried) {
    close();
    link_ = std::make_shared<upstream_link>(request_.owner.io, request_.matched.route->upstream,
                                            request_.owner.caches_of(request_.upstream()));
    link_->attach(request_.wake);
    link_->connect();
    why = co_await wait(connected, deadline, late);
    const auto now = clock::now();
    const bool last = tried >= link_->address_count();
    const auto half = std::min<clock::duration>(handshake_time, (deadline - now) / 2);
    const auto until = last ? deadline : now + half;
    if (why == failure::none) why = co_await wait(decided, until, late);
    if (why == failure::none) why = *link_->outcome();
    again = !last && (why == failure::tls || why == late) && link_->handshaking() && !link_->rejected();
    if (again) link_->defer_address();
  }
  if (why == failure::none) ++request_.owner.metrics.upstreams.connects;
  co_return why;
}

void upstream_exchange::send(std::string head, request_body body) {
  sent_at_ = clock::now();
  link_->send(std::move(head), std::move(body));
}

awaitable<upstream_exchange::received_bytes> upstream_exchange::receive(clock::time_point deadline,
                                                                        failure late) {
  const worker& owner = request_.owner;
  const auto over = [&] { return link_->received() || request_.client.disconnected() || owner.aborting(); };
  const auto first = std::min(deadline, deadline_);
  received_bytes out;
  while (out.bytes.empty() && !link_->error()) {
    link_->receive();
    // The same as wait(), without another coroutine frame: most streams wait here.
    while (!over() && clock::now() < first) co_await request_.wake->sleep_until(first);
    const clock::time_point now = clock::now();
    out.why = receive_failure(now, late);
    if (out.why != failure::none) co_return out;
    received_at_ = now;
    out.bytes = link_->take();
  }
  request_.facts.bytes.upstream += out.bytes.size();
  if (out.bytes.empty()) out.why = link_->error() == asio::error::eof ? failure::closed : failure::reset;
  co_return out;
}

/// Returns why a wait for bytes has failed that ended at \p now, or none.
failure upstream_exchange::receive_failure(clock::time_point now, failure late) const noexcept {
  if (request_.client.disconnected()) return failure::client_disconnected;
  if (now >= deadline_) return failure::total_timeout;
  if (request_.owner.aborting()) return failure::shutdown;
  return link_->received() ? failure::none : late;
}

awaitable<failure> upstream_exchange::read_head(clock::time_point deadline) {
  bytes_.erase(0, bytes_.size() - undecoded_.size());  // the head of an interim response
  http::head_finder finder(max_answer_head_bytes);
  http::head_state state = finder.scan(bytes_);
  while (state == http::head_state::more) {
    const received_bytes next = co_await receive(deadline, failure::head_timeout);
    if (next.why != failure::none) co_return next.why;
    bytes_.append(next.bytes);
    state = finder.scan(bytes_);
  }
  if (state == http::head_state::malformed) co_return failure::malformed;
  if (state == http::head_state::too_long) co_return failure::head_too_large;
  const std::string_view all = bytes_;
  const std::string_view head = all.substr(0, finder.size());
  const auto fields = std::ranges::count(head, '\n') - 2;  // without the status line and the empty line
  if (fields > max_answer_head_fields) co_return failure::head_too_large;
  const bool good = http::parse_response_head(head, max_answer_head_fields, request_.head.method, head_);
  undecoded_ = all.substr(finder.size());
  decoder_ = http::body_decoder(head_.body, head_.length);
  co_return good ? failure::none : failure::malformed;
}

void upstream_exchange::forget_fields() noexcept {
  std::string().swap(bytes_);
  http::fields().swap(head_.all);
}

upstream_exchange::body_part upstream_exchange::received_part() {
  std::string& out = request_.owner.buffers.clear_input();
  undecoded_.remove_prefix(decoder_.feed(undecoded_, out));
  if (decoder_.complete()) return {body_state::complete, failure::none, out};
  if (decoder_.malformed()) return {body_state::failed, failure::malformed, out};
  return {body_state::open, failure::none, out};
}

awaitable<upstream_exchange::body_part> upstream_exchange::next_part(std::chrono::milliseconds quiet_after) {
  const auto since = quiet_since_.value_or(clock::now());
  const auto idle = since + request_.deadlines().idle;
  quiet_since_.reset();
  body_part part;
  while (part.state == body_state::open && part.bytes.empty()) {
    const auto deadline = quiet_after.count() > 0 ? std::min(idle, clock::now() + quiet_after) : idle;
    const received_bytes next = co_await receive(deadline, failure::idle_timeout);
    undecoded_ = next.bytes;
    if (next.why == failure::none) {
      part = received_part();
    } else if (next.why == failure::idle_timeout && clock::now() < idle) {
      quiet_since_ = since;
      part.state = body_state::quiet;
    } else if (next.why == failure::closed && decoder_.ends_with_connection()) {
      part.state = body_state::complete;
    } else {
      part.state = body_state::failed;
      part.why = next.why;
    }
  }
  co_return part;
}

std::string_view upstream_exchange::reason() const noexcept {
  return link_ ? std::string_view(link_->reason()) : std::string_view();
}

std::string upstream_exchange::error_of(failure why) const {
  const std::string_view message = describe(why).message;
  if (!is_of_upstream(why)) return std::string(message);
  std::string out(reason().empty() ? message : reason());
  const bool acronym = out.size() > 1 && ascii::lower(out[1]) != out[1];
  if (!acronym && !out.empty()) out[0] = ascii::lower(out[0]);
  const http::upstream_url& url = request_.upstream().url;
  return out + " (" + http::authority_of(url.host, url.port) + ")";
}

void upstream_exchange::keep_connection() {
  const bool reusable = head_.persistent && link_->sent() && undecoded_.empty() && !link_->error();
  upstream_pool* const pool = reusable ? request_.owner.pool_of(request_.upstream()) : nullptr;
  if (pool != nullptr) pool->put(std::move(link_));
}

void upstream_exchange::close() {
  if (link_) link_->close(request_.client.disconnected());
}

}  // namespace citestream
