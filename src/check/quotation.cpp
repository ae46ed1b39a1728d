#include "check/quotation.hpp"

#include <cstddef>

#include "base/ascii.hpp"

namespace citestream::check_detail {
namespace {

/// Returns the end of \p words at \p at of \p text, npos if \p text continues differently.
[[nodiscard]] std::size_t end_of_words(std::string_view text, std::size_t at,
                                       std::string_view words) noexcept {
  for (std::size_t i = 0; i < words.size();) {
    const bool blank = ascii::is_space(words[i]);
    if (at == text.size() || (text[at] != words[i] && !(blank && ascii::is_space(text[at]))))
      return std::string_view::npos;
    do ++i;
    while (blank && i < words.size() && ascii::is_space(words[i]));
    do ++at;
    while (blank && at < text.size() && ascii::is_space(text[at]));
  }
  return at;
}

}  // namespace

bool quotes(std::string_view text, std::string_view claim) noexcept {
  constexpr std::string_view marks = ".,;:!?\n";
  while (!claim.empty() && ascii::is_space(claim.front())) claim.remove_prefix(1);
  while (!claim.empty() &&
         (ascii::is_space(claim.back()) || marks.find(claim.back()) != std::string_view::npos))
    claim.remove_suffix(1);
  if (claim.empty()) return false;
  for (std::size_t at = text.find(claim[0]); at != std::string_view::npos; at = text.find(claim[0], at + 1)) {
    if (at > 0 && !ascii::is_space(text[at - 1])) continue;
    const std::size_t end = end_of_words(text, at, claim);
    if (end == std::string_view::npos) continue;
    const std::string_view after = text.substr(end, 2);
    if (after.empty()) return true;
    if (marks.find(after[0]) != std::string_view::npos && (after.size() < 2 || !ascii::is_digit(after[1])))
      return true;
  }
  return false;
}

}  // namespace citestream::check_detail
