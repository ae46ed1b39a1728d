#include "exchange.hpp"

#include <algorithm>
#include <utility>

#include "http/error_response.hpp"
#include "request_rewriting.hpp"

namespace citestream {
namespace {

/// Upstream is trusted more than clients, not without bound.
constexpr std::size_t max_answer_head_bytes = 64 * 1024;
constexpr std::size_t max_answer_head_fields = 256;
constexpr int max_interim_answers = 16;
constexpr std::chrono::milliseconds pause_before_retry{100};

}  // namespace

exchange::exchange(worker& home, course way, client_link& client, const std::shared_ptr<wakeup>& wake,
                   const http::request_head& request, std::string body, request_facts& seen)
    : home_(home),
      way_(std::move(way)),
      options_(way_.of->options),
      client_(client),
      wake_(wake),
      request_(request),
      body_(std::move(body)),
      seen_(seen) {}

exchange::~exchange() {
  if (link_) link_->close();
}

awaitable<bool> exchange::run() {
  end_ = clock::now() + options_.deadlines.answer;
  trouble why = co_await open();
  if (why == trouble::none) {
    std::string head = prepare_request();
    asked_ = clock::now();
    link_->send(std::move(head), std::move(body_));
    why = co_await read_head();
  }
  bool keep = false;
  if (why == trouble::none) {
    keep = co_await relay();
  } else {
    keep = co_await give_up(why);
  }
  co_return keep;
}

/// Rewrites the body where that was asked for. \return the head that goes with it.
std::string exchange::prepare_request() {
  const http::upstream_url& url = way_.by->upstream->url;
  const std::string target = url.base_path + way_.by->upstream_target_of(request_.target);
  http::rewritten_request done;
  if (!way_.bypass()) {
    done = http::rewrite_request(request_, target, way_.by->options.requests, body_);
  }
  if (done.changed) home_.counters.requests_changed.fetch_add(1, std::memory_order_relaxed);
  if (done.unread) home_.counters.requests_unread.fetch_add(1, std::memory_order_relaxed);
  provenance_ = done.provenance;
  sources_ = std::move(done.registry);
  return http::upstream_request_head(request_, target, url.authority, body_.size(), done.changed, seen_.id);
}

/// What the answer's session is to do. The sources of the request go with it.
session_options exchange::answer_options() {
  session_options options = way_.by->options.session;
  way_.asked.apply_to(options);
  if (way_.asked.bypass) {  // as far as the egress guard lets it pass
    options.style = &keep_style;
    options.add = additions::never;
  }
  if (!provenance_) return options;
  options.provenance = true;
  for (reference& source : sources_.references) options.references.push_back(std::move(source));
  sources_.references.clear();
  return options;
}

template <class Ready>
awaitable<trouble> exchange::wait(const Ready& ready, clock::time_point deadline, trouble late) {
  const auto any = [&] { return ready() || client_.gone() || home_.aborting; };
  const bool in_time = co_await wake_->until(any, deadline);
  if (client_.gone()) co_return trouble::client_gone;
  if (home_.aborting) co_return trouble::shutdown;
  co_return in_time ? trouble::none : late;
}

awaitable<trouble> exchange::open() {
  if (upstream_pool* const pool = home_.pool_of(*way_.by->upstream)) link_ = pool->take();
  if (link_) {
    link_->attach(wake_);
    ++home_.metrics.reused;
    co_return trouble::none;
  }
  const auto deadline = clock::now() + options_.deadlines.connect;
  trouble why = co_await connect(deadline);
  if (why != trouble::unreachable) co_return why;
  const auto never = [] { return false; };
  const auto soon = clock::now() + pause_before_retry;
  why = co_await wait(never, soon, trouble::none);
  if (why == trouble::none) why = co_await connect(deadline);
  co_return why;
}

awaitable<trouble> exchange::connect(clock::time_point deadline) {
  if (link_) link_->close();
  ++home_.metrics.connects;
  home_.counters.upstream_connects.fetch_add(1, std::memory_order_relaxed);
  link_ = std::make_shared<upstream_link>(home_.io, way_.by->upstream, home_.memory_of(*way_.by->upstream));
  link_->attach(wake_);
  link_->connect();
  const auto decided = [&] { return link_->state() != upstream_link::phase::connecting; };
  const trouble why = co_await wait(decided, deadline, trouble::connect_timeout);
  if (why != trouble::none) co_return why;
  switch (link_->state()) {
    case upstream_link::phase::no_descriptors:
      co_return trouble::no_descriptors;
    case upstream_link::phase::timed_out:
      co_return trouble::connect_timeout;
    case upstream_link::phase::unreachable:
      co_return trouble::unreachable;
    case upstream_link::phase::untrusted:
      co_return trouble::tls;
    case upstream_link::phase::connecting:
    case upstream_link::phase::ready:
      break;
  }
  co_return trouble::none;
}

awaitable<trouble> exchange::receive(clock::time_point deadline, trouble late) {
  const auto over = [&] { return link_->received() || client_.gone() || home_.aborting; };
  const auto first = std::min(deadline, end_);
  undecoded_ = {};
  while (undecoded_.empty() && !link_->error()) {
    link_->receive();
    // As wait() does it, without a coroutine of its own: many wait here at once.
    while (!over() && clock::now() < first) co_await wake_->sleep_until(first);
    if (client_.gone()) co_return trouble::client_gone;
    arrived_ = clock::now();
    if (arrived_ >= end_) co_return trouble::total_timeout;
    if (home_.aborting) co_return trouble::shutdown;
    if (!link_->received()) co_return late;
    undecoded_ = link_->take();
  }
  seen_.upstream_bytes += undecoded_.size();
  if (!undecoded_.empty()) co_return trouble::none;
  co_return link_->error() == asio::error::eof ? trouble::closed : trouble::reset;
}

awaitable<trouble> exchange::read_head() {
  const auto deadline = clock::now() + options_.deadlines.answer_head;
  trouble why = trouble::none;
  for (int interim = 0; why == trouble::none && interim <= max_interim_answers; ++interim) {
    why = co_await read_one_head(deadline);
    if (why != trouble::none) break;
    if (answer_.status >= 200) co_return trouble::none;
    why = co_await pass_interim_head();
  }
  co_return why == trouble::none ? trouble::malformed : why;
}

awaitable<trouble> exchange::read_one_head(clock::time_point deadline) {
  http::head_finder finder(max_answer_head_bytes);
  http::head_state state = finder.scan(raw_);
  while (state == http::head_state::more) {
    const trouble why = co_await receive(deadline, trouble::head_timeout);
    if (why != trouble::none) co_return why;
    raw_.append(undecoded_);
    state = finder.scan(raw_);
  }
  if (state != http::head_state::found) co_return trouble::malformed;
  const std::string_view all = raw_;
  const bool good = http::parse_response_head(all.substr(0, finder.size()), max_answer_head_fields,
                                              request_.method, answer_);
  undecoded_ = all.substr(finder.size());
  decoder_ = http::body_decoder(answer_.body, answer_.length);
  co_return good ? trouble::none : trouble::malformed;
}

/// RFC 9110, 15.2: interim answers are passed on, except 100, which was answered already, and to HTTP/1.0.
awaitable<trouble> exchange::pass_interim_head() {
  if (answer_.status == 101) co_return trouble::malformed;  // nobody asked for another protocol
  std::string head;
  if (answer_.status != 100 && request_.version == http::http_version::http_1_1) {
    http::append_interim_head(answer_, head);
  }
  raw_.erase(0, raw_.size() - undecoded_.size());
  bool sent = true;
  const client_link::pieces bytes{head};
  if (!head.empty()) sent = co_await send(bytes);
  co_return sent ? trouble::none : trouble::client_gone;
}

awaitable<bool> exchange::give_up(trouble why) {
  seen_.failed = why;
  if (why == trouble::client_gone) {
    home_.counters.clients_left.fetch_add(1, std::memory_order_relaxed);
    co_return false;
  }
  if (why == trouble::no_descriptors) {
    ++home_.metrics.refused_descriptors;
  } else {
    home_.counters.upstream_errors.fetch_add(1, std::memory_order_relaxed);
  }
  const trouble_text text = describe(why);
  seen_.status = text.status;
  std::string message(text.message);
  if (link_ && !link_->reason().empty()) message += ": " + link_->reason();
  const bool keep = keeps_client();
  const std::string answer =
      http::error_response(text.status, text.code, message, !keep, request_.method == "HEAD", seen_.id);
  if (link_) link_->close();
  const client_link::pieces bytes{answer};
  const bool sent = co_await send(bytes);
  co_return sent&& keep;
}

bool exchange::keeps_client() const noexcept {
  return request_.persistent && !home_.draining && !home_.aborting;
}

}  // namespace citestream
