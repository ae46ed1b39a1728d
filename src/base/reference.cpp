#include <citestream/base/reference.hpp>

#include "code_point.hpp"

namespace citestream {

std::string_view name(source_type type) noexcept {
  switch (type) {
    case source_type::file:
      return "file";
    case source_type::web:
      return "web";
    case source_type::document:
      return "document";
    case source_type::agent:
      return "agent";
    case source_type::search_result:
      return "search_result";
    case source_type::tool:
      return "tool";
    case source_type::place:
      return "place";
  }
  return {};
}

std::string_view name(source_unit unit) noexcept {
  switch (unit) {
    case source_unit::character:
      return "char";
    case source_unit::page:
      return "page";
    case source_unit::block:
      return "block";
    case source_unit::chunk:
      return "chunk";
  }
  return {};
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
