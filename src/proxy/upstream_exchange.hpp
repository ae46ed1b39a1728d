/// \file
/// One request and its response: sends the request to the upstream and relays the response to the client.
#pragma once

#include <citestream/provenance/provenance.hpp>
#include <citestream/session/session.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client_link.hpp"
#include "config_snapshot.hpp"
#include "http/body_decoder.hpp"
#include "http/forwarding.hpp"
#include "http/message_head.hpp"
#include "request_facts.hpp"
#include "stream_tracking.hpp"
#include "worker.hpp"

namespace citestream {

/// The upstream connection is closed with the exchange unless the response is complete and the upstream keeps
/// the connection open.
class upstream_exchange {
 public:
  /// \p request and the bytes it refers to must outlive the exchange.
  upstream_exchange(worker& owner, matched_route matched, client_link& client,
                    const std::shared_ptr<wakeup>& wake, const http::request_head& request, std::string body,
                    request_facts& facts);
  ~upstream_exchange();
  upstream_exchange(const upstream_exchange&) = delete;
  upstream_exchange& operator=(const upstream_exchange&) = delete;

  /// \return true if the client connection can carry another request.
  awaitable<bool> run();

 private:
  enum class step : std::uint8_t {
    data,      ///< body bytes have arrived
    complete,  ///< the body has ended, perhaps with further bytes
    failed,    ///< the upstream failed (see failure_), perhaps after further bytes
    quiet,     ///< nothing has arrived for a while
  };

  // upstream_exchange.cpp: up to the head of the response
  [[nodiscard]] std::string prepare_request();
  awaitable<failure> open();
  awaitable<failure> connect(clock::time_point deadline);
  awaitable<failure> read_head();
  awaitable<failure> read_one_head(clock::time_point deadline);
  awaitable<failure> pass_interim_head();
  awaitable<failure> receive(clock::time_point deadline, failure late);
  awaitable<bool> fail(failure why);
  [[nodiscard]] std::string error_of(failure why) const;
  template <class Ready>
  awaitable<failure> wait(const Ready& ready, clock::time_point deadline, failure late);

  // relay.cpp: the body
  [[nodiscard]] awaitable<bool> relay();
  awaitable<bool> relay_events();
  awaitable<bool> relay_json();
  awaitable<bool> send_json(const std::string& body);
  awaitable<bool> relay_untouched(std::string collected);
  awaitable<step> next_body(std::chrono::milliseconds quiet_after = {});
  void forget_head() noexcept;
  void write(const client_link::pieces& bytes);
  bool write_part(std::string_view data, bool last);
  awaitable<bool> written();
  awaitable<bool> drained(unread_records& records);
  std::string_view rewrite(std::string_view& in, session& rewriter, unread_records& records,
                           stream_meter& meter, std::string& out);
  awaitable<bool> send(const client_link::pieces& bytes);
  [[nodiscard]] bool finish(step how);
  void write_head(http::framing body, std::uint64_t length, bool changed);
  [[nodiscard]] rewrite_mode rewrite_mode_of_response() const noexcept;
  void end_events(session& rewriter, step& how, std::string& out);
  [[nodiscard]] bool keeps_client() const noexcept;
  [[nodiscard]] std::unique_ptr<recorder::stream> record();
  [[nodiscard]] session_options answer_options();

  /// The response of the upstream.
  struct incoming_response {
    std::string bytes;         ///< the head, and what the same read returned after it
    http::response_head head;  ///< views into `bytes`
    http::body_decoder decoder;
    std::string_view undecoded;  ///< in `bytes`, or what the link read last
  };
  /// The response to the client.
  struct outgoing_response {
    std::string head;         ///< until it is sent
    std::string chunk_start;  ///< of the part that is being sent
    http::framing framing{http::framing::none};
    bool keep_alive{};
    bool failure_visible{};  ///< the body itself shows that it failed, or nothing is missing from it
  };
  struct times {
    clock::time_point deadline{};      ///< of the whole response
    clock::time_point request_sent{};  ///< to the upstream
    clock::time_point received{};      ///< the last bytes from the upstream
    clock::time_point written{};       ///< the last bytes to the client
    clock::time_point last_arrival{};  ///< of body bytes, to detect an idle upstream
    bool was_quiet{};                  ///< `last_arrival` continues
  };

  worker& worker_;
  matched_route matched_;
  const proxy_options& options_;  ///< of the snapshot that `matched_` keeps
  client_link& client_;
  std::shared_ptr<wakeup> wake_;
  const http::request_head& request_;
  std::string body_;  ///< of the request
  request_facts& facts_;
  std::optional<provenance_registry> sources_;  ///< of a request that was given provenance

  std::shared_ptr<upstream_link> link_;
  incoming_response response_;
  outgoing_response output_;
  times times_;
  failure failure_{failure::none};
  rewrite_mode mode_{rewrite_mode::pass};
};

}  // namespace citestream
