// Which number of a reference is where the claim has another one.
//
// The words next to a number in the claim tell what it is about. Another number of the same kind contradicts
// it in two cases: most of these words are near that number; or the word directly before or after the claim's
// number is next to that number and to no other. The number must also be in the excerpt, where the rules
// about numbers (number_agreement.hpp) may explain the difference. Cost: for each pair of numbers, the hits
// of the window and its other numbers.
#include "check/wrong_number.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "check/number_agreement.hpp"
#include "check/number_comparison.hpp"

namespace citestream::check_detail {
namespace {

/// The number of words on either side of a number that tell what it is about.
constexpr std::size_t context_words = 8;

/// Returns true if the number `[begin, end)` of \p text is part of a score, ratio, range or date: `3–1`,
/// `2:1`.
[[nodiscard]] bool is_paired(std::string_view text, std::size_t begin, std::size_t end) noexcept {
  constexpr std::string_view marks[] = {"-", "–", ":"};
  return std::ranges::any_of(marks, [&](std::string_view mark) {
    const std::size_t after = end + mark.size();
    const bool first =
        text.substr(end).starts_with(mark) && after < text.size() && ascii::is_digit(text[after]);
    const std::string_view before = text.substr(0, begin);
    const bool second = before.size() > mark.size() && before.ends_with(mark) &&
                        ascii::is_digit(before[before.size() - mark.size() - 1]);
    return first || second;
  });
}

/// Returns the index of the word at byte \p begin, the number of words if no word begins there.
[[nodiscard]] std::size_t word_at(word_list text, std::size_t begin) noexcept {
  return static_cast<std::size_t>(std::ranges::find(text, begin, &text_word::begin) - text.begin());
}

/// Returns true if two numbers may be of the same thing, whatever is around them.
[[nodiscard]] bool may_be_same(const number& claimed, const number& other) noexcept {
  if (in_decade(claimed, other)) return false;
  const bool alike =
      claimed.kind == other.kind || (claimed.kind == number_kind::money && other.kind == number_kind::plain);
  const bool same_scale = claimed.kind != number_kind::money && claimed.scaled == other.scaled;
  return alike && (same_scale || similar_size(claimed, other));
}

/// Returns true if \p change is the difference of two numbers in a row: `rose from 2 million to 5 million`.
[[nodiscard]] bool is_difference(const number_search& in, const number& change) noexcept {
  const auto differ = [&](const reference_number& a, const reference_number& b) {
    return a.value.agrees(b.value) && differ_by(a.value, b.value, change);
  };
  return std::ranges::adjacent_find(in.numbers, differ) != in.numbers.end();
}

/// Returns true if \p other is in the excerpt, where nothing explains that it differs from word \p i of the
/// claim. If \p i is the number of words, the claim's number is beyond those that were read.
[[nodiscard]] bool is_counterpart(const number_search& in, std::size_t i,
                                  const reference_number& other) noexcept {
  if (other.begin < in.excerpt_begin) return false;
  const std::size_t j = word_at(in.texts.excerpt, other.begin - in.excerpt_begin);
  return j < in.texts.excerpt.size() && !(i < in.texts.claim.size() && may_differ(in.texts, i, j));
}

/// Returns the index of the first hit that is not before \p other.
[[nodiscard]] std::size_t hits_before(const number_search& in, const reference_number& other) noexcept {
  const auto found =
      std::ranges::partition_point(in.hits, [&](const hit& each) { return each.place < other.place; });
  return static_cast<std::size_t>(found - in.hits.begin());
}

/// Returns true if \p other is before another word of the claim than the number \p word, whose own is in the
/// window: "seven days" and "two tablets a day".
[[nodiscard]] bool has_different_noun(const number_search& in, std::uint32_t word,
                                      const reference_number& other) noexcept {
  const auto words = in.claim.all();
  const std::uint32_t noun = word + 1;
  if (words[word].value.kind != number_kind::plain || noun >= words.size() || words[noun].number)
    return false;
  const std::size_t at = hits_before(in, other);
  return at < in.hits.size() && in.hits[at].place == other.place + 1 && in.hits[at].word != noun &&
         std::ranges::find(in.best, noun, &hit::word) != in.best.end();
}

/// Returns true if the word before or after the number \p word of the claim is there next to \p other, and to
/// no other number: "a majority of 2,106 votes" and "a majority of 1,206". A double or a half may be derived.
[[nodiscard]] bool is_beside(const number_search& in, std::uint32_t word,
                             const reference_number& other) noexcept {
  constexpr std::size_t reach = 2;  // words
  const auto follows = [&](const reference_number& each) {
    const std::size_t at = hits_before(in, each);
    return at > 0 && each.place - in.hits[at - 1].place <= reach && in.hits[at - 1].word + 1 == word;
  };
  const auto leads = [&](const reference_number& each) {
    std::size_t at = hits_before(in, each);
    if (at < in.hits.size() && in.hits[at].place == each.place) ++at;  // the claim has this number, too
    return at < in.hits.size() && in.hits[at].place - each.place == 1 && in.hits[at].word == word + 1;
  };
  const content_word& claimed = in.claim.all()[word];
  if (claimed.rounds != rounding::none) return false;
  if (is_multiple(claimed.value, other.value, 2) || is_multiple(other.value, claimed.value, 2)) return false;
  return (follows(other) && std::ranges::count_if(in.numbers, follows) == 1) ||
         (leads(other) && std::ranges::count_if(in.numbers, leads) == 1);
}

/// Returns true if most of the two words on either side of the number \p word are near \p other, or one of
/// them directly beside it. Plain numbers have no unit that would tell them apart, so one of these words must
/// be adjacent.
[[nodiscard]] bool shares_neighbours(const number_search& in, std::uint32_t word,
                                     const reference_number& other) noexcept {
  constexpr std::uint32_t neighbours = 2;  // on either side
  const auto words = in.claim.all();
  std::size_t first = hits_before(in, other);
  std::size_t last = first;
  while (first > 0 && other.place - in.hits[first - 1].place <= context_words) --first;
  while (last < in.hits.size() && in.hits[last].place - other.place <= context_words) ++last;
  const std::span<const hit> near = in.hits.subspan(first, last - first);
  std::size_t all = 0;
  std::size_t found = 0;
  bool adjacent = false;
  for (std::uint32_t i = word - std::min(word, neighbours); i < words.size() && i <= word + neighbours; ++i) {
    const bool there = i != word && std::ranges::find(near, i, &hit::word) != near.end();
    adjacent = adjacent || (there && (i + 1 == word || i == word + 1));
    if (i == word || words[i].number) continue;
    ++all;
    found += there ? 1U : 0U;
  }
  const bool same_thing = adjacent || words[word].value.kind != number_kind::plain;
  const bool most = 2 * found > all - (all > 1 ? 1U : 0U);  // exactly half is enough if there are several
  return same_thing && all > 0 && (most || is_beside(in, word, other));
}

[[nodiscard]] bool contradicts(const number_search& in, std::uint32_t word,
                               const reference_number& other) noexcept {
  const std::size_t at = hits_before(in, other);
  const bool in_claim = at < in.hits.size() && in.hits[at].place == other.place;
  return !in_claim && may_be_same(in.claim.all()[word].value, other.value) &&
         !has_different_noun(in, word, other) && shares_neighbours(in, word, other);
}

/// Ranks how well \p other corresponds to the number \p word of the claim; less is better. A number with the
/// same next word (its unit) ranks first, then one with the same previous word, then by distance to words of
/// the claim.
[[nodiscard]] std::size_t distance_of(const number_search& in, std::uint32_t word,
                                      const reference_number& other) noexcept {
  constexpr std::size_t far = context_words + 1;
  const std::size_t at = hits_before(in, other);
  const hit* before = at > 0 ? &in.hits[at - 1] : nullptr;
  const hit* after = at < in.hits.size() ? &in.hits[at] : nullptr;
  const std::size_t gap_before = before != nullptr ? std::min(other.place - before->place, far) : far;
  const std::size_t gap_after = after != nullptr ? std::min(after->place - other.place, far) : far;
  const bool same_unit = gap_after == 1 && after->word == word + 1;
  const bool same_before = gap_before <= 2 && before->word + 1 == word;
  return (same_unit ? 0 : same_before ? 2 * far : 4 * far) + gap_before + gap_after;
}

}  // namespace

std::span<const reference_number> numbers_around(std::span<const hit> best,
                                                 std::span<const reference_number> all) noexcept {
  const std::size_t from = best.front().place;
  const std::size_t to = best.back().place + context_words;
  const auto first = std::partition_point(all.begin(), all.end(), [&](const reference_number& each) {
    return each.place + context_words < from;
  });
  const auto last =
      std::partition_point(first, all.end(), [&](const reference_number& each) { return each.place <= to; });
  return {first, last};
}

const reference_number* find_wrong_number(const number_search& in, std::uint32_t word) noexcept {
  const content_word& claimed = in.claim.all()[word];
  if (claimed.change && is_difference(in, claimed.value)) return nullptr;
  if (is_paired(in.claim_text, claimed.begin, claimed.end)) return nullptr;
  const std::size_t i = word_at(in.texts.claim, claimed.begin);
  const reference_number* found = nullptr;
  std::size_t least = ~std::size_t{0};
  for (const reference_number& each : in.numbers) {
    if (!contradicts(in, word, each) || !is_counterpart(in, i, each)) continue;
    const std::size_t distance = distance_of(in, word, each);
    if (distance >= least) continue;
    least = distance;
    found = &each;
  }
  return found != nullptr && i < in.texts.claim.size() && is_derived(in.texts, i) ? nullptr : found;
}

}  // namespace citestream::check_detail
