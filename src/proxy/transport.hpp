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

#include <boost/asio/generic/stream_protocol.hpp>

#include "asio.hpp"
#include "tls_engine.hpp"

namespace citestream {

/// What client and upstream links have in common. A connection that only waits holds no buffer: what comes is
/// read into space that all connections of a thread share. Writing is tried at once; only what the socket
/// does not take waits.
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

  /// Not blocking, nothing held back. For a socket that is connected.
  void prepare();
  /// From now on TLS. \return the engine, to be set up further.
  tls_engine& secure(SSL_CTX* context, tls_engine::side which);
  [[nodiscard]] tls_engine* tls() noexcept { return tls_ ? &*tls_ : nullptr; }
  [[nodiscard]] const tls_engine* tls() const noexcept { return tls_ ? &*tls_ : nullptr; }

  /// A client's first words.
  void start_tls();

  /// on_readable() follows when something has come.
  void arm_read();
  /// After on_readable(): what came. It stands in the thread's space: valid until the next call on any
  /// transport of this thread. Empty without an error: nothing after all, or a part of a handshake or a
  /// record. \p error is set where nothing follows any more.
  [[nodiscard]] std::string_view arrived(error_code& error);

  /// \return true: all is taken. false: on_written() follows, and the bytes stay in place until then (TLS has
  /// copied them). One at a time.
  bool write(const pieces& bytes, error_code& error);
  /// Sends what TLS itself has to say.
  void flush();

  /// Ends our side; the other sees the end behind all that was written.
  void end_writing();
  void close_socket(bool reset);
  [[nodiscard]] socket_type& socket() noexcept { return socket_; }

  virtual void on_readable(error_code error) = 0;
  virtual void on_written(error_code error) = 0;
  /// What one of these threw, as for want of memory: the socket is closed.
  virtual void on_broken() = 0;

  /// A step that the event loop asked for. What it throws ends this connection, and goes on to the loop.
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
  std::string sealed_;                               ///< TLS's bytes
  std::size_t sealed_sent_{};                        ///< so many of them are sent
  std::array<asio::const_buffer, max_pieces> rest_;  ///< plain bytes that are not sent yet
  bool writing_{};                                   ///< on_written() is owed
  bool waiting_{};                                   ///< for the socket to take more
};

}  // namespace citestream
