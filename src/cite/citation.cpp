#include <citestream/cite/citation.hpp>

namespace citestream {

std::string_view name(citation_origin origin) noexcept {
  switch (origin) {
    case citation_origin::marker:
      return "marker";
    case citation_origin::provider:
      return "provider";
    case citation_origin::both:
      return "both";
  }
  return {};
}

std::string_view name(citation_status status) noexcept {
  switch (status) {
    case citation_status::pending:
      return "pending";
    case citation_status::resolved:
      return "resolved";
    case citation_status::unresolved:
      return "unresolved";
  }
  return {};
}

std::string_view name(match_kind match) noexcept {
  switch (match) {
    case match_kind::exact:
      return "exact";
    case match_kind::normalized:
      return "normalized";
    case match_kind::native:
      return "native";
    case match_kind::repaired:
      return "repaired";
  }
  return {};
}

}  // namespace citestream
