#include <citestream/cite/claim_check.hpp>

namespace citestream {

std::string_view name(claim_verdict value) noexcept {
  constexpr std::string_view names[] = {"supported", "contradicted", "not_found", "unsure"};
  return names[static_cast<std::size_t>(value)];
}

}  // namespace citestream
