#include "print.hpp"

#include <charconv>
#include <iterator>
#include <limits>

#include "base/number_label.hpp"

namespace citestream::style_detail {

void append_number(std::int64_t number, std::string& out) {
  char digits[std::numeric_limits<std::int64_t>::digits10 + 2];  // one more for a sign
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
  out.append(digits, end);
}

bool append_title(std::string_view label, std::string_view identifier, const reference* best,
                  inert_place place, std::string& out) {
  const auto append = [&](std::string_view text) {
    return append_inert_markdown(text, max_title_bytes, out, place);
  };
  if (append(name_in(label))) return true;
  if (best != nullptr && (append(best->title) || append(best->url))) return true;
  if (!is_number_label(identifier)) return append(identifier);
  if (best != nullptr && append(name_in(best->id))) return true;
  if (identifier.empty()) return false;
  out.append("\\[").append(identifier).append("\\]");
  return true;
}

}  // namespace citestream::style_detail
