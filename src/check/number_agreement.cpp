// When a number of the claim that the excerpt lacks is not a contradiction.
//
// A different number next to the same words is a contradiction only if both count the same thing. These cases
// are not: the clauses have opposite meanings or share no words; different things are counted; the claim's
// number is within a limit or range; or it follows from numbers of the excerpt (another unit, the year
// before or after, the scale of a table, a share, a sum, a difference, a multiple, the rest of a share).
// For each pair of numbers, both texts are read again.
#include "check/number_agreement.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "check/number_comparison.hpp"

namespace citestream::check_detail {
namespace {

/// Returns true if neither the clause of number \p j nor the one before it has a word of the claim.
[[nodiscard]] bool is_unrelated(const text_pair& texts, std::size_t j) noexcept {
  const text_word& found = texts.excerpt[j];
  return !found.in_table && std::ranges::none_of(sentence_at(texts.excerpt, j), [&](const text_word& each) {
    const bool near = each.clause == found.clause || each.clause + 1 == found.clause;
    return near && each.word != no_word && !each.is_number;
  });
}

/// Returns the value of a whole number below 2^32; 0 for others.
[[nodiscard]] std::uint64_t whole_value(const number& of) noexcept {
  constexpr std::uint64_t most = ~std::uint32_t{};
  std::uint64_t out = of.exponent < 0 ? 0 : of.digits;
  for (std::int32_t i = 0; i < of.exponent && out != 0; ++i) out = out <= most ? out * 10 : 0;
  return out <= most ? out : 0;
}

/// Returns true if number \p j of the excerpt is in a table with as many rows as number \p i of the claim
/// says, with or without a header: "the cheapest of the three".
[[nodiscard]] bool counts_rows(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (!texts.excerpt[j].in_table || !is_count(texts.claim[i])) return false;
  const std::uint64_t claimed = whole_value(texts.claim[i].value);
  std::uint64_t rows = 0;
  const text_word* before = nullptr;
  for (const text_word& each : texts.excerpt) {
    if (each.in_table && (before == nullptr || before->clause != each.clause)) ++rows;
    if (each.in_table) before = &each;
  }
  return claimed > 0 && (rows == claimed || rows == claimed + 1);
}

/// Returns the noun or unit directly after number \p i, the size of \p text if it is left out.
[[nodiscard]] std::size_t counted_by(word_list text, std::size_t i) noexcept {
  const std::size_t next = next_to(text, i, 1, 1);
  return next < text.size() && !is_value(text[next]) ? next : text.size();
}

/// Returns true if year \p i is one year before or after year \p j of the excerpt, and the excerpt has a word
/// such as `previous`.
[[nodiscard]] bool is_next_year(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const number& claimed = texts.claim[i].value;
  const number& found = texts.excerpt[j].value;
  constexpr number one{.digits = 1};
  return claimed.kind == number_kind::year && found.kind == number_kind::year &&
         differ_by(claimed, found, one) && has_role(texts.excerpt, word_role::adjacent);
}

/// Returns true if number \p i is number \p j of a table with the scale of its header or of a note, in a row
/// that has another word of the claim.
[[nodiscard]] bool is_scaled(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  return texts.excerpt[j].value.digits == texts.claim[i].value.digits && is_below_scale(texts, i, j) &&
         texts.clause_of(j) != 0;
}

/// Returns true if number \p i of the claim is in a range of its noun that starts with number \p k of the
/// excerpt.
[[nodiscard]] bool is_in_range(const text_pair& texts, std::size_t i, std::size_t k) noexcept {
  const std::size_t last = end_of_range(texts.excerpt, k);
  if (last == texts.excerpt.size()) return false;
  const number& claimed = texts.claim[i].value;
  const std::uint32_t noun = claimed_noun(texts, i);
  return noun != no_word && noun_after(texts.excerpt, last, 2) == noun &&
         is_less(texts.excerpt[k].value, claimed) && is_less(claimed, texts.excerpt[last].value);
}

/// Returns how many of one unit of time are in another one, which is longer; 0 if that is not known. A year
/// has 52 weeks or 365 days, and a month has 30.
[[nodiscard]] std::uint64_t ratio_of(const class_member& unit, const class_member& longer) noexcept {
  constexpr std::array<std::uint64_t, 9> in_next{1000, 60, 60, 24, 7, 0, 12, 10, 10};
  constexpr std::uint8_t day = 4;
  constexpr std::uint8_t week = 5;
  constexpr std::uint8_t month = 6;
  constexpr std::uint8_t year = 7;
  if (longer.index == year && unit.index == week) return 52;
  if (longer.index == year && unit.index == day) return 365;
  if (longer.index == month && unit.index == day) return 30;
  std::uint64_t out = 1;
  for (std::size_t each = unit.index; each < longer.index && each < in_next.size(); ++each)
    out *= in_next[each];
  return out;
}

/// Returns true if number \p i with its unit is half of the unit after word \p j of the excerpt, which is
/// `half`: "30 minutes" and "half an hour".
[[nodiscard]] bool is_half(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const text_word& half = texts.excerpt[j];
  if (half.role != word_role::fraction || half.value.digits != 2 || i + 1 >= texts.claim.size()) return false;
  const class_member& unit = texts.claim[i + 1].member;
  for (std::size_t k = j + 1; k < texts.excerpt.size() && k <= j + 2; ++k) {
    const class_member& whole = texts.excerpt[k].member;
    if (whole.kind == class_kind::duration && whole.class_id == unit.class_id && unit.index < whole.index)
      return whole_value(texts.claim[i].value) * 2 == ratio_of(unit, whole);
  }
  return false;
}

/// Returns true if number \p i is a part or the double of number \p j, and the excerpt has a word such as
/// `half`.
[[nodiscard]] bool is_share(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  constexpr std::array<std::uint64_t, 5> parts{2, 3, 4, 5, 10};
  const number& claimed = texts.claim[i].value;
  const number& found = texts.excerpt[j].value;
  const auto divides = [&](std::uint64_t part) { return is_multiple(found, claimed, part); };
  return (is_multiple(claimed, found, 2) || std::ranges::any_of(parts, divides)) &&
         has_role(texts.excerpt, word_role::fraction);
}

/// Returns true if the words directly after the numbers \p j and \p k of \p text are different: "3 offices
/// and 15 employees".
[[nodiscard]] bool have_different_nouns(word_list text, std::size_t j, std::size_t k) noexcept {
  const std::size_t one = counted_by(text, j);
  const std::size_t other = counted_by(text, k);
  return one < text.size() && other < text.size() && text[one].hash != text[other].hash;
}

/// Returns true if number \p i is the sum or the difference of number \p j and another one before it, or the
/// rest of 100 %.
[[nodiscard]] bool is_sum(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const number& claimed = texts.claim[i].value;
  const text_word& one = texts.excerpt[j];
  constexpr number whole{.digits = 1, .exponent = 2};
  constexpr std::size_t reach = 32;  // words between both
  if (claimed.kind == number_kind::year || one.in_table || !one.value.agrees(claimed)) return false;
  const bool percent = claimed.kind == number_kind::percent;
  if (percent && differ_by(whole, one.value, claimed)) return true;
  for (std::size_t k = first_near(j, reach); k < j; ++k) {
    const text_word& other = texts.excerpt[k];
    if (!other.is_number || other.sentence != one.sentence || have_different_nouns(texts.excerpt, j, k))
      continue;
    if (percent && one.value.kind != other.value.kind) continue;
    if (differ_by(one.value, other.value, claimed) || differ_by(claimed, one.value, other.value)) return true;
  }
  return false;
}

/// Returns true if one of the numbers \p i and \p j is the value of the fraction that the other one is part
/// of: "1/2 cup", "0.5 cup".
[[nodiscard]] bool is_quotient(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const auto is_fraction = [](word_list text, std::size_t k, const number& value) {
    return k + 1 < text.size() && text[k].is_number && text[k + 1].is_number &&
           text[k + 1].begin == text[k].end + 1 &&
           is_multiple(text[k].value, value, whole_value(text[k + 1].value));
  };
  const number& found = texts.excerpt[j].value;
  return is_fraction(texts.excerpt, j, texts.claim[i].value) || is_fraction(texts.claim, i, found) ||
         (i > 0 && is_fraction(texts.claim, i - 1, found));
}

/// Returns true if word \p k of \p text is a unit of time that no number counts: "40 euros a month".
[[nodiscard]] bool is_period(word_list text, std::size_t k) noexcept {
  return text[k].member.kind == class_kind::duration && (k == 0 || !text[k - 1].is_number);
}

/// Returns true if number \p i is number \p j of the excerpt for a longer time, or as often or as long as
/// the excerpt says: "480 euros a year" and "40 euros a month", "40 ml a day" and "10 ml four times a day",
/// "160 euros" and "40 euros a month for four months".
[[nodiscard]] bool is_repeated(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  constexpr std::size_t reach = 16;  // words
  const auto is_times = [&](std::uint64_t factor) {
    return is_multiple(texts.claim[i].value, texts.excerpt[j].value, factor);
  };
  for (std::size_t k = first_near(j, reach); k < texts.excerpt.size() && k < j + reach; ++k) {
    const text_word& each = texts.excerpt[k];
    if (each.sentence != texts.excerpt[j].sentence) continue;
    if (each.role == word_role::times && each.clause == texts.excerpt[j].clause) {
      const bool before = each.value.digits == 0 && k > 0;  // "four times"
      const std::uint64_t often = whole_value(texts.excerpt[before ? k - 1 : k].value);
      if (often > 1 && is_times(often)) return true;
    }
    if (!is_period(texts.excerpt, k)) continue;
    const class_member& period = each.member;
    const auto lasts = [&](const text_word& count, const text_word& unit) {
      return count.is_number && unit.member.is_same(period) && is_times(whole_value(count.value));
    };
    if (std::ranges::adjacent_find(texts.excerpt, lasts) != texts.excerpt.end()) return true;
    for (std::size_t m = first_near(i, reach); m < texts.claim.size() && m < i + reach; ++m) {
      const class_member& longer = texts.claim[m].member;
      if (!is_period(texts.claim, m) || longer.index <= period.index) continue;
      if (is_times(ratio_of(period, longer))) return true;
    }
  }
  return false;
}

/// Returns true if number \p i is number \p j, with the same unit or noun, times another number of the claim,
/// or repeated: "14 euros a night" and "two nights cost 28 euros".
[[nodiscard]] bool is_product(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const number& claimed = texts.claim[i].value;
  const number& found = texts.excerpt[j].value;
  if (found.kind != claimed.kind) return false;
  const std::uint32_t noun = claimed_noun(texts, i);
  const bool same = claimed.kind == number_kind::money ||
                    counted_by(texts.excerpt, j) == texts.excerpt.size() ||
                    (noun != no_word && noun == found_noun(texts, j));
  const auto multiplies = [&](const text_word& factor) {
    return is_count(factor) && &factor != &texts.claim[i] &&
           is_multiple(claimed, found, whole_value(factor.value));
  };
  return same && (std::ranges::any_of(texts.claim, multiplies) || is_repeated(texts, i, j));
}

/// Returns true if number \p i may be billions: `7B`.
[[nodiscard]] bool has_letter_b(word_list text, std::size_t i) noexcept {
  return i + 1 < text.size() && text[i + 1].letter == 'B' && text[i + 1].begin == text[i].end;
}

/// Returns the milliseconds of the time that number \p i of \p text is a part of: "2 hours and 15 minutes",
/// "1 h 30 min". Returns 0 if the number has no unit of time, or one longer than a week.
[[nodiscard]] double duration_of(word_list text, std::size_t i) noexcept {
  constexpr std::uint8_t week = 5;
  const auto is_one = [&](std::size_t k) {  // "an hour"
    return !text[k].is_number && (text[k].count == 1 || text[k].role == word_role::article);
  };
  const auto unit = [&](std::size_t k) {
    const bool counted = k + 1 < text.size() && (text[k].is_number || is_one(k));
    const class_member& of = counted ? text[k + 1].member : class_member{};
    return of.kind == class_kind::duration && of.index <= week ? int{of.index} : -1;
  };
  const auto has_smaller_unit = [&](std::size_t k, std::size_t next) {
    return unit(next) >= 0 && unit(next) < unit(k);
  };
  const auto is_and = [&](std::size_t k) {
    return k < text.size() && text[k].role == word_role::conjunction;
  };
  const auto size_before = [&](std::size_t k) -> std::size_t {  // in words, of the part before number k
    if (k > 1 && has_smaller_unit(k - 2, k)) return 2;
    return k > 2 && is_and(k - 1) && has_smaller_unit(k - 3, k) ? 3 : 0;
  };
  for (std::size_t size = size_before(i); size > 0; size = size_before(i)) i -= size;
  double out = 0;
  for (std::size_t k = i, next = i; unit(k) >= 0; k = next) {
    const auto factor = ratio_of(class_member{}, text[k + 1].member);
    out += (is_one(k) ? 1 : value_of(text[k].value)) * static_cast<double>(factor);
    next = k + (is_and(k + 2) ? 3 : 2);
    if (!has_smaller_unit(k, next)) break;
  }
  return out;
}

/// Returns true if share \p i of the claim is part of the rest after share \p j: "one third comes from bonds"
/// and "two thirds are grants, and the rest comes from bonds".
[[nodiscard]] bool is_rest(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const std::size_t part = next_to(texts.claim, i, 1, 1);
  if (part == texts.claim.size() || texts.claim[part].role != word_role::fraction) return false;
  return std::ranges::any_of(sentence_at(texts.excerpt, j), [&](const text_word& each) {
    return each.role == word_role::rest && (texts.clause_of(each) & ~texts.clause_of(j)) != 0;
  });
}

/// Returns true if number \p j of the excerpt rounds to number \p i of the claim, which a reference is known
/// to have: "17.9 million" and "17,932,651", "about 2,300" and "2,312".
[[nodiscard]] bool is_rounded(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const number& claimed = texts.claim[i].value;
  const number& found = texts.excerpt[j].value;
  const bool known = (mask_of(texts.claim[i]) & texts.nowhere) == 0;  // rounded: see support.cpp
  return known && found.kind != number_kind::year && claimed.kind != number_kind::year &&
         found.agrees(claimed) && rounds_to(found, claimed, rounding::about);
}

/// Returns true if day \p i of the claim and day \p j of the excerpt are of one date that is written in
/// digits in one of them, with the day first: "03/04/2024" and "April 3, 2024".
[[nodiscard]] bool is_same_date(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const auto month_of = [](word_list text, std::size_t day) -> const text_word* {
    for (const std::size_t at : {day - 1, day + 1}) {
      if (at < text.size() && is_month(text[at])) return &text[at];
    }
    return nullptr;
  };
  const text_word* const claimed = month_of(texts.claim, i);
  const text_word* const found = month_of(texts.excerpt, j);
  constexpr std::uint32_t digits = 2;
  if (claimed == nullptr || found == nullptr) return false;
  return (claimed->end - claimed->begin <= digits || found->end - found->begin <= digits) &&
         whole_value(texts.claim[i].value) == found->member.index + 1U &&
         whole_value(texts.excerpt[j].value) == claimed->member.index + 1U;
}

/// Returns true if a comparison follows number \p i: "15 kg less".
[[nodiscard]] bool is_compared(word_list text, std::size_t i) noexcept {
  return std::ranges::any_of(words_after(text, i, 2), [](const text_word& each) {
    const bool compares = is_plain_antonym(each) && each.rounds != rounding::none;
    return compares || each.role == word_role::comparative;
  });
}

}  // namespace

std::size_t end_of_range(word_list text, std::size_t k) noexcept {
  const auto is_number = [&](std::size_t at) {
    return at < text.size() && text[at].is_number && text[at].clause == text[k].clause &&
           text[at].column == text[k].column;
  };
  if (k > 0 && is_direction(text[k - 1])) return text.size();
  constexpr std::uint32_t dash = 5;  // bytes, with blanks around it
  if (is_number(k + 1)) return text[k + 1].begin - text[k].end <= dash ? k + 1 : text.size();
  return is_number(k + 2) && is_to(text[k + 1]) ? k + 2 : text.size();
}

bool keeps_bound(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const number& claimed = texts.claim[i].value;
  if (const bound own = bound_at(texts.claim, i); own != bound::none) {
    const bool below = is_less(texts.excerpt[j].value, claimed);
    return own == (below ? bound::most : bound::least) && bound_at(texts.excerpt, j) == bound::none;
  }
  const std::uint32_t noun = claimed_noun(texts, i);
  for (std::size_t k = 0; k < texts.excerpt.size(); ++k) {
    const text_word& each = texts.excerpt[k];
    if (!each.is_number || each.value.kind != claimed.kind) continue;
    if (is_in_range(texts, i, k)) return true;
    if (each.sentence != texts.excerpt[j].sentence && !texts.claim[i].conditional) continue;
    const std::size_t found_noun = counted_by(texts.excerpt, k);
    const bool same =
        found_noun == texts.excerpt.size() || (noun != no_word && texts.excerpt[found_noun].word == noun);
    if (k != j && !same) continue;
    if (bound_at(texts.excerpt, k) == (is_less(claimed, each.value) ? bound::most : bound::least))
      return true;
  }
  return false;
}

bool counts_different(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (is_day(texts.claim, i) != is_day(texts.excerpt, j)) return true;
  if (is_compared(texts.excerpt, j) && !is_compared(texts.claim, i)) return true;
  const number& claimed = texts.claim[i].value;
  const std::size_t found_noun = counted_by(texts.excerpt, j);
  if (texts.excerpt[j].value.kind != number_kind::plain || texts.excerpt[j].in_table ||
      found_noun == texts.excerpt.size()) {
    return false;
  }
  if (claimed.kind == number_kind::money) return claimed.currency != 'p';  // "12 pounds"
  const std::size_t noun = counted_by(texts.claim, i);
  if (claimed.kind != number_kind::plain || noun == texts.claim.size()) return false;
  constexpr std::size_t reach = 3;  // an adjective may be in front of the noun
  const auto has_near = [](word_list text, std::size_t at, const text_word& wanted) {
    return std::ranges::any_of(
        text.subspan(at, std::min(reach + 1, text.size() - at)),
        [&](const text_word& each) { return each.hash == wanted.hash || is_same(each, wanted); });
  };
  return !has_near(texts.excerpt, j, texts.claim[noun]) &&
         !has_near(texts.claim, i, texts.excerpt[found_noun]);
}

bool is_shortened(word_list text, std::size_t i) noexcept {
  constexpr std::size_t reach = 4;  // words: "from 14 to about 19 million", "19 million instead of 14"
  if (has_letter_b(text, i)) return true;
  if (text[i].value.scaled) return false;
  const auto is_scaled = [](const text_word& each) { return each.is_number && each.value.scaled; };
  return std::ranges::any_of(words_before(text, i, reach, in_sentence), is_scaled) ||
         std::ranges::any_of(words_after(text, i, reach, in_sentence), is_scaled);
}

bool is_same_amount(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (i + 1 >= texts.claim.size() || j + 1 >= texts.excerpt.size() || !texts.excerpt[j].is_number)
    return false;
  const class_member& unit = texts.claim[i + 1].member;
  const class_member& found_unit = texts.excerpt[j + 1].member;
  const number& claimed = texts.claim[i].value;
  const number& found = texts.excerpt[j].value;
  if (unit.kind == class_kind::duration && unit.class_id == found_unit.class_id) {
    const double length = duration_of(texts.claim, i);
    if (length > 0 && std::abs(length - duration_of(texts.excerpt, j)) < 1) return true;
  }
  if (!unit.excludes(found_unit)) return false;
  if (unit.kind == class_kind::metric && found_unit.kind == class_kind::metric)
    return claimed.digits == found.digits &&
           claimed.exponent + unit.index == found.exponent + found_unit.index;
  if (unit.kind != class_kind::duration) return false;
  return unit.index < found_unit.index ? is_multiple(claimed, found, ratio_of(unit, found_unit))
                                       : is_multiple(found, claimed, ratio_of(found_unit, unit));
}

bool is_below_scale(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const text_word& found = texts.excerpt[j];
  const auto apart = texts.claim[i].value.exponent - found.value.exponent;
  const bool headed = found.in_table && !found.value.scaled;
  return (headed || has_letter_b(texts.excerpt, j)) && apart > 0 && apart % 3 == 0;
}

bool may_differ(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const bool same_digits = texts.claim[i].value.digits == texts.excerpt[j].value.digits;
  if (same_digits && (is_shortened(texts.claim, i) || is_below_scale(texts, i, j))) return true;
  const bool change = j > 0 && is_direction(texts.excerpt[j - 1]);
  if (counts_rows(texts, i, j) || is_rounded(texts, i, j) || is_same_date(texts, i, j)) return true;
  if (is_compared(texts.claim, i) && !is_compared(texts.excerpt, j) && !change) return true;
  return is_unrelated(texts, j) || counts_different(texts, i, j) || keeps_bound(texts, i, j) ||
         is_opposite(texts, i, j) || is_rest(texts, i, j);
}

bool is_derived(const text_pair& texts, std::size_t i) noexcept {
  for (std::size_t j = 0; j < texts.excerpt.size(); ++j) {
    if (is_half(texts, i, j)) return true;
    if (!texts.excerpt[j].is_number) continue;
    if (is_next_year(texts, i, j) || is_scaled(texts, i, j) || is_same_amount(texts, i, j) ||
        is_share(texts, i, j) || is_sum(texts, i, j) || is_quotient(texts, i, j) || is_product(texts, i, j))
      return true;
  }
  return false;
}

}  // namespace citestream::check_detail
