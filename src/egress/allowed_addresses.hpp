/// \file
/// The addresses that may appear in a text: those of references, and those of the hosts that patterns name.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/egress/egress.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace citestream {

/// What makes an address allowed.
enum class allowed_by : std::uint8_t {
  pattern,    ///< its host: whatever follows the host is allowed too
  reference,  ///< the whole address: one byte more makes it another one
};

/// An address that is allowed, in the spelling that every reader takes apart in the same way.
struct allowed_address {
  std::string url;
  allowed_by by{};
};

class allowed_addresses {
 public:
  allowed_addresses(std::vector<egress_pattern> patterns, std::size_t max_bytes)
      : patterns_(std::move(patterns)), max_bytes_(max_bytes) {}

  /// Allows the address of \p ref, and its keys if they are addresses.
  void know(const reference& ref);
  /// Whether no address at all is allowed.
  [[nodiscard]] bool empty() const noexcept { return patterns_.empty() && known_.empty(); }
  /// \p url rebuilt, if it is allowed: scheme and host in lower case, a slash after the host, and everything
  /// percent-encoded that could begin another address in it (`//`, `www.`, `@`) or end it early.
  [[nodiscard]] std::optional<allowed_address> find(std::string_view url) const;
  /// Forgets the references.
  void reset() noexcept;

 private:
  void add(std::string_view url);

  std::vector<egress_pattern> patterns_;
  std::unordered_set<std::string> known_;
  std::size_t max_bytes_;
  std::size_t bytes_{};
};

}  // namespace citestream
