/// \file
/// The absolute URLs that may appear in a text: those of references, and those with a host that a pattern
/// allows.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/egress/egress.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace citestream {

/// Why a URL is allowed.
enum class allowed_by : std::uint8_t {
  pattern,    ///< its host is allowed: anything may follow the host
  reference,  ///< exactly this URL is allowed
};

/// An allowed URL in the form in which it is written.
struct allowed_url {
  std::string url;  ///< rebuilt: see allowed_urls::find()
  allowed_by by{};
};

/// The allowed URLs of one text. Holds copies of everything.
class allowed_urls {
 public:
  allowed_urls(std::vector<egress_pattern> patterns, std::size_t max_bytes)
      : patterns_(std::move(patterns)), max_bytes_(max_bytes) {}

  /// Allows the URL of \p ref, and its `cite` and `id` if they are URLs.
  void allow(const reference& ref);
  /// Returns true if no URL at all is allowed.
  [[nodiscard]] bool empty() const noexcept { return patterns_.empty() && references_.empty(); }
  /// Returns \p url rebuilt if it is allowed, else nothing. A rebuilt URL has scheme and host in lower case
  /// and a slash after the host. Everything that could start another URL in it (`//`, `www.`, `@`) or end it
  /// early is percent-encoded.
  [[nodiscard]] std::optional<allowed_url> find(std::string_view url) const;
  /// Forgets the references.
  void reset() noexcept;

 private:
  void add(std::string_view url);

  std::vector<egress_pattern> patterns_;
  std::unordered_set<std::string> references_;  ///< the URLs of references, in each allowed spelling
  std::size_t max_bytes_;
  std::size_t bytes_{};  ///< size of the URLs of references
};

}  // namespace citestream
