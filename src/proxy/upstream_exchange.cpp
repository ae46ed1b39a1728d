// Up to the head of the response: take an idle connection or make one, send the request, read the head. The
// body is relayed in relay.cpp.
//
// A request is sent at most once. The only retry is for a connection that could not be established, before
// any byte of the request was written; SDKs retry everything else themselves. An idle connection from the
// pool may be closed by the upstream at any moment, so connections that are too old are not used.
//
// Each wait ends with what it waits for, a deadline, the client's disconnect, or the abort of the proxy.
// Until the head has been forwarded, every failure becomes a complete error response.

#include "upstream_exchange.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "http/error_response.hpp"
#include "request_rewriting.hpp"

namespace citestream {
namespace {

/// Limits for responses: upstreams are trusted more than clients, but not without bounds.
constexpr std::size_t max_answer_head_bytes = 64 * 1024;
constexpr std::size_t max_answer_head_fields = 256;
constexpr int max_interim_answers = 16;
constexpr std::chrono::milliseconds pause_before_retry{100};

}  // namespace

upstream_exchange::upstream_exchange(worker& owner, matched_route matched, client_link& client,
                                     const std::shared_ptr<wakeup>& wake, const http::request_head& request,
                                     std::string body, request_facts& facts)
    : worker_(owner),
      matched_(std::move(matched)),
      options_(matched_.config->options),
      client_(client),
      wake_(wake),
      request_(request),
      body_(std::move(body)),
      facts_(facts) {}

upstream_exchange::~upstream_exchange() {
  if (link_) link_->close();
}

awaitable<bool> upstream_exchange::run() {
  times_.deadline = clock::now() + options_.deadlines.answer;
  failure why = co_await open();
  if (why == failure::none) {
    std::string head = prepare_request();
    times_.request_sent = clock::now();
    link_->send(std::move(head), std::move(body_));
    why = co_await read_head();
  }
  bool keep = false;
  if (why == failure::none) {
    keep = co_await relay();
  } else {
    keep = co_await fail(why);
  }
  co_return keep;
}

/// Rewrites the body if the route requires it. \return the head for it.
std::string upstream_exchange::prepare_request() {
  const http::upstream_url& url = matched_.route->upstream->url;
  const std::string target = url.base_path + matched_.route->upstream_target_of(request_.target);
  http::rewritten_request done;
  if (!matched_.bypass()) {
    done = http::rewrite_request(request_, target, matched_.route->options.requests, body_);
  }
  if (done.changed) ++worker_.metrics.requests_changed;
  if (done.unread) ++worker_.metrics.requests_unread;
  if (done.provenance) sources_ = std::move(done.registry);
  http::upstream_framing how;
  how.target = target;
  how.host = url.authority;
  how.body_bytes = body_.size();
  how.changed = done.changed;
  how.request_id = facts_.id;
  how.via = worker_.pseudonym;
  return http::upstream_request_head(request_, how);
}

/// Returns the session options for the response. They include the references of the request.
session_options upstream_exchange::answer_options() {
  session_options options = matched_.route->options.session;
  matched_.options.apply_to(options);
  if (matched_.options.bypass) {  // the egress guard stays on
    options.style = &keep_style;
    options.add = additions::never;
  }
  if (!sources_) return options;
  options.provenance = true;
  for (reference& source : sources_->references) options.references.push_back(std::move(source));
  sources_->references.clear();
  return options;
}

template <class Ready>
awaitable<failure> upstream_exchange::wait(const Ready& ready, clock::time_point deadline, failure late) {
  const auto any = [&] { return ready() || client_.gone() || worker_.aborting; };
  const bool in_time = co_await wake_->until(any, deadline);
  if (client_.gone()) co_return failure::client_gone;
  if (worker_.aborting) co_return failure::shutdown;
  co_return in_time ? failure::none : late;
}

awaitable<failure> upstream_exchange::open() {
  if (upstream_pool* const pool = worker_.pool_of(*matched_.route->upstream)) link_ = pool->take();
  if (link_) {
    link_->attach(wake_);
    ++worker_.metrics.upstream_reused;
    co_return failure::none;
  }
  const auto deadline = clock::now() + options_.deadlines.connect;
  failure why = co_await connect(deadline);
  if (why != failure::unreachable) co_return why;
  const auto never = [] { return false; };
  const auto soon = clock::now() + pause_before_retry;
  why = co_await wait(never, soon, failure::none);
  if (why == failure::none) why = co_await connect(deadline);
  co_return why;
}

awaitable<failure> upstream_exchange::connect(clock::time_point deadline) {
  if (link_) link_->close();
  ++worker_.metrics.upstream_connects;
  link_ = std::make_shared<upstream_link>(worker_.io, matched_.route->upstream,
                                          worker_.caches_of(*matched_.route->upstream));
  link_->attach(wake_);
  link_->connect();
  const auto decided = [&] { return link_->state() != upstream_link::phase::connecting; };
  const failure why = co_await wait(decided, deadline, failure::connect_timeout);
  if (why != failure::none) co_return why;
  switch (link_->state()) {
    case upstream_link::phase::no_descriptors:
      co_return failure::no_descriptors;
    case upstream_link::phase::timed_out:
      co_return failure::connect_timeout;
    case upstream_link::phase::unreachable:
      co_return failure::unreachable;
    case upstream_link::phase::untrusted:
      co_return failure::tls;
    case upstream_link::phase::connecting:
    case upstream_link::phase::ready:
      break;
  }
  co_return failure::none;
}

awaitable<failure> upstream_exchange::receive(clock::time_point deadline, failure late) {
  const auto over = [&] { return link_->received() || client_.gone() || worker_.aborting; };
  const auto first = std::min(deadline, times_.deadline);
  response_.undecoded = {};
  while (response_.undecoded.empty() && !link_->error()) {
    link_->receive();
    // The same as wait(), without another coroutine frame: most streams wait here.
    while (!over() && clock::now() < first) co_await wake_->sleep_until(first);
    if (client_.gone()) co_return failure::client_gone;
    times_.received = clock::now();
    if (times_.received >= times_.deadline) co_return failure::total_timeout;
    if (worker_.aborting) co_return failure::shutdown;
    if (!link_->received()) co_return late;
    response_.undecoded = link_->take();
  }
  facts_.upstream_bytes += response_.undecoded.size();
  if (!response_.undecoded.empty()) co_return failure::none;
  co_return link_->error() == asio::error::eof ? failure::closed : failure::reset;
}

awaitable<failure> upstream_exchange::read_head() {
  const auto deadline = clock::now() + options_.deadlines.answer_head;
  failure why = failure::none;
  for (int interim = 0; why == failure::none && interim <= max_interim_answers; ++interim) {
    why = co_await read_one_head(deadline);
    if (why != failure::none) break;
    if (response_.head.status >= 200) co_return failure::none;
    why = co_await pass_interim_head();
  }
  co_return why == failure::none ? failure::malformed : why;
}

awaitable<failure> upstream_exchange::read_one_head(clock::time_point deadline) {
  http::head_finder finder(max_answer_head_bytes);
  http::head_state state = finder.scan(response_.bytes);
  while (state == http::head_state::more) {
    const failure why = co_await receive(deadline, failure::head_timeout);
    if (why != failure::none) co_return why;
    response_.bytes.append(response_.undecoded);
    state = finder.scan(response_.bytes);
  }
  if (state != http::head_state::found) co_return failure::malformed;
  const std::string_view all = response_.bytes;
  const bool good = http::parse_response_head(all.substr(0, finder.size()), max_answer_head_fields,
                                              request_.method, response_.head);
  response_.undecoded = all.substr(finder.size());
  response_.decoder = http::body_decoder(response_.head.body, response_.head.length);
  co_return good ? failure::none : failure::malformed;
}

/// Passes interim responses on, except 100, which the proxy sends itself, and to HTTP/1.0 (RFC 9110, 15.2).
awaitable<failure> upstream_exchange::pass_interim_head() {
  if (response_.head.status == 101)
    co_return failure::malformed;  // the request did not ask for another protocol
  std::string head;
  if (response_.head.status != 100 && request_.version == http::http_version::http_1_1) {
    http::append_interim_head(response_.head, head);
  }
  response_.bytes.erase(0, response_.bytes.size() - response_.undecoded.size());
  bool sent = true;
  const client_link::pieces bytes{head};
  if (!head.empty()) sent = co_await send(bytes);
  co_return sent ? failure::none : failure::client_gone;
}

/// Returns what went wrong, with the address of the upstream if it happened there: `connection refused
/// (127.0.0.1:9000)`. The address is for the operator; clients get the reason alone.
std::string upstream_exchange::error_of(failure why) const {
  const failure_text text = describe(why);
  if (why == failure::shutdown || why == failure::no_descriptors || why == failure::internal) {
    return std::string(text.message);
  }
  std::string out = link_ && !link_->reason().empty() ? link_->reason() : std::string(text.message);
  const bool capitalized = out.size() > 1 && ascii::lower(out[1]) == out[1];
  if (capitalized) out[0] = ascii::lower(out[0]);
  const http::upstream_url& url = matched_.route->upstream->url;
  const bool brackets = url.host.find(':') != std::string::npos;
  return out + " (" + (brackets ? "[" + url.host + "]" : url.host) + ":" + url.port + ")";
}

awaitable<bool> upstream_exchange::fail(failure why) {
  facts_.failed = why;
  if (why == failure::client_gone) {
    ++worker_.metrics.clients_left;
    co_return false;
  }
  if (why == failure::no_descriptors) {
    ++worker_.metrics.refused_descriptors;
  } else {
    ++worker_.metrics.upstream_errors;
  }
  const failure_text text = describe(why);
  facts_.status = text.status;
  facts_.error = error_of(why);
  std::string message(text.message);
  if (link_ && !link_->reason().empty()) message += ": " + link_->reason();
  const bool keep = keeps_client();
  const std::string answer =
      http::error_response(text.status, text.code, message, !keep, request_.method == "HEAD", facts_.id);
  if (link_) link_->close();
  const client_link::pieces bytes{answer};
  const bool sent = co_await send(bytes);
  co_return sent&& keep;
}

bool upstream_exchange::keeps_client() const noexcept {
  return request_.persistent && !worker_.draining && !worker_.aborting;
}

}  // namespace citestream
