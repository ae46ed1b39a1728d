#include <citestream/cite/claim_check.hpp>

#include "base/enum_text.hpp"

namespace citestream {

namespace {

constexpr std::string_view names[] = {"supported", "contradicted", "not_found", "unsure"};

}  // namespace

std::string_view name(claim_verdict value) noexcept {
  return enum_text<claim_verdict::unsure>(names, value);
}

std::optional<claim_verdict> verdict_named(std::string_view text) noexcept {
  return enum_named<claim_verdict>(names, text);
}

}  // namespace citestream
