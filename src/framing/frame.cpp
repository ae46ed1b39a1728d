#include "frame.hpp"

#include <algorithm>

namespace citestream {

std::size_t frame::raw_offset(std::size_t position) const noexcept {
  if (lines == nullptr || lines->empty()) {
    return data_offset == std::string_view::npos ? 0 : data_offset + position;
  }
  const auto after = std::upper_bound(lines->begin(), lines->end(), position,
                                      [](std::size_t p, const line& l) { return p < l.data; });
  const line& in = *std::prev(after);  // the first line starts at 0, so there is a previous one
  return in.raw + (position - in.data);
}

}  // namespace citestream
