#include <citestream/base/reference.hpp>

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
  }
  return {};
}

}  // namespace citestream
