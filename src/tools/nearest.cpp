#include "nearest.hpp"

#include <algorithm>
#include <cstddef>

#include <boost/algorithm/string/join.hpp>

namespace citestream::tools {

namespace {

/// Returns the Levenshtein distance. Keeps one row of the matrix: time O(|a|·|b|), memory O(|b|).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t i = 0; i <= b.size(); ++i) row[i] = i;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t swapped = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, swapped});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t max_name_bytes = 64;
  if (name.size() > max_name_bytes) return {};
  const auto far = [&](const std::string& one) { return distance(name, one); };
  const auto found = std::ranges::min_element(known, {}, far);
  constexpr std::size_t two_letters_swapped = 2;
  const std::size_t bound = std::max(two_letters_swapped, name.size() / 3);
  const bool near = found != known.end() && far(*found) <= bound && bound < name.size();
  return near ? *found : std::string{};
}

std::string name_error(const std::string& name, const std::vector<std::string>& known) {
  if (std::ranges::find(known, name) != known.end()) return {};
  constexpr std::size_t short_list = 4;  // the right name is easy to find in it
  const std::string meant = known.size() > short_list ? nearest(name, known) : "";
  return "'" + name + "' is not one of " + boost::algorithm::join(known, ", ") +
         (meant.empty() ? "" : "; did you mean " + meant + "?");
}

}  // namespace citestream::tools
