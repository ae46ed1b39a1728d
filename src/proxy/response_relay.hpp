/// \file
/// Serves one request: sends it to the upstream and relays the response to the client.
#pragma once

#include <citestream/session/session.hpp>

#include <memory>
#include <string>
#include <string_view>

#include "client_response.hpp"
#include "request_rewriting.hpp"
#include "served_request.hpp"
#include "stream_tracking.hpp"
#include "upstream_exchange.hpp"

namespace citestream {

/// Serves one request.
class response_relay {
 public:
  /// \param body  of the request
  response_relay(served_request request, request_body body);

  /// \return true if the client connection can carry another request.
  awaitable<bool> run();

 private:
  using body_part = upstream_exchange::body_part;
  using body_state = upstream_exchange::body_state;
  struct event_stream;

  [[nodiscard]] rewritten_request send_request();
  awaitable<failure> read_head();
  awaitable<failure> pass_interim_head();
  void note_failure(failure why);
  awaitable<bool> fail(failure why);

  [[nodiscard]] awaitable<bool> relay(rewritten_request& rewritten);
  awaitable<bool> relay_events(body_part part, rewritten_request& rewritten);
  awaitable<bool> relay_json(rewritten_request& rewritten);
  awaitable<bool> send_json(const std::string& body, rewritten_request& rewritten);
  awaitable<bool> relay_unchanged(rewrite_mode mode, std::string collected);
  [[nodiscard]] std::string rewrite_part(const body_part& part, event_stream& stream, std::string& out);
  [[nodiscard]] bool takes_comments(const session& rewriter) const;
  [[nodiscard]] bool lacks_answer(const session& rewriter) const;
  [[nodiscard]] failure end_events(failure why, event_stream& stream, std::string& out);
  [[nodiscard]] bool finish(failure why);
  [[nodiscard]] std::unique_ptr<recorder::stream> record();
  [[nodiscard]] session_options answer_options(rewritten_request& rewritten) const;

  served_request request_;
  request_body body_;  ///< of the request
  upstream_exchange upstream_;
  client_response client_;
};

}  // namespace citestream
