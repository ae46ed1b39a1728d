/// \file
/// The upstream's side of one request: connects, sends the request and receives the response.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/body_decoder.hpp"
#include "http/message_head.hpp"
#include "served_request.hpp"
#include "upstream_link.hpp"

namespace citestream {

/// The connection is closed with the exchange unless keep_connection() was called.
class upstream_exchange {
 public:
  /// How far the body of the response is.
  enum class body_state : std::uint8_t {
    open,      ///< more will arrive
    quiet,     ///< nothing has arrived for a while
    complete,  ///< it has ended
    failed,    ///< the upstream failed, or its framing is not valid
  };
  struct body_part {
    body_state state{};
    failure why{failure::none};  ///< if `state` is failed
    std::string_view bytes;      ///< decoded, in `worker::buffers`; valid until the next wait

    /// Returns true if this is the last part.
    [[nodiscard]] bool last() const noexcept {
      return state == body_state::complete || state == body_state::failed;
    }
  };

  /// \p request must outlive the exchange.
  explicit upstream_exchange(const served_request& request) noexcept : request_(request) {}
  ~upstream_exchange() { close(); }
  upstream_exchange(const upstream_exchange&) = delete;
  upstream_exchange& operator=(const upstream_exchange&) = delete;

  /// Takes an idle connection or makes one.
  awaitable<failure> open();
  /// Sends the request.
  void send(std::string head, request_body body);
  /// Receives the next head: of an interim response (1xx), after which another head follows, or of the final
  /// one.
  awaitable<failure> read_head(clock::time_point deadline);
  [[nodiscard]] const http::response_head& head() const noexcept { return head_; }
  /// Frees the fields of the head and their bytes. Call this when the head has been forwarded and
  /// received_part() has been called.
  void forget_fields() noexcept;

  /// Returns the part of the body that has arrived and was not returned yet, without waiting. It may be
  /// empty.
  [[nodiscard]] body_part received_part();
  /// Waits for the next part of the body. A part is empty only if it is the last one or `quiet`.
  /// \param quiet_after  returns `quiet` if nothing arrives for so long; 0: never
  awaitable<body_part> next_part(std::chrono::milliseconds quiet_after = {});

  /// When the request was sent.
  [[nodiscard]] clock::time_point sent_at() const noexcept { return sent_at_; }
  /// When the last bytes arrived.
  [[nodiscard]] clock::time_point received_at() const noexcept { return received_at_; }
  /// The upstream's own reason for a failed connection; may be empty.
  [[nodiscard]] std::string_view reason() const noexcept;
  /// Returns what went wrong, with the address of the upstream if it happened there: `connection refused
  /// (127.0.0.1:9000)`. The address is for the operator; clients get the reason alone.
  [[nodiscard]] std::string error_of(failure why) const;

  /// Puts the connection into the pool if it can carry another request. Call this after the last part.
  void keep_connection();
  void close();

 private:
  struct received_bytes {
    failure why{failure::none};
    std::string_view bytes;  ///< valid until the next wait; empty after a failure
  };

  awaitable<failure> connect(clock::time_point deadline);
  awaitable<received_bytes> receive(clock::time_point deadline, failure late);
  [[nodiscard]] failure receive_failure(clock::time_point now, failure late) const noexcept;
  template <class Ready>
  awaitable<failure> wait(const Ready& ready, clock::time_point deadline, failure late);

  const served_request& request_;
  std::shared_ptr<upstream_link> link_;
  std::string bytes_;         ///< the head, and what the same read returned after it
  http::response_head head_;  ///< views into `bytes_`
  http::body_decoder decoder_;
  std::string_view undecoded_;    ///< in `bytes_`, or what the link read last
  clock::time_point deadline_{};  ///< of the whole response
  clock::time_point sent_at_{};
  clock::time_point received_at_{};
  std::optional<clock::time_point> quiet_since_;  ///< set if the last part was `quiet`
};

}  // namespace citestream
