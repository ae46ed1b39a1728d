// What stands between an upstream with faults and those who ask: our proxy, or real nginx with our module.
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
  /// What the client is told an answer ended of, where it was \p what. Nothing: it breaks off without a word.
  [[nodiscard]] virtual std::optional<citestream::failure> told(citestream::failure what) const = 0;
  /// The same where the body came whole, and the answer in it did not.
  [[nodiscard]] virtual citestream::failure_text told_of_a_missing_end() const = 0;
  [[nodiscard]] virtual std::size_t active() const = 0;      ///< connections that are left
  [[nodiscard]] virtual std::size_t open_files() const = 0;  ///< of its process
  [[nodiscard]] virtual std::size_t heap() const = 0;        ///< bytes, as exactly as they are known
};

/// Makes one before the upstream at a URL.
using front_maker = std::function<std::unique_ptr<fault_front>(const std::string& url)>;

[[nodiscard]] front_maker our_proxy(std::chrono::milliseconds silence);
[[nodiscard]] front_maker our_module_in_nginx(std::chrono::milliseconds silence);
/// Whether there is an nginx with our module; says that this is skipped where not.
[[nodiscard]] bool have_nginx();

}  // namespace citestream_tests
