#include <citestream/base/reference.hpp>

#include "code_point.hpp"
#include "enum_text.hpp"

namespace citestream {

std::string_view name(source_type type) noexcept {
  static constexpr std::string_view names[] = {"file",          "web",  "document", "agent",
                                               "search_result", "tool", "place"};
  return enum_text<source_type::place>(names, type);
}

std::string_view name(source_unit unit) noexcept {
  static constexpr std::string_view names[] = {"char", "page", "block", "chunk"};
  return enum_text<source_unit::chunk>(names, unit);
}

std::string_view snippet(std::string_view text) noexcept {
  constexpr std::size_t most = 200;
  std::size_t points = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_continuation(text[at]) && points++ == most) return text.substr(0, at);
  }
  return text;
}

}  // namespace citestream
