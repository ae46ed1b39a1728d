/// \file
/// The server between a faulty upstream and the clients: the proxy, or nginx with the module.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "proxy/proxy_server.hpp"
#include "proxy/request_facts.hpp"

namespace citestream_tests {

class fault_front {
 public:
  fault_front() = default;
  virtual ~fault_front() = default;
  fault_front(const fault_front&) = delete;
  fault_front& operator=(const fault_front&) = delete;

  [[nodiscard]] virtual std::uint16_t port() const = 0;
  /// The start of a request for the plan \p number, answered in \p style (empty: as configured).
  [[nodiscard]] virtual std::string request(std::size_t number, const std::string& style) const = 0;
  /// The failure that the client is told for an answer that ended with \p what. Nothing if the connection is
  /// just closed.
  [[nodiscard]] virtual std::optional<citestream::failure> told(citestream::failure what) const = 0;
  /// The error for a body that is complete according to HTTP but contains an incomplete answer.
  [[nodiscard]] virtual citestream::http::own_error told_of_a_missing_end() const = 0;
  [[nodiscard]] virtual std::size_t active() const = 0;      ///< open connections
  [[nodiscard]] virtual std::size_t open_files() const = 0;  ///< of its process
  [[nodiscard]] virtual std::size_t heap() const = 0;        ///< bytes in use, as exactly as known
  /// Bytes per request, over a thousand requests, by which heap() grows only if something leaks.
  [[nodiscard]] virtual std::size_t smallest_leak() const = 0;
};

/// Makes a server in front of the upstream at a URL.
using front_maker = std::function<std::unique_ptr<fault_front>(const std::string& url)>;

[[nodiscard]] front_maker our_proxy(std::chrono::milliseconds silence);
[[nodiscard]] front_maker our_module_in_nginx(std::chrono::milliseconds silence);
/// Returns true if there is an nginx with the module. Otherwise prints that the test is skipped.
[[nodiscard]] bool have_nginx();

}  // namespace citestream_tests
