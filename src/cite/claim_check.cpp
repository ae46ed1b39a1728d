#include <citestream/cite/claim_check.hpp>

#include <cstddef>
#include <string_view>

namespace citestream {

namespace {

constexpr std::string_view names[] = {"supported", "contradicted", "not_found", "unsure"};

}  // namespace

std::string_view name(claim_verdict value) noexcept {
  return names[static_cast<std::size_t>(value)];
}

std::optional<claim_verdict> verdict_named(std::string_view text) noexcept {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (text == names[i]) return static_cast<claim_verdict>(i);
  }
  return std::nullopt;
}

}  // namespace citestream
