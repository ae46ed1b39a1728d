// How corrupted identifiers are repaired.
//
// Every known identifier is compared with the one that the model wrote, so an answer with many of both would
// take quadratic time. All comparisons of an answer together take at most `max_steps` steps; after that
// nothing is repaired. The result depends only on the order of the citations, not on how the input was
// divided.
//
// The edit distance is computed in a band of five diagonals, because only distances up to two count: linear
// in the length. Equal characters at both ends are skipped first. Identifiers of ASCII are not decoded.
#include "repair.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/code_point.hpp"

namespace citestream::cite_detail {
namespace {

constexpr std::size_t max_steps = 1U << 24U;  // about 0.1 s
constexpr std::size_t least_characters = 8;
constexpr std::size_t most_edits = 2;

/// Decodes \p text. A byte that is not valid UTF-8 is a character of its own.
void decode(std::string_view text, std::u32string& out) {
  constexpr char32_t first_invalid = 0x110000;
  out.clear();
  while (!text.empty()) {
    const code_point one = first_code_point(text);
    const bool valid = one.length > 0;
    out.push_back(valid ? one.value : first_invalid + static_cast<unsigned char>(text.front()));
    text.remove_prefix(valid ? one.length : 1);
  }
}

/// Removes the characters that both have at their ends.
template <typename View>
void trim_equal(View& a, View& b) noexcept {
  const auto front = std::ranges::mismatch(a, b);
  a.remove_prefix(static_cast<std::size_t>(front.in1 - a.begin()));
  b.remove_prefix(static_cast<std::size_t>(front.in2 - b.begin()));
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
}

/// Returns true if \p b is long enough and at most two edits make \p a from it. A unit of \p View is a
/// character.
template <typename View>
[[nodiscard]] bool within_edits(View a, View b) noexcept {
  if (b.size() < least_characters || a.size() > b.size() + most_edits || b.size() > a.size() + most_edits)
    return false;
  trim_equal(a, b);
  constexpr std::size_t width = 2 * most_edits + 1;
  constexpr std::size_t far = most_edits + 1;
  std::array<std::size_t, width> row{};  // distances of a[0, i) and b[0, i + k - most_edits)
  for (std::size_t k = 0; k < width; ++k) row[k] = k < most_edits ? far : k - most_edits;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::array<std::size_t, width> next{};
    for (std::size_t k = 0; k < width; ++k) {
      next[k] = far;
      if (i + k < most_edits || i + k - most_edits > b.size()) continue;
      const std::size_t j = i + k - most_edits;
      if (j == 0) {
        next[k] = std::min(i, far);
        continue;
      }
      const std::size_t replaced = row[k] + (a[i - 1] == b[j - 1] ? 0 : 1);
      const std::size_t removed = k + 1 < width ? row[k + 1] + 1 : far;
      const std::size_t inserted = k > 0 ? next[k - 1] + 1 : far;
      next[k] = std::min({replaced, removed, inserted, far});
    }
    row = next;
  }
  const std::size_t last = b.size() + most_edits - a.size();
  return last < width && row[last] <= most_edits;
}

/// Returns true if both may be parts of one document.
[[nodiscard]] bool same_document(const reference& a, const reference& b) noexcept {
  return (!a.id.empty() && a.id == b.id) || (!a.url.empty() && a.url == b.url);
}

}  // namespace

bool reference_repair::is_near(std::string_view a, std::string_view b) {
  constexpr std::size_t most_bytes = 4 * most_edits;  // a character has at most four
  ++steps_;
  if (b.size() < least_characters || a.size() > b.size() + most_bytes || b.size() > a.size() + most_bytes)
    return false;
  steps_ += b.size();
  if (std::ranges::all_of(a, ascii::is_ascii) && std::ranges::all_of(b, ascii::is_ascii))
    return within_edits(a, b);
  decode(a, wide_a_);
  decode(b, wide_b_);
  return within_edits<std::u32string_view>(wide_a_, wide_b_);
}

std::string_view reference_repair::by_identifier(std::string_view identifier,
                                                 std::span<const reference> references) {
  std::string_view found;
  const reference* found_in = nullptr;
  for (const reference& ref : references) {
    for (const std::string_view known : {std::string_view(ref.cite), std::string_view(ref.id)}) {
      if (steps_ > max_steps) return {};
      if (known == found || &ref == found_in || !is_near(identifier, known)) continue;
      if (!found.empty()) return {};  // it may mean either
      found = known;
      found_in = &ref;
    }
  }
  return found;
}

std::optional<std::uint32_t> reference_repair::by_title(std::string_view title,
                                                        std::span<const reference> references) noexcept {
  std::optional<std::uint32_t> found;
  if (title.empty()) return found;
  for (std::uint32_t i = 0; i < references.size(); ++i) {
    if (++steps_ > max_steps) return std::nullopt;
    if (references[i].title != title) continue;
    if (found && !same_document(references[*found], references[i])) return std::nullopt;
    if (!found) found = i;
  }
  return found;
}

}  // namespace citestream::cite_detail
