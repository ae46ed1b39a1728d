/// \file
/// A connected stream socket that never blocks: TCP or Unix, plain or TLS.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/generic/stream_protocol.hpp>

#include "asio.hpp"
#include "tls.hpp"

namespace citestream {

/// The common part of client and upstream links. An idle connection holds no buffer: bytes are read into a
/// buffer that all connections of a thread share. Writes are tried immediately; only the rest waits.
class transport : public std::enable_shared_from_this<transport> {
 public:
  using socket_type = asio::generic::stream_protocol::socket;
  static constexpr std::size_t max_pieces = 5;
  using pieces = std::array<std::string_view, max_pieces>;

  transport(const transport&) = delete;
  transport& operator=(const transport&) = delete;
  virtual ~transport() = default;

 protected:
  explicit transport(socket_type socket) noexcept : socket_(std::move(socket)) {}

  /// Makes a connected socket non-blocking and disables Nagle's algorithm.
  void prepare();
  /// Switches to TLS. \return the engine, to be set up further.
  tls_engine& secure(SSL_CTX* context, tls_engine::side which);
  [[nodiscard]] tls_engine* tls() noexcept { return tls_ ? &*tls_ : nullptr; }
  [[nodiscard]] const tls_engine* tls() const noexcept { return tls_ ? &*tls_ : nullptr; }

  /// Starts the handshake as a TLS client.
  void start_tls();

  /// Calls on_readable() when bytes arrive.
  void arm_read();
  /// Reads after on_readable(). The bytes are in the buffer of the thread, valid until the next call on any
  /// transport of this thread. Can be empty without an error, for example after a part of a TLS record.
  /// \p error is set if no further bytes can arrive.
  [[nodiscard]] std::string_view arrived(error_code& error);

  /// Writes one list of pieces at a time. \return true if the socket has taken everything. Otherwise
  /// on_written() is called later, and the bytes must stay in place until then (TLS has copied them).
  bool write(const pieces& bytes, error_code& error);
  /// Sends pending TLS messages.
  void flush();
  /// Bytes that the socket has not taken.
  [[nodiscard]] std::size_t unsent() const noexcept;

  /// Ends our side. The peer sees the end after everything that was written.
  void end_writing();
  void close_socket(bool reset);
  [[nodiscard]] socket_type& socket() noexcept { return socket_; }

  virtual void on_readable(error_code error) = 0;
  virtual void on_written(error_code error) = 0;
  /// Called after a handler threw, for example for lack of memory. The socket is closed.
  virtual void on_broken() = 0;

  /// Runs a handler of the event loop. An exception closes this connection and is rethrown.
  template <class Step>
  void step(const Step& taken) {
    try {
      taken();
    } catch (...) {
      close_socket(true);
      on_broken();
      throw;
    }
  }

 private:
  std::string_view decrypt(std::string_view wire, error_code& error);
  bool push(error_code& error);
  void forget_sent();
  void wait_until_writable();
  void on_writable(error_code error);

  socket_type socket_;
  std::optional<tls_engine> tls_;
  std::string sealed_;                               ///< encrypted bytes
  std::size_t sealed_sent_{};                        ///< how many of them are sent
  std::array<asio::const_buffer, max_pieces> rest_;  ///< plain bytes not sent yet
  bool writing_{};                                   ///< on_written() will be called
  bool waiting_{};                                   ///< for the socket to take more
};

}  // namespace citestream
