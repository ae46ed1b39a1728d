/// \file
/// The client's side of one request: writes all bytes for the client and waits until the socket has taken
/// them.
#pragma once

#include <citestream/session/rewrite_mode.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "http/message_head.hpp"
#include "served_request.hpp"
#include "stream_tracking.hpp"

namespace citestream {

/// Every write is tried immediately. Only if the socket does not take everything do the functions wait.
class client_response {
 public:
  /// \p request must outlive the response.
  explicit client_response(const served_request& request) noexcept : request_(request) {}

  /// Prepares the head; it is written with the first part. A body that ends with the upstream connection is
  /// sent in chunks, so that the client can tell that it is complete. \p changed: the body is rewritten.
  void set_head(const http::response_head& from, rewrite_mode mode, http::framing body, std::uint64_t length,
                bool changed);
  /// Writes a part of the body, as one chunk, and waits until the socket has taken it. \return false if the
  /// client has disconnected.
  awaitable<bool> send_part(std::string_view data, bool last);
  /// Writes bytes outside of a body and waits until the socket has taken them. \return false if the client
  /// has disconnected.
  awaitable<bool> send(const client_link::pieces& bytes);
  /// Sends a complete error response. \p close: the connection ends after it. \return false if the client has
  /// disconnected.
  awaitable<bool> send_error(http::own_error error, bool close);
  /// Waits until the client has read enough. \return false if it has disconnected, or was closed because it
  /// has read nothing for too long.
  awaitable<bool> drained(unread_records& records);

  /// Returns why nothing more can be sent, once the client has disconnected.
  [[nodiscard]] failure lost() const noexcept { return lost_; }

  /// Call this if the client can tell from the body whether it is complete: break_off() then resets nothing.
  void mark_end_visible() noexcept { end_visible_ = true; }
  /// Makes the client see that the body is not complete: if it ends with the connection, only a reset shows
  /// that.
  void break_off();

  /// When the last bytes were written.
  [[nodiscard]] clock::time_point written_at() const noexcept { return written_at_; }
  /// Returns true if the client allows another request after this one and the proxy is not stopping.
  [[nodiscard]] bool client_can_stay() const noexcept;
  /// Returns true if the head has announced that the connection stays open.
  [[nodiscard]] bool keeps_connection() const noexcept { return keep_alive_; }

 private:
  void write(const client_link::pieces& bytes);
  awaitable<bool> written();
  template <class Done>
  awaitable<void> while_read(const Done& done, std::chrono::milliseconds look_every);

  const served_request& request_;
  std::string head_;         ///< until it is sent
  std::string chunk_start_;  ///< of the part that is being sent
  rewrite_mode mode_{rewrite_mode::pass};
  http::framing framing_{http::framing::none};
  bool keep_alive_{};
  bool end_visible_{};
  failure lost_{failure::client_disconnected};  ///< or why the proxy has closed the connection
  clock::time_point written_at_{};
};

}  // namespace citestream
