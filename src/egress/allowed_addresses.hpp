/// \file
/// The addresses that may appear in a text: those of references, and those with a host that a pattern allows.
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

/// Why an address is allowed.
enum class allowed_by : std::uint8_t {
  pattern,    ///< because of its host: anything may follow the host
  reference,  ///< as a whole: with one more byte it would be another address
};

/// An allowed address, rebuilt so that every reader parses it in the same way.
struct allowed_address {
  std::string url;
  allowed_by by{};
};

/// The allowed addresses of one text. Holds copies of everything.
class allowed_addresses {
 public:
  allowed_addresses(std::vector<egress_pattern> patterns, std::size_t max_bytes)
      : patterns_(std::move(patterns)), max_bytes_(max_bytes) {}

  /// Allows the URL of \p ref, and its `cite` and `id` if they are URLs.
  void know(const reference& ref);
  /// Returns true if no address at all is allowed.
  [[nodiscard]] bool empty() const noexcept { return patterns_.empty() && known_.empty(); }
  /// Returns \p url rebuilt if it is allowed, else nothing. A rebuilt address has scheme and host in lower
  /// case and a slash after the host. Everything that could start another address in it (`//`, `www.`, `@`)
  /// or end it early is percent-encoded.
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
