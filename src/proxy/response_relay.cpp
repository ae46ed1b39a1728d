// Sends the request and relays the response in one of three ways: event streams are rewritten as they flow,
// JSON bodies as a whole, everything else is passed on byte for byte.
//
// All three pull parts of the body from `upstream_`, which decodes the framing of the upstream, and write
// them to `client_`, which adds the framing for the client. The first part is what arrived with the head of
// the response, perhaps nothing: it is written with the head.
//
// The input and output buffers belong to the worker and are valid until the relay waits for anything.
//
// How a response ends must be visible to the client. Until the head has been forwarded, every failure becomes
// a complete error response. Later, a failed event stream gets an error event and no last chunk; a failed
// body is cut short, or reset if only the end of the connection marks its end.

#include "response_relay.hpp"

#include <citestream/check/support.hpp>
#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "http/forwarding.hpp"

namespace citestream {
namespace {

constexpr int max_interim_answers = 16;

}  // namespace

response_relay::response_relay(served_request request, request_body body)
    : request_(std::move(request)), body_(std::move(body)), upstream_(request_), client_(request_) {}

awaitable<bool> response_relay::run() {
  rewritten_request rewritten;
  failure why = co_await upstream_.open();
  if (why == failure::none) {
    rewritten = send_request();
    why = co_await read_head();
  }
  bool keep = false;
  if (why == failure::none) {
    keep = co_await relay(rewritten);
  } else {
    keep = co_await fail(why);
  }
  co_return keep;
}

/// Rewrites the body if the route requires it, and sends the request. \return what was done with the body
rewritten_request response_relay::send_request() {
  const matched_route& matched = request_.matched;
  proxy_metrics& metrics = request_.owner.metrics;
  const http::upstream_url& url = request_.upstream().url;
  const std::string target = url.base_path + matched.route->forwarded_target(request_.head);
  rewritten_request rewritten;
  if (!matched.bypass()) {
    rewritten = rewrite_request(request_.head, target, matched.route->options.requests, body_.bytes);
  }
  body_.count();
  if (rewritten.changed) ++metrics.requests.changed;
  if (rewritten.error) ++metrics.requests.unread;
  const request_trace* const trace = request_.facts.trace.get();
  const std::string traceparent = trace != nullptr ? trace->traceparent() : std::string();
  const http::upstream_framing how{.target = target,
                                   .host = url.authority,
                                   .body_bytes = body_.bytes.size(),
                                   .changed = rewritten.changed,
                                   .request_id = request_.facts.id,
                                   .traceparent = traceparent,
                                   .new_trace = trace != nullptr && trace->parent_id.empty(),
                                   .via = request_.owner.shared.pseudonym};
  upstream_.send(http::upstream_request_head(request_.head, how), std::move(body_));
  return rewritten;
}

/// Returns the session options for the response. The references of the request are moved there.
session_options response_relay::answer_options(rewritten_request& rewritten) const {
  session_options options = request_.matched.route->options.session;
  options.checker = &word_check;
  request_.matched.options.apply_to(options);
  if (request_.matched.options.bypass || rewritten.json) options.keep_answers();
  options.provenance = options.provenance || rewritten.keyed;
  std::ranges::move(rewritten.references, std::back_inserter(options.references));
  rewritten.references.clear();
  return options;
}

/// Receives the head of the final response.
awaitable<failure> response_relay::read_head() {
  const auto deadline = clock::now() + request_.deadlines().head;
  failure why = failure::none;
  for (int interim = 0; why == failure::none && interim <= max_interim_answers; ++interim) {
    why = co_await upstream_.read_head(deadline);
    if (why != failure::none) break;
    if (upstream_.head().status >= 200) co_return failure::none;
    why = co_await pass_interim_head();
  }
  co_return why == failure::none ? failure::malformed : why;
}

/// Passes interim responses on, except 100, which the proxy sends itself, and to HTTP/1.0 (RFC 9110, 15.2).
awaitable<failure> response_relay::pass_interim_head() {
  const http::response_head& interim = upstream_.head();
  if (interim.status == 101) co_return failure::malformed;  // the request wanted no upgrade
  if (interim.status == 100 || request_.head.version != http::http_version::http_1_1) {
    co_return failure::none;
  }
  std::string head;
  http::append_interim_head(interim, head);
  const client_link::pieces bytes{head};
  const bool sent = co_await client_.send(bytes);
  co_return sent ? failure::none : client_.lost();
}

void response_relay::note_failure(failure why) {
  request_.facts.failed = why;
  if (why == failure::no_descriptors) ++request_.owner.metrics.refused.descriptors;
  if (why != failure::client_disconnected) request_.facts.error = upstream_.error_of(why);
}

/// Sends a complete error response, unless the client has disconnected.
awaitable<bool> response_relay::fail(failure why) {
  note_failure(why);
  request_.facts.status = 0;  // the one of the upstream has not been sent
  if (is_of_client(why)) co_return false;
  http::own_error error = describe(why);
  std::string message(error.message);
  if (!upstream_.reason().empty()) message.append(": ").append(upstream_.reason());
  error.message = message;
  upstream_.close();
  const bool keep = client_.client_can_stay();
  const bool sent = co_await client_.send_error(error, !keep);
  co_return (sent && keep);
}

/// Chooses how the response is relayed. Not a coroutine: that saves a frame for each stream.
awaitable<bool> response_relay::relay(rewritten_request& rewritten) {
  const http::response_head& head = upstream_.head();
  const matched_route& matched = request_.matched;
  request_facts& facts = request_.facts;
  response_facts answer = facts_of(head);
  answer.json = asks_for_answer(request_.head.method, request_.head.target) &&
                matched.route->rewrites_json_of(request_.head.target);
  answer.bypass = matched.bypasses_response();
  const rewrite_mode mode = rewrite_mode_of(answer);
  facts.status = head.status;
  const http::field* named = http::find(head.all, http::request_id_name);
  if (named != nullptr && named->value != facts.id) facts.answer_id = named->value;
  if (mode == rewrite_mode::bypassed) {
    facts.rewriting.bypassed = http::is_encoded(head.all) ? bypass_reason::compressed : bypass_reason::option;
  }
  const bool bodiless =
      head.body == http::framing::none || (head.body == http::framing::length && head.length == 0);
  const bool too_large = head.length > matched.route->options.session.bounds.max_body_bytes;
  if (mode == rewrite_mode::events && !bodiless) return relay_events(upstream_.received_part(), rewritten);
  if (mode == rewrite_mode::json && !bodiless && !too_large) return relay_json(rewritten);
  if (mode == rewrite_mode::json && !bodiless) facts.rewriting.bypassed = bypass_reason::too_large;
  return relay_unchanged(mode, {});
}

/// Decides after the last byte whether both connections can be used again.
/// \param why  the response is not complete; none if it is
bool response_relay::finish(failure why) {
  if (request_.client.disconnected()) why = client_.lost();
  if (why != failure::none) {
    note_failure(why);
    if (!is_of_client(why)) client_.break_off();
    return false;
  }
  upstream_.keep_connection();
  return client_.keeps_connection();
}

/// A response that is being rewritten event by event.
struct response_relay::event_stream {
  event_stream(response_relay& relay, session_options options, bool is_sse)
      : rewriter(std::move(options), &relay.request_.owner.space),
        meter(rewriter, relay.request_.facts, relay.request_.owner.metrics),
        records(rewriter),
        recording(relay.record()),
        sse(is_sse) {
    relay.request_.facts.rewriting.running = &rewriter;
  }

  session rewriter;
  stream_meter meter;
  unread_records records;
  std::unique_ptr<recorder::stream> recording;  ///< null if recording is off
  bool sse;                                     ///< false: lines or messages, which can have no comments
  event_gap gap;
};

/// Returns true if the request is for an answer of a model, and no event of it has arrived.
bool response_relay::lacks_answer(const session& rewriter) const {
  return request_.facts.status == 200 && request_.head.method == "POST" &&
         find_api(request_.head.target).kind == request_kind::chat && rewriter.statistics().events == 0;
}

/// Finishes the session. \param why  why the upstream failed, or none. \return why the response is
/// incomplete, or none
failure response_relay::end_events(failure why, event_stream& stream, std::string& out) {
  session& rewriter = stream.rewriter;
  const bool aborted = why != failure::none;
  const http::own_error error = describe(aborted ? why : failure::incomplete);
  const stream_end end = aborted || lacks_answer(rewriter) ? stream_end::aborted : stream_end::complete;
  const std::size_t size = out.size();
  const status result = rewriter.finish(out, end, error.message, error.code);
  const bool incomplete = result.code == errc::upstream_incomplete;
  // Too little of lines or messages may have arrived to tell what they are.
  const bool wrong_framing = !stream.sse && rewriter.writes_sse() && rewriter.recognised() == nullptr;
  if (wrong_framing && incomplete) out.resize(size);
  // A stream of an unknown form gets no error event; one that was complete needs none.
  const bool any_form = rewriter.recognised() != nullptr || rewriter.statistics().events == 0;
  if (!incomplete || (any_form && !wrong_framing)) client_.mark_end_visible();
  return incomplete && !aborted ? failure::incomplete : why;
}

/// Returns true if the client ignores comments. Before the first event, only the path tells.
bool response_relay::takes_comments(const session& rewriter) const {
  const dialect* by = rewriter.recognised();
  if (by == nullptr) by = find_api(request_.head.target).api;
  return by != nullptr && by->stream.takes_comments;
}

/// \param part  the first part of the body
awaitable<bool> response_relay::relay_events(body_part part, rewritten_request& rewritten) {
  worker& owner = request_.owner;
  client_link& client = request_.client;
  client_.set_head(upstream_.head(), rewrite_mode::events, http::framing::chunked, 0, true);
  ++owner.metrics.events.streams;
  const http::field* const type = http::find(upstream_.head().all, "content-type");
  const bool is_sse = type == nullptr || http::is_event_stream(type->value);
  event_stream stream(*this, answer_options(rewritten), is_sse);
  const auto comment_after =
      stream.sse ? request_.deadlines().keep_alive_comment : std::chrono::milliseconds();
  unread_records& records = stream.records;
  std::string rest;  // input that waits for the client to read
  failure why = failure::none;
  while (!client.disconnected()) {
    std::string& out = owner.buffers.clear_output();
    rest = rewrite_part(part, stream, out);
    part.bytes = rest;
    const bool ends = rest.empty() && part.last();
    if (ends) why = end_events(part.why, stream, out);
    stream.gap.feed(out);
    owner.metrics.note_unsent(records.bytes() + out.size());
    bool sent = co_await client_.send_part(out, ends && why == failure::none);
    stream.meter.sent(client_.written_at(), sent);
    if (records.bytes() != 0) records.note_written(request_.facts.bytes.client, client.unacknowledged());
    if (records.bytes() > unread_records::max_bytes) sent = co_await client_.drained(records);
    if (!sent || ends) break;
    if (!rest.empty()) continue;
    upstream_.forget_fields();
    part = co_await upstream_.next_part(comment_after);
  }
  co_return finish(why);
}

/// Rewrites \p part up to the line at which the records reach their limit. \return what is left
std::string response_relay::rewrite_part(const body_part& part, event_stream& stream, std::string& out) {
  if (part.state == body_state::quiet && stream.gap.between_events() && takes_comments(stream.rewriter))
    out = ": keep-alive\n\n";
  std::string_view rest = part.bytes;
  status last_error;  // about a single event, which passes unchanged
  do {
    const status error = stream.rewriter.write(take_lines(rest), out);
    if (error) last_error = error;
    stream.records.count_new();
  } while (!rest.empty() && stream.records.bytes() + out.size() <= unread_records::max_bytes);
  const std::string_view rewritten = part.bytes.substr(0, part.bytes.size() - rest.size());
  stream.meter.rewritten(rewritten, last_error, upstream_.received_at());
  if (stream.recording) stream.recording->add(rewritten, upstream_.received_at());
  return std::string(rest);
}

/// Returns null if recording is off.
std::unique_ptr<recorder::stream> response_relay::record() {
  const http::response_head& head = upstream_.head();
  const http::field* type = http::find(head.all, "content-type");
  const recording_note note{.request_id = request_.facts.id,
                            .method = request_.head.method,
                            .target = request_.head.target,
                            .route = request_.facts.requested.route,
                            .status = head.status,
                            .content_type = type != nullptr ? type->value : std::string_view(),
                            .request = &request_.head.all,
                            .answer = &head.all};
  return request_.owner.shared.reports.recordings.begin(note, upstream_.sent_at());
}

awaitable<bool> response_relay::relay_json(rewritten_request& rewritten) {
  const std::size_t max_bytes = request_.matched.route->options.session.bounds.max_body_bytes;
  body_part part = upstream_.received_part();
  std::string collected(part.bytes);
  const bool flows = upstream_.head().body != http::framing::length;
  std::optional<char> opening = json_opening(part.bytes);
  while (!part.last() && collected.size() <= max_bytes && !(flows && opening == '[')) {
    part = co_await upstream_.next_part();
    collected += part.bytes;
    if (!opening) opening = json_opening(part.bytes);
  }
  if (flows && opening == '[') {
    part.bytes = collected;
    const bool stays = co_await relay_events(part, rewritten);
    co_return stays;
  }
  bool keep = false;
  if (part.state == body_state::failed) {
    // Nothing has been sent yet: an error response is better than half a JSON text.
    keep = co_await fail(part.why);
  } else if (collected.size() <= max_bytes) {
    keep = co_await send_json(collected, rewritten);
  } else {
    request_.facts.rewriting.bypassed = bypass_reason::too_large;
    keep = co_await relay_unchanged(rewrite_mode::json, std::move(collected));
  }
  co_return keep;
}

awaitable<bool> response_relay::send_json(const std::string& body, rewritten_request& rewritten) {
  std::string out;
  session rewriter(answer_options(rewritten), &request_.owner.space);
  stream_meter meter(rewriter, request_.facts, request_.owner.metrics);
  const status result = rewriter.rewrite_body(body, out);
  meter.rewritten(body, result, upstream_.received_at());
  if (result.code == errc::upstream_incomplete) {  // nothing of it has been sent
    const bool keep = co_await fail(failure::incomplete);
    co_return keep;
  }
  const bool changed = out != body;
  client_.set_head(upstream_.head(), rewrite_mode::json, http::framing::length, out.size(), changed);
  const bool sent = co_await client_.send_part(out, true);
  meter.sent(client_.written_at(), sent);
  co_return finish(failure::none);
}

/// \param collected  the beginning of the body, not sent yet
awaitable<bool> response_relay::relay_unchanged(rewrite_mode mode, std::string collected) {
  const http::response_head& head = upstream_.head();
  // Without a body, the length of a rewritten response is not known.
  const bool changed = head.body == http::framing::none && mode == rewrite_mode::events;
  client_.set_head(head, mode, head.body, head.length, changed);
  bool sent = true;
  if (!collected.empty()) sent = co_await client_.send_part(collected, false);
  body_part part = upstream_.received_part();
  while (sent && !request_.client.disconnected()) {
    sent = co_await client_.send_part(part.bytes, part.state == body_state::complete);
    if (!sent || part.last()) break;
    upstream_.forget_fields();
    part = co_await upstream_.next_part();
  }
  co_return finish(part.why);
}

}  // namespace citestream
