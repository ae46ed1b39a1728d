#include <citestream/cite/citation.hpp>

#include "base/enum_text.hpp"

namespace citestream {

std::string_view name(citation_origin origin) noexcept {
  static constexpr std::string_view names[] = {"marker", "provider", "both"};
  return enum_text<citation_origin::both>(names, origin);
}

std::string_view name(citation_status status) noexcept {
  static constexpr std::string_view names[] = {"pending", "resolved", "unresolved"};
  return enum_text<citation_status::unresolved>(names, status);
}

std::string_view name(match_kind match) noexcept {
  static constexpr std::string_view names[] = {"exact", "normalized", "native", "repaired"};
  return enum_text<match_kind::repaired>(names, match);
}

}  // namespace citestream
