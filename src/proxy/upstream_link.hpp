/// \file
/// A connection to the upstream, plain or TLS.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "transport.hpp"
#include "upstream_memory.hpp"
#include "upstream_target.hpp"
#include "wakeup.hpp"

namespace citestream {

/// Every call only starts something; results are noted here and the attached wakeup is told.
class upstream_link : public transport {
 public:
  enum class phase : std::uint8_t { connecting, ready, no_descriptors, timed_out, unreachable, untrusted };

  /// \p memory: what earlier connections of this thread have learnt.
  upstream_link(asio::io_context& io, std::shared_ptr<upstream_target> to,
                std::shared_ptr<upstream_memory> memory);

  /// Who is told from now on; null: nobody.
  void attach(std::shared_ptr<wakeup> wake) { wake_ = std::move(wake); }

  /// Name, TCP, TLS with the certificate checked for the host's name.
  void connect();
  [[nodiscard]] phase state() const noexcept { return phase_; }
  /// Why not, where state() is neither connecting nor ready.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

  /// Sends a request; owns its bytes.
  void send(std::string head, std::string body);
  [[nodiscard]] bool sent() const noexcept { return sent_; }

  /// Waits for something to take, unless it does so already or that has not been taken.
  void receive();
  /// There are bytes to take, or the connection has ended.
  [[nodiscard]] bool received() const noexcept { return readable_ || error_; }
  /// What came; empty without an error(): nothing yet, or a part of a TLS record. Valid until the next call
  /// on any link of this thread, so not over a co_await.
  [[nodiscard]] std::string_view take();
  /// Why nothing comes any more; end of stream is `asio::error::eof`.
  [[nodiscard]] error_code error() const noexcept { return error_; }

  /// Still open and silent, as a connection between two requests should be.
  [[nodiscard]] bool alive();
  [[nodiscard]] clock::time_point born() const noexcept { return born_; }
  void close();

 private:
  void on_found(const found_addresses& found);
  void on_connected(error_code error);
  void greet();
  void on_greeting(error_code error);
  void on_readable(error_code error) override;
  void on_written(error_code error) override;
  void on_broken() override;
  void send_on();
  void fail_to_connect(error_code error);
  void fail(phase how, const std::string& reason);
  void tell();

  /// Needed until there is a connection.
  struct connecting {
    explicit connecting(asio::io_context& io) : socket(io) {}
    tcp::socket socket;
  };

  std::shared_ptr<upstream_target> to_;
  std::shared_ptr<upstream_memory> memory_;
  std::unique_ptr<connecting> connecting_;
  std::shared_ptr<wakeup> wake_;
  phase phase_{phase::connecting};
  std::string reason_;
  std::string head_;
  std::string body_;
  std::size_t body_sent_{};
  error_code error_;
  clock::time_point born_{};
  bool sent_{};
  bool receiving_{};
  bool readable_{};
  bool closed_{};
};

}  // namespace citestream
