#include <citestream/base/anchor.hpp>

namespace citestream {

std::string_view name(citation_anchor anchor) noexcept {
  switch (anchor) {
    case citation_anchor::marker:
      return "marker";
    case citation_anchor::claim:
      return "claim";
    case citation_anchor::point:
      return "point";
    case citation_anchor::block:
      return "block";
    case citation_anchor::none:
      return "none";
  }
  return {};
}

}  // namespace citestream
