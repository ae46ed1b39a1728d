// Which addresses may leave.
#pragma once

#include <citestream/base/reference.hpp>
#include <citestream/egress/egress.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace citestream {

class address_book {
 public:
  address_book(std::vector<egress_pattern> allowed, std::size_t max_bytes)
      : allowed_(std::move(allowed)), max_bytes_(max_bytes) {}

  // A reference's address counts from now on, and so do its keys: a link to one names no host.
  void know(const reference& ref);
  // Whether nothing but what names no host may leave.
  [[nodiscard]] bool empty() const noexcept { return allowed_.empty() && known_.empty(); }
  // Whether nobody but who is allowed to has a host there, whatever else the address says.
  [[nodiscard]] bool trusts(std::string_view url) const;
  // Whether this address, with its scheme, may leave.
  [[nodiscard]] bool allows(std::string_view url);
  // The same for the destination of a link: what names no other host may, too.
  [[nodiscard]] bool allows_destination(std::string_view destination);
  void reset() noexcept;

 private:
  void add(std::string_view text);

  std::vector<egress_pattern> allowed_;
  std::unordered_set<std::string> known_;
  std::size_t max_bytes_;
  std::size_t bytes_{};
  std::string normal_;  // reused
};

// Whether a destination names no host and carries nothing to the answer's own: `#part`, `a/b.html`.
[[nodiscard]] bool names_no_host(std::string_view destination) noexcept;

}  // namespace citestream
