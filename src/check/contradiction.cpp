// The rules about contradictions.
//
// Each rule compares two words, one of the claim and one of the evidence, that exclude one another, and asks
// whether both texts speak of the same thing there. For most rules that is so if at least half of the content
// words around the one are around the other (context_at()).
//
//   negation    a word that one text negates and the other never does
//   antonym, quantity, month, weekday, place, order, unit
//               another member of the same class (lexicon.hpp) is there instead
//   direction   `by` for `to` or `from` before the same number
//   scale       the same digits at another scale: 5 million, 5 billion
//   number      the noun after the number has another number there, and the text has the number for something
//               else, or one of both numbers is `one`; support.cpp compares other numbers that the text lacks
//   clause      the value is in one clause or row of a table, and the words around it fit another one better
//   comparison  the sides of `than` are exchanged
//   roles       who does it and to whom it is done are exchanged
//
// A set of content words is a bit mask of the first 64.
#include "check/contradiction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "check/number_agreement.hpp"
#include "check/table_names.hpp"
#include "check/text_pair.hpp"

namespace citestream::check_detail {
namespace {

constexpr std::size_t claim_reach = 4;     // words around a word of the claim
constexpr std::size_t evidence_reach = 6;  // words around a word of the evidence
/// Numbers from here on, without zeros at their end, are hardly ever the same by chance.
constexpr std::uint64_t two_digits = 10;

/// How many words around a word of the claim are around a word of the evidence.
struct context {
  std::size_t all{};
  std::size_t found{};

  [[nodiscard]] bool half() const noexcept { return all > 0 && found * 2 >= all; }
  [[nodiscard]] bool most() const noexcept { return found * 2 > all; }
};

[[nodiscard]] context context_at(word_list claim, std::size_t i, word_list evidence, std::size_t j,
                                 std::size_t reach = evidence_reach) noexcept {
  word_mask around = 0;
  for (std::size_t k = first_near(i, claim_reach); k < claim.size() && k <= i + claim_reach; ++k) {
    const bool same_kind =
        claim[i].sense.contrast.kind != 0 && claim[k].sense.contrast.kind == claim[i].sense.contrast.kind;
    if (k != i && claim[k].sentence == claim[i].sentence && !same_kind) around |= mask_of(claim[k]);
  }
  word_mask there = 0;
  for (std::size_t k = first_near(j, reach); k < evidence.size() && k <= j + reach; ++k) {
    if (k != j && evidence[k].sentence == evidence[j].sentence) there |= mask_of(evidence[k]);
  }
  return {static_cast<std::size_t>(std::popcount(around)),
          static_cast<std::size_t>(std::popcount(around & there))};
}

/// Returns the number that counts the unit \p i, null if none does.
[[nodiscard]] const text_word* count_of(word_list text, std::size_t i) noexcept {
  for (std::size_t k = i; k > first_near(i, 2);) {
    if (text[--k].is_number) return &text[k];
  }
  return nullptr;
}

/// Returns true if the units \p i and \p j are after the same number or both after none: "3 days" and "3
/// weeks", "a day" and "a week".
[[nodiscard]] bool same_count(word_list claim, std::size_t i, word_list evidence, std::size_t j) noexcept {
  const text_word* const mine = count_of(claim, i);
  const text_word* const its = count_of(evidence, j);
  if (mine == nullptr || its == nullptr) return mine == its;
  return mine->word == its->word;
}

[[nodiscard]] std::string_view name_of(contrast_rule rule) noexcept {
  constexpr std::string_view names[] = {"",        "antonym", "antonym", "quantity", "quantity", "month",
                                        "weekday", "place",   "order",   "unit",     "direction"};
  return names[static_cast<std::size_t>(rule)];
}

/// What a sentence negates.
struct negations {
  word_mask words{};
  bool unknown{};    ///< a word that the claim does not have, or one that is left out
  bool lacked{};     ///< something is negated by `without`
  bool otherwise{};  ///< something is negated by another word, or forbidden
};

/// What a word of the evidence says about what a word of the claim is about.
enum class relation : std::uint8_t { none, same, other };

/// The content words next to a word, in its clause.
struct sides {
  word_mask left{};
  word_mask right{};
};

/// Returns up to \p reach words of the claim next to a word, before it (\p step -1) or after it (+1), without
/// those that \p skips. Stops at the first word that is not \p near.
template <typename Near, typename Skips>
[[nodiscard]] word_mask words_beside(word_list text, std::size_t at, int step, int reach, Near near,
                                     Skips skips) noexcept {
  word_mask out = 0;
  for (std::size_t k = at; reach > 0 && (step < 0 ? k > 0 : k + 1 < text.size());) {
    k = step < 0 ? k - 1 : k + 1;
    if (!near(text[k])) break;
    if (skips(text[k])) continue;
    out |= mask_of(text[k]);
    --reach;
  }
  return out;
}

[[nodiscard]] sides sides_of(word_list text, std::size_t at, int reach, std::size_t last) noexcept {
  const auto in_clause = [&](const text_word& each) { return each.clause == text[at].clause; };
  const auto other = [](const text_word& each) { return each.sense.stop || each.is_number; };
  return {words_beside(text, at, -1, reach, in_clause, other),
          words_beside(text, last, 1, reach, in_clause, other)};
}

[[nodiscard]] sides sides_of(word_list text, std::size_t at, int reach) noexcept {
  return sides_of(text, at, reach, at);
}

/// Returns true if a word that is only on the left in one text is only on the right in the other, and the
/// other way around.
[[nodiscard]] bool exchanged(const sides& a, const sides& b) noexcept {
  const word_mask left = a.left & ~a.right & b.right & ~b.left;
  const word_mask right = a.right & ~a.left & b.left & ~b.right;
  return left != 0 && right != 0;
}

/// The content words and numbers on both sides of a word, those before it from the whole sentence: "in 1990,
/// more people smoked than today".
[[nodiscard]] sides compared_at(word_list text, std::size_t at) noexcept {
  constexpr int reach = 8;
  const auto in_sentence = [&](const text_word& each) { return each.sentence == text[at].sentence; };
  const auto in_clause = [&](const text_word& each) { return each.clause == text[at].clause; };
  const auto stop = [](const text_word& each) { return each.sense.stop; };
  return {words_beside(text, at, -1, reach, in_sentence, stop),
          words_beside(text, at, 1, reach, in_clause, stop)};
}

[[nodiscard]] bool is_than(word_list text, std::size_t i) noexcept {
  if (text[i].sense.role == word_role::than) return true;
  if (text[i].sense.role != word_role::maybe_than) return false;
  for (std::size_t k = first_near(i, 4); k < i; ++k) {
    if (text[k].sense.role == word_role::comparative || rule_at(text, k) == contrast_rule::antonym)
      return true;
  }
  return false;
}

/// Applies the rules to one claim and its evidence.
class comparison {
 public:
  comparison(const text_pair& texts, std::vector<conflict>& out) noexcept
      : texts_(texts), claim_(texts.claim), evidence_(texts.evidence), out_(out) {
    if (std::ranges::any_of(evidence_, [](const text_word& each) { return each.in_table; }))
      table_.emplace(evidence_);
  }

  void run(language spoken) {
    if (spoken != language::other) {
      find_negations();
      const bool reversed = find_exchanged_comparison();
      find_exchanged_roles(spoken);
      find_exchanged_letters();
      find_contrasts(reversed);
      find_directions(spoken);
      find_currencies();
      find_ones();
      find_bounds();
      drop_cancelled();
    }
    find_scales();
    find_numbers();
    find_cells();
    find_clauses(spoken);
  }

 private:
  void add(std::string_view rule, std::size_t i, std::size_t j) {
    const bool known =
        std::any_of(out_.begin(), out_.end(), [i](const conflict& each) { return each.claim == i; });
    if (!known) out_.push_back({rule, i, j});
  }

  /// Adds the last word of the evidence that says something else than word \p i of the claim, unless one says
  /// the same. \p compare tells which of both the word at a place of the evidence does.
  template <typename Compare>
  void find_other(std::string_view rule, std::size_t i, const Compare& compare) {
    std::size_t place = evidence_.size();
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      const relation found = compare(j);
      if (found == relation::same) return;
      if (found == relation::other) place = j;
    }
    if (place < evidence_.size()) add(rule, i, place);
  }

  [[nodiscard]] bool claim_has(const text_word& other) const noexcept {
    return std::any_of(claim_.begin(), claim_.end(), [&](const text_word& each) {
      return other.word != no_word ? each.word == other.word
                                   : other.sense.contrast.is_same(each.sense.contrast);
    });
  }

  /// Returns true if the claim is about what the sentence of the evidence with word \p j makes an exception
  /// of, so that it says the opposite of the rest of the sentence.
  [[nodiscard]] bool is_exception(std::size_t j) const noexcept;
  /// Returns true if the words are the same, or opposites of the same words: `allowed`, `permitted`.
  [[nodiscard]] bool means_same(std::size_t i, std::size_t j) const noexcept {
    if (claim_[i].word == evidence_[j].word) return true;
    const bool opposes = rule_at(claim_, i) == contrast_rule::antonym;
    return opposes && claim_[i].sense.contrast.is_same(evidence_[j].sense.contrast) && !has_limiter(j) &&
           std::ranges::none_of(evidence_, [&](const text_word& each) {
             return each.sense.contrast.excludes(claim_[i].sense.contrast) &&
                    each.sentence == evidence_[j].sentence;
           });
  }
  /// Returns true if the sentence of word \p j of the evidence has a word such as `only`: something else may
  /// be excluded by it.
  [[nodiscard]] bool has_limiter(std::size_t j) const noexcept {
    return std::ranges::any_of(evidence_, [&](const text_word& each) {
      return each.sense.role == word_role::limiter && each.sentence == evidence_[j].sentence;
    });
  }
  /// Returns true if the content words next to both words, before them (\p step -1) or after them, are the
  /// same.
  [[nodiscard]] bool same_beside(std::size_t i, std::size_t j, int step) const noexcept {
    const std::size_t mine = next_to(claim_, i, step);
    const std::size_t its = next_to(evidence_, j, step);
    return mine < claim_.size() && its < evidence_.size() && is_same(claim_[mine], evidence_[its]);
  }
  /// Returns true if the content word before is the same: `comes with a charger` and `comes without a
  /// charger`.
  [[nodiscard]] bool follows_same(std::size_t i, std::size_t j) const noexcept {
    return same_beside(i, j, -1);
  }
  /// Returns true if the next content word is the same: `must be used` and `may be used`.
  [[nodiscard]] bool leads_to_same(std::size_t i, std::size_t j) const noexcept {
    return same_beside(i, j, 1);
  }
  /// Returns true if the evidence does not say that word \p j is so: "they had feared a decline".
  [[nodiscard]] bool is_expected(std::size_t j) const noexcept {
    const auto expects = [&](const text_word& each) {
      return each.sense.role == word_role::expectation && each.clause == evidence_[j].clause;
    };
    return std::any_of(evidence_.begin() + static_cast<std::ptrdiff_t>(first_near(j, claim_reach)),
                       evidence_.begin() + static_cast<std::ptrdiff_t>(j), expects);
  }
  [[nodiscard]] bool is_converse(std::size_t i, std::size_t j) const noexcept;
  void find_negations();
  [[nodiscard]] bool has_later_subject(std::size_t j) const noexcept;
  [[nodiscard]] bool negates_more(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool negate_same(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool is_limited(std::size_t i, std::size_t j) const noexcept;
  void find_contrasts(bool reversed);
  void find_contrast(std::size_t i, contrast_rule rule);
  [[nodiscard]] bool is_counterpart(std::size_t i, std::size_t j, const context& around) const noexcept;
  void find_currencies();
  void find_directions(language spoken);
  void find_scales();
  void find_numbers();
  void find_number(std::size_t i, std::uint32_t noun);
  [[nodiscard]] word_mask said_of(std::size_t i) const noexcept;
  [[nodiscard]] bool is_left_out(std::size_t i, std::size_t own, std::size_t other) const noexcept;
  [[nodiscard]] bool has_own_subject(std::size_t i, std::size_t own, std::size_t other) const noexcept;
  void find_ones();
  void find_bounds();
  [[nodiscard]] bool is_part(std::size_t i, std::size_t j) const noexcept;
  void find_cells();
  [[nodiscard]] std::size_t other_cell(std::size_t i, std::size_t j) const noexcept;
  [[nodiscard]] bool names_other(word_mask own, word_mask other) const noexcept;
  void find_clauses(language spoken);
  [[nodiscard]] bool crosses(std::size_t own, word_mask values) const noexcept;
  void find_clause(std::size_t i, word_mask values);
  [[nodiscard]] bool goes_on(std::size_t own, std::size_t best) const noexcept;
  [[nodiscard]] bool is_replaced(std::size_t own, std::size_t best, word_mask missing) const noexcept;
  [[nodiscard]] bool find_exchanged_comparison();
  [[nodiscard]] bool is_cancelled(const conflict& found) const noexcept;
  void drop_cancelled();
  void find_exchanged_roles(language spoken);
  [[nodiscard]] bool has_same_subject(std::size_t i, std::size_t j) const noexcept;
  void find_exchanged_letters();

  const text_pair& texts_;
  word_list claim_;
  word_list evidence_;
  std::optional<table_names> table_;  ///< of the evidence, if it has one
  std::vector<conflict>& out_;
};

/// Finds words that only one of claim and evidence negates. Of several in the evidence, those with most of
/// the claim's words around them count.
void comparison::find_negations() {
  if (!texts_.claim_negates && !texts_.evidence_negates) return;
  const bool both = texts_.claim_negates && texts_.evidence_negates;
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (claim_[i].word == no_word || claim_[i].is_number) continue;
    if (!both && claim_[i].negated != texts_.claim_negates) continue;
    std::size_t most = 0;
    std::size_t place = evidence_.size();
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      if (!means_same(i, j)) continue;
      const context around = context_at(claim_, i, evidence_, j, evidence_.size());
      if ((!around.half() && around.all != 0) || around.found < most || is_other_case(texts_, i, j) ||
          has_later_subject(j) || is_expected(j)) {
        continue;
      }
      if (evidence_[j].lacked != claim_[i].lacked && !follows_same(i, j)) continue;
      if (claim_[i].negated && around.found < around.all && has_limiter(j)) continue;
      const bool same = evidence_[j].negated == claim_[i].negated || negate_same(i, j);
      if (around.found > most || place == evidence_.size() || same) place = same ? evidence_.size() : j;
      most = around.found + (same ? 1 : 0);
    }
    if (place < evidence_.size() && negates_more(i, place) && !is_exception(place)) add("negation", i, place);
  }
}

/// Returns true if the first content word of the claim is only after the clause of word \p j in its sentence:
/// "the castle costs 9 euros, the park is free" does not say what the park costs.
bool comparison::has_later_subject(std::size_t j) const noexcept {
  const auto subject = std::ranges::find_if(
      claim_, [](const text_word& each) { return each.word != no_word && !each.is_number; });
  if (subject == claim_.end()) return false;
  bool later = false;
  for (const text_word& each : evidence_) {
    if (each.sentence != evidence_[j].sentence || each.word != subject->word) continue;
    if (each.clause <= evidence_[j].clause) return false;
    later = true;
  }
  return later;
}

/// Returns what the sentence of word \p at negates.
[[nodiscard]] negations negations_of(word_list text, std::size_t at) noexcept {
  negations out;
  const text_word* open = nullptr;  // a negator after which nothing is negated yet: `glass is not`
  for (const text_word& each : text) {
    if (each.sentence != text[at].sentence) continue;
    if (open != nullptr && open->clause != each.clause) out.unknown = true;
    if (each.negator) {
      open = &each;
    } else if (!each.sense.stop) {
      open = nullptr;
    }
    const bool banned = each.sense.contrast.rule == contrast_rule::ban && each.sense.contrast.member == 1;
    out.otherwise = out.otherwise || banned || (each.negated && !each.lacked && !each.sense.stop);
    out.lacked = out.lacked || each.lacked;
    out.unknown = out.unknown || (each.negated && each.sense.contrast.rule == contrast_rule::amount);
    if (!each.negated || each.sense.stop) continue;
    out.words |= mask_of(each);
    out.unknown = out.unknown || mask_of(each) == 0;
  }
  out.unknown = out.unknown || open != nullptr;
  return out;
}

/// Returns true if one of the texts negates the words \p i and \p j in addition to all that the other one
/// negates. Otherwise they may say the same in other words, as they do if only one of them has two negations
/// that together say what is necessary: `forbidden without a permit`.
bool comparison::negates_more(std::size_t i, std::size_t j) const noexcept {
  const negations mine = negations_of(claim_, i);
  const negations theirs = negations_of(evidence_, j);
  const negations& more = claim_[i].negated ? mine : theirs;
  const negations& less = claim_[i].negated ? theirs : mine;
  if ((less.words & ~more.words) != 0 || less.unknown) return false;
  return !(more.lacked && more.otherwise && !less.lacked && !less.otherwise);
}

/// Returns true if the clauses of both words negate the same other word: "not valid at night or on trains"
/// and "not valid on trains".
bool comparison::negate_same(std::size_t i, std::size_t j) const noexcept {
  const auto negated = [](word_list text, std::size_t at) {
    word_mask out = 0;
    for (const text_word& each : text) {
      if (each.clause == text[at].clause && each.negated && !each.lacked && !each.sense.stop)
        out |= mask_of(each);
    }
    return out & ~mask_of(text[at]);
  };
  return (negated(claim_, i) & negated(evidence_, j)) != 0;
}

/// Returns true if only one text limits the word, and to something else than what the other says of it: "only
/// opens at 8" and "closed at 7".
bool comparison::is_limited(std::size_t i, std::size_t j) const noexcept {
  return claim_[i].limited != evidence_[j].limited && !leads_to_same(i, j);
}

void comparison::find_contrasts(bool reversed) {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const contrast_rule rule = rule_at(claim_, i);
    if (rule == contrast_rule::none || rule == contrast_rule::direction) continue;
    if (reversed && rule == contrast_rule::antonym) continue;
    find_contrast(i, rule);
  }
}

bool comparison::is_exception(std::size_t j) const noexcept {
  word_mask rule = 0;
  word_mask exception = 0;
  for (const text_word& each : evidence_) {
    if (each.sentence == evidence_[j].sentence) (each.excepted ? exception : rule) |= mask_of(each);
  }
  const bool claims_exception =
      std::any_of(claim_.begin(), claim_.end(), [](const text_word& each) { return each.excepted; });
  return !claims_exception && (exception & ~rule) != 0;
}

/// Returns true if the opposites \p i of the claim and \p j of the evidence say the same, because what is
/// before the one is after the other: "A bought it from B" and "B sold it to A", "planned was less" and "more
/// than planned".
bool comparison::is_converse(std::size_t i, std::size_t j) const noexcept {
  const sides mine = compared_at(claim_, i);
  const bool compares = j + 1 < evidence_.size() && is_than(evidence_, j + 1);
  if (compares && (compared_at(evidence_, j + 1).right & mine.left & ~mine.right) != 0 && mine.right == 0)
    return true;
  return exchanged(mine, compared_at(evidence_, j));
}

/// Returns true if a text that says \p found may mean the amount \p claimed: `some` for `most` or `few`, and
/// `most` for `all`, but not `all` for another.
[[nodiscard]] bool is_close(const contrast& claimed, const contrast& found) noexcept {
  return claimed.member != 0 && std::abs(claimed.member - found.member) <= 1;
}

/// Returns true if the day or month \p i is the end of a time without a beginning: "until 20 May".
[[nodiscard]] bool is_until(word_list text, std::size_t i) noexcept {
  const text_word* const side = side_of(text, i);
  if (side == nullptr || side->sense.role != word_role::until) return false;
  return std::ranges::count_if(text, [&](const text_word& each) {
           return each.clause == text[i].clause && each.sense.contrast.kind == text[i].sense.contrast.kind;
         }) == 1;
}

/// Returns true if word \p j of the evidence is about what word \p i of the claim is about, of which \p
/// around tells what else is there: half of it, or, for opposites, two words of which one is beside both.
/// Units of the same number need less. So do days and months that no reference has, if the evidence has only
/// one.
bool comparison::is_counterpart(std::size_t i, std::size_t j, const context& around) const noexcept {
  if (around.half()) return true;
  const contrast_rule rule = rule_at(claim_, i);
  if (rule == contrast_rule::antonym)
    return around.found > 1 && (same_beside(i, j, -1) || same_beside(i, j, 1));
  const bool nowhere = (mask_of(claim_[i]) & texts_.nowhere) != 0;
  if (rule == contrast_rule::unit) {
    const text_word* const count = count_of(claim_, i);
    return count != nullptr && (around.found > 0 || nowhere || count->value.digits >= two_digits);
  }
  const bool day = rule == contrast_rule::month || rule == contrast_rule::weekday;
  if (around.found == 0 || !day || !nowhere) return false;
  return std::ranges::count_if(evidence_, [&](const text_word& each) {
           return each.sense.contrast.kind == claim_[i].sense.contrast.kind;
         }) == 1;
}

/// Finds another member of the class of word \p i in the evidence, or the same amount if only one of both is
/// negated. Of antonyms and quantities the evidence may have the claim's own member, too, if all words around
/// it are around the other one, and none around its own. Whether a day, a month or a place is there for
/// something else is a question for find_clauses().
void comparison::find_contrast(std::size_t i, contrast_rule rule) {
  const text_word& mine = claim_[i];
  const bool opposes =
      rule == contrast_rule::antonym || rule == contrast_rule::quantity || rule == contrast_rule::amount;
  const bool cyclic = rule == contrast_rule::weekday || rule == contrast_rule::month;
  context best;
  bool present = false;
  bool elsewhere = false;  // the claim's own member is said of something else
  std::size_t place = evidence_.size();
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    const text_word& there = evidence_[j];
    if (there.sense.contrast.kind != mine.sense.contrast.kind || rule_at(evidence_, j) == contrast_rule::none)
      continue;
    const context found = context_at(claim_, i, evidence_, j);
    const bool same_member = there.sense.contrast.member == mine.sense.contrast.member;
    const bool reversed = opposes && there.negated != mine.negated;
    if (same_member && !(reversed && rule == contrast_rule::amount)) {
      present = present || !opposes || found.found > 0 || next_to(evidence_, j, -1) == evidence_.size();
      elsewhere = true;
      continue;
    }
    const bool close = rule == contrast_rule::amount && is_close(mine.sense.contrast, there.sense.contrast);
    if (!same_member && (reversed || close || claim_has(there) || is_expected(j))) continue;
    if (rule == contrast_rule::quantity && !leads_to_same(i, j)) continue;
    if (rule == contrast_rule::unit && !same_count(claim_, i, evidence_, j)) continue;
    if (cyclic && is_until(evidence_, j) && side_of(claim_, i) == nullptr) continue;
    if ((place < evidence_.size() && found.found <= best.found) ||
        (!opposes && (is_opposite(texts_, i, j) || has_other_number(texts_, i, j))))
      continue;
    best = found;
    place = j;
  }
  if (place == evidence_.size() || present || (elsewhere && best.found < best.all)) return;
  if (!is_counterpart(i, place, best)) return;
  if ((cyclic && in_range(texts_, i)) || is_exception(place) || is_converse(i, place)) return;
  if (opposes && (is_other_case(texts_, i, place) || is_limited(i, place))) return;
  if (rule == contrast_rule::antonym && mine.sense.stop &&
      negates_clause(claim_, i) != negates_clause(evidence_, place))
    return;
  add(name_of(rule), i, place);
}

/// Returns true if a number of \p money has the amount of the number \p j of \p text with another unit after
/// it: "20 dollars" and "20 pounds" or "20 kg".
[[nodiscard]] bool has_other_unit(const number& money, word_list text, std::size_t j) noexcept {
  if (money.kind != number_kind::money || money.currency == 0) return false;
  const number& value = text[j].value;
  if (!text[j].is_number || value.kind != number_kind::plain || value.digits != money.digits ||
      value.exponent != money.exponent) {
    return false;
  }
  const std::size_t next = j + 1;
  if (next >= text.size() || text[next].clause != text[j].clause) return false;
  // The sign of the pound and the word are one currency. Dollars and euros are part of the number.
  return rule_at(text, next) == contrast_rule::unit && money.currency != 'p';
}

/// Finds the same amount in another currency, or with a unit that is no currency.
void comparison::find_currencies() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!claim_[i].is_number) continue;
    find_other("unit", i, [&](std::size_t j) {
      if (!evidence_[j].is_number) return relation::none;
      const bool other =
          has_other_unit(claim_[i].value, evidence_, j) || has_other_unit(evidence_[j].value, claim_, i);
      if (!other)
        return evidence_[j].word == claim_[i].word && claim_[i].word != no_word ? relation::same
                                                                                : relation::none;
      const bool alike = claim_[i].value.digits >= two_digits || context_at(claim_, i, evidence_, j).half();
      return alike ? relation::other : relation::none;
    });
  }
}

/// Returns true if word \p i is `by`, `to` or `from`, and a number follows.
[[nodiscard]] bool directs(word_list text, std::size_t i) noexcept {
  // "a partir de 25", but not "up by 25"
  const bool compound = i > 0 && text[i - 1].sense.role == word_role::preposition &&
                        text[i - 1].sense.contrast.rule != contrast_rule::antonym;
  return !compound && i + 1 < text.size() && text[i + 1].is_number &&
         rule_at(text, i) == contrast_rule::direction;
}

/// Returns true if word \p i is `from`, or the French and Spanish `de` or German `von`, which are much else.
[[nodiscard]] bool is_from(word_list text, std::size_t i, language spoken) noexcept {
  return text[i].sense.contrast.member == (spoken == language::french ? 0 : 2);
}

/// Returns true if the clause of word \p i is about a change: it has another of these words before a number,
/// or a word such as `rose`, which must be directly before `from`. "An investment of 74 million" is not a
/// change.
[[nodiscard]] bool changes(word_list text, std::size_t i, language spoken) noexcept {
  const bool article = spoken == language::spanish && text[i].sense.contrast.member == 0;  // "un 14 %"
  const bool from = is_from(text, i, spoken) || article;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k].clause != text[i].clause || k == i) continue;
    const bool beside = k < i && k + 2 >= i;
    if ((directs(text, k) && !article) || (rule_at(text, k) == contrast_rule::antonym && (beside || !from)))
      return true;
  }
  return false;
}

/// Finds `by` for `to` or `from` before the same number.
void comparison::find_directions(language spoken) {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!directs(claim_, i) || claim_[i + 1].word == no_word) continue;
    const bool change = changes(claim_, i, spoken);
    find_other("direction", i, [&](std::size_t j) {
      if (!directs(evidence_, j) || evidence_[j + 1].word != claim_[i + 1].word) return relation::none;
      const bool changes_there = changes(evidence_, j, spoken);
      const bool from = is_from(claim_, i, spoken) || is_from(evidence_, j, spoken);
      if (!change && (!changes_there || from)) return relation::none;
      if (is_from(evidence_, j, spoken) && !changes_there) return relation::none;
      return claim_[i].sense.contrast.excludes(evidence_[j].sense.contrast) ? relation::other
                                                                            : relation::same;
    });
  }
}

/// Finds the same digits with another scale.
void comparison::find_scales() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const text_word& mine = claim_[i];
    if (!mine.is_number || mine.value.kind == number_kind::year || mine.value.digits == 0) continue;
    if (is_shortened(claim_, i)) continue;
    const bool present = std::any_of(evidence_.begin(), evidence_.end(), [&](const text_word& each) {
      return each.is_number && each.word == mine.word;
    });
    if (present) continue;
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      const text_word& there = evidence_[j];
      if (!there.is_number || there.value.digits != mine.value.digits || !there.value.agrees(mine.value))
        continue;
      if (there.in_table && !there.value.scaled && mine.value.scaled)
        continue;  // its header may have the scale
      const auto apart = there.value.exponent - mine.value.exponent;
      if (apart == 0 || apart % 3 != 0 || apart > 9 || apart < -9 || claim_has(there)) continue;
      if (mine.value.digits >= two_digits || context_at(claim_, i, evidence_, j).half()) add("scale", i, j);
    }
  }
}

/// Returns the content word in front of the value \p i, no_word if a number or the start of the clause comes
/// first.
[[nodiscard]] std::uint32_t noun_before(word_list text, std::size_t i) noexcept {
  const std::size_t next = next_to(text, i, -1);
  return next == text.size() || text[next].is_number ? no_word : text[next].word;
}

/// Returns the words that the claim says of its value \p i, without other values of its kind: those of its
/// clause if another clause has such a value, or a number after two words; otherwise those of its sentence.
/// Those of the sentence before it count too if that has no value: "How long can tents be returned? 14 days."
word_mask comparison::said_of(std::size_t i) const noexcept {
  word_mask context = 0;
  word_mask sentence = 0;
  word_mask clause = 0;
  word_mask rivals = mask_of(claim_[i]);
  bool has_context = true;
  bool alone = true;
  std::size_t before = 0;  // words of other clauses after the last value
  for (std::size_t k = 0; k < claim_.size(); ++k) {
    if (claim_[k].sentence + 1 == claim_[i].sentence) {
      context |= mask_of(claim_[k]);
      has_context = has_context && !is_value(claim_, k);
    }
    if (claim_[k].sentence != claim_[i].sentence) continue;
    before += claim_[k].sense.stop || claim_[k].is_number ? 0U : 1U;
    if (claim_[k].clause == claim_[i].clause) before = 0;
    sentence |= mask_of(claim_[k]);
    if (claim_[k].clause == claim_[i].clause) clause |= mask_of(claim_[k]);
    if (!is_value(claim_, k)) continue;
    const bool rival = other_value(claim_[i], claim_[k]);
    if (rival) rivals |= mask_of(claim_[k]);
    if (claim_[k].clause == claim_[i].clause) continue;
    if (rival || (claim_[k].is_number && before > 1)) alone = false;
    before = 0;
  }
  return ((has_context ? context : 0) | (alone ? sentence : clause)) & ~rivals;
}

void comparison::find_numbers() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const text_word& mine = claim_[i];
    if (!mine.is_number || mine.word == no_word || mine.value.kind == number_kind::year) continue;
    const std::uint32_t noun = noun_after(claim_, i, 2);
    if (noun != no_word) find_number(i, noun);
  }
}

/// Finds another number before the noun of number \p i. If the claim has that number, too, the evidence must
/// have number \p i before another noun of the claim: both are exchanged. Nothing is found if number \p i is
/// there for what the claim says of it.
void comparison::find_number(std::size_t i, std::uint32_t noun) {
  std::size_t other = evidence_.size();
  bool exchanged = false;
  bool present = false;
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    const text_word& there = evidence_[j];
    if (!there.is_number) continue;
    const std::uint32_t its_noun = noun_after(evidence_, j, 3);
    if (there.word == claim_[i].word) {
      if (its_noun == noun) return;
      exchanged = exchanged || its_noun != no_word;
    } else if (its_noun == noun && there.value.kind == claim_[i].value.kind &&
               context_at(claim_, i, evidence_, j).half()) {
      other = j;
    }
  }
  if (other == evidence_.size() || (claim_has(evidence_[other]) && !exchanged) ||
      is_opposite(texts_, i, other))
    return;
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    if (evidence_[j].word != claim_[i].word) continue;
    present = true;
    if (is_left_out(i, j, other) || has_own_subject(i, j, other)) return;
  }
  if (present || !(may_differ(texts_, i, other) || is_derived(texts_, i))) add("number", i, other);
}

/// Returns true if a noun is left out after the number \p own of the evidence, and the claim has no other
/// value, or one that is not with the number \p other: "in 2022 there were 41 guests" and "48 guests in 2023,
/// up from 41".
bool comparison::is_left_out(std::size_t i, std::size_t own, std::size_t other) const noexcept {
  if (other > own || evidence_[other].sentence != evidence_[own].sentence) return false;
  if (next_to(evidence_, own, 1, 1) != evidence_.size()) return false;
  bool alone = true;
  for (std::size_t k = 0; k < claim_.size(); ++k) {
    if (k == i || claim_[k].sentence != claim_[i].sentence || !is_value(claim_, k)) continue;
    alone = false;
    const bool with_other = std::any_of(evidence_.begin(), evidence_.end(), [&](const text_word& each) {
      return each.clause == evidence_[other].clause && same_value(each, claim_[k]);
    });
    if (!with_other) return true;
  }
  return alone;
}

/// Returns true if the evidence says at \p own, where it has the value \p i of the claim, what the claim says
/// of it, and not at \p other: the content word before the value is the same, or the clause has a word of the
/// claim that the clause of the other value does not have.
bool comparison::has_own_subject(std::size_t i, std::size_t own, std::size_t other) const noexcept {
  const std::uint32_t before = noun_before(claim_, i);
  if (before != no_word && noun_before(evidence_, own) == before && noun_before(evidence_, other) != before)
    return true;
  const word_mask around = texts_.clause_of(own) & ~texts_.clause_of(other) & said_of(i);
  return around != 0;
}

/// Returns true if the claim has a word of the \p other name of a row or column, and none of its \p own.
bool comparison::names_other(word_mask own, word_mask other) const noexcept {
  return (other & ~own) != 0 && (own & ~other) == 0;
}

/// Finds numbers of another cell: the claim names the row or the column of one cell of a table, and has the
/// number of a cell in the same column or row.
void comparison::find_cells() {
  if (!table_) return;
  word_mask done = 0;
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!claim_[i].is_number || claim_[i].word == no_word || (mask_of(claim_[i]) & done) != 0) continue;
    done |= mask_of(claim_[i]);
    std::size_t place = evidence_.size();
    for (std::size_t j = 0; j < evidence_.size(); ++j) {
      if (evidence_[j].word != claim_[i].word) continue;
      place = other_cell(i, j);
      if (place == evidence_.size()) break;  // the claim may mean this cell
    }
    if (place < evidence_.size()) add("clause", i, place);
  }
}

/// Returns the number of the cell that the claim names instead of the cell with \p j, which has number \p i
/// of the claim. Returns the size of the evidence if there is none.
std::size_t comparison::other_cell(std::size_t i, std::size_t j) const noexcept {
  const text_word& mine = evidence_[j];
  std::size_t out = evidence_.size();
  if (!table_->is_cell(mine)) return out;
  for (std::size_t k = 0; k < evidence_.size(); ++k) {
    const text_word& its = evidence_[k];
    const bool in_column = its.column == mine.column && its.clause != mine.clause;
    const bool in_row = its.clause == mine.clause && its.column != mine.column;
    if (!its.is_number || !table_->is_cell(its) || (!in_column && !in_row)) continue;
    if (!other_value(claim_[i], its) || claim_has(its)) continue;
    const bool named = in_column ? names_other(table_->row_of(mine), table_->row_of(its))
                                 : names_other(table_->column_of(mine), table_->column_of(its));
    if (named) out = k;
  }
  return out;
}

/// Returns the content words that have another value of the same kind as word \p i, and the word itself.
[[nodiscard]] word_mask rivals_of(word_list claim, std::size_t i) noexcept {
  word_mask out = mask_of(claim[i]);
  for (std::size_t k = 0; k < claim.size(); ++k) {
    if (is_value(claim, k) && other_value(claim[i], claim[k])) out |= mask_of(claim[k]);
  }
  return out;
}

void comparison::find_clauses(language spoken) {
  word_mask names = 0;  // a word with a capital in both texts; German nouns have one, too
  for (const text_word& each : evidence_) {
    if (each.capital && spoken != language::german) names |= mask_of(each);
  }
  word_mask values = 0;
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (is_value(claim_, i)) values |= mask_of(claim_[i]);
    if (claim_[i].capital) values |= mask_of(claim_[i]) & names;
  }
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (is_value(claim_, i)) find_clause(i, values);
  }
}

/// Returns true if the clause of word \p own of the evidence has another value than the claim's \p values.
bool comparison::crosses(std::size_t own, word_mask values) const noexcept {
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    if (evidence_[j].clause != evidence_[own].clause || !is_value(evidence_, j) || claim_has(evidence_[j]))
      continue;
    for (std::size_t i = 0; i < claim_.size(); ++i) {
      const bool wanted = (mask_of(claim_[i]) & values) != 0 && is_value(claim_, i);
      if (wanted && other_value(claim_[i], evidence_[j])) return true;
    }
  }
  return false;
}

/// Finds a clause that has another value and more of what the claim says of its value than any clause with
/// the value: one word more in a table; in prose two more, three if it lacks one of the other clause, or one
/// that is a value or a name, or one in whose place the other clause has another word.
void comparison::find_clause(std::size_t i, word_mask values) {
  const word_mask said = said_of(i) & ~rivals_of(claim_, i);
  std::size_t own = evidence_.size();
  std::size_t best = evidence_.size();
  const auto shared = [&](std::size_t j) { return texts_.clause_of(j) & said; };
  const auto keep_larger = [&](std::size_t& known, std::size_t j) {
    if (known == evidence_.size() || std::popcount(shared(j)) > std::popcount(shared(known))) known = j;
  };
  for (std::size_t j = 0; j < evidence_.size(); ++j) {
    if (!is_value(evidence_, j)) continue;
    if (same_value(claim_[i], evidence_[j])) {
      keep_larger(own, j);
    } else if (other_value(claim_[i], evidence_[j]) && !claim_has(evidence_[j]) &&
               !(claim_[i].is_number && counts_other(texts_, i, j))) {
      keep_larger(best, j);
    }
  }
  if (best == evidence_.size()) return;
  if (own == evidence_.size()) {
    // The text may have the number far away, but the clause has all that the claim says of it.
    const bool whole = claim_[i].is_number && claim_[i].value.kind != number_kind::year &&
                       (said & ~shared(best)) == 0 && std::popcount(said) > 1;
    if (whole && !may_differ(texts_, i, best) && !is_derived(texts_, i)) add("clause", i, best);
    return;
  }
  if (evidence_[own].clause == evidence_[best].clause) return;
  if (table_ && table_->is_name(evidence_[own])) return;
  if (goes_on(own, best)) return;
  const word_mask ours = shared(own);
  const word_mask theirs = shared(best);
  const int more = std::popcount(theirs) - std::popcount(ours);
  // What the claim says before the value is its subject. Words are numbered in their order: the first word
  // that only one of both clauses has tells which of them is about it.
  const word_mask first = (ours ^ theirs) & (~(ours ^ theirs) + 1);
  const bool own_subject = (ours & first & (mask_of(claim_[i]) - 1)) != 0;
  if (more < 0 && (first & theirs & values) == 0) return;
  if (evidence_[best].in_table) {
    const bool named = table_->is_cell(evidence_[own]) && (ours & ~theirs) != 0;
    if (more < 1 || named) return;
  } else if (!crosses(own, theirs & values) && (own_subject || !is_replaced(own, best, theirs & ~ours))) {
    // "The first opened in 1921, the second in 1985": words are left out in the later clause.
    const bool shortened = best < own && evidence_[best].sentence == evidence_[own].sentence;
    const bool sharper = more == 1 && (ours & ~theirs) == 0 && (theirs & ~ours & values) != 0;
    const int enough = (ours & ~theirs) == 0 ? 2 : 3;
    if (shortened || ours == 0 || (more < enough && !sharper)) return;
  }
  if (has_other_frame(texts_, i, best) || is_opposite(texts_, i, best)) return;
  add("clause", i, best);
}

/// Returns true if both clauses make one statement: "Of the 24 samples, 19 contained lead", or "He left in
/// 1911. He did not return until 1962."
bool comparison::goes_on(std::size_t own, std::size_t best) const noexcept {
  const text_word& value = evidence_[own];
  const text_word& other = evidence_[best];
  const auto first = std::ranges::find(evidence_, value.sentence, &text_word::sentence);
  const word_role role = first->sense.role;
  if (value.sentence == other.sentence + 1) return first->sense.stop && role == word_role::none;
  const bool starts = first->clause == value.clause && other.clause == value.clause + 1;
  return value.sentence == other.sentence && starts &&
         (role == word_role::preposition || role == word_role::agent);
}

/// Returns true if the clause of \p own is about something else than the clause of \p best, because one of
/// \p missing, which only the latter has, is next to a word or value that has another word there: "the red
/// line costs $10 and the blue line costs $15".
bool comparison::is_replaced(std::size_t own, std::size_t best, word_mask missing) const noexcept {
  for (std::size_t k = 0; k < evidence_.size(); ++k) {
    if (evidence_[k].clause != evidence_[best].clause || (mask_of(evidence_[k]) & missing) == 0) continue;
    for (const int step : {-1, 1}) {
      const std::size_t beside = next_to(evidence_, k, step);
      if (beside == evidence_.size()) continue;
      for (std::size_t j = 0; j < evidence_.size(); ++j) {
        if (evidence_[j].clause != evidence_[own].clause) continue;
        const bool same = beside == best ? j == own : evidence_[j].word == evidence_[beside].word;
        if (!same || (beside != best && evidence_[j].word == no_word)) continue;
        const std::size_t other = next_to(evidence_, j, -step);
        if (other == evidence_.size()) continue;
        if (!evidence_[other].is_number && evidence_[other].word == no_word) return true;
      }
    }
  }
  return false;
}

/// Returns true if word \p i is the number 1 and exact: not in `at least one`.
[[nodiscard]] bool is_one(word_list text, std::size_t i) noexcept {
  const word_sense& sense = text[i].sense;
  const bool article = sense.role == word_role::article && i + 1 < text.size() &&
                       text[i + 1].sense.role == word_role::fraction;  // `a third`
  if (!sense.one && !article) return false;
  for (std::size_t k = first_near(i, 2); k < i; ++k) {
    const word_role role = text[k].sense.role;
    if (role == word_role::bound || role == word_role::than || role == word_role::maybe_than ||
        role == word_role::comparative) {
      return false;
    }
  }
  return true;
}

/// Returns true if a word after number \p i of the claim is only before number \p j of the evidence: "one
/// member of the group" is no other number than "the group has five members".
bool comparison::is_part(std::size_t i, std::size_t j) const noexcept {
  constexpr int reach = 3;  // content words
  const sides mine = sides_of(claim_, i, reach);
  const sides its = sides_of(evidence_, j, reach);
  return (mine.right & its.left & ~its.right) != 0;
}

[[nodiscard]] bool is_digit_one(const text_word& each) noexcept {
  return each.is_number && each.value.digits == 1 && each.value.exponent == 0;
}

/// Finds another number before the noun that is directly after a number of the claim, where one of both is
/// the word for 1, which is a stop word: `one tablet` and `two tablets`.
void comparison::find_ones() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const bool one = is_one(claim_, i);
    if (!one && (!is_count(claim_[i]) || is_digit_one(claim_[i]))) continue;
    const std::size_t noun = next_to(claim_, i, 1, 1);
    if (noun == claim_.size() || claim_[noun].is_number) continue;
    find_other("number", i, [&](std::size_t j) {
      const bool article =
          evidence_[j].sense.role == word_role::article && evidence_[j].end - evidence_[j].begin < 3;
      const bool one_there = is_one(evidence_, j) || is_digit_one(evidence_[j]) || (one && article);
      if (!one_there && !is_count(evidence_[j])) return relation::none;
      // "One or two tablets": the noun is after the second.
      if (one && j > 1 && is_one(evidence_, j - 2) && evidence_[j - 1].sense.stop) return relation::same;
      const std::size_t noun_there = next_to(evidence_, j, 1, 1);
      if (noun_there == evidence_.size() || !is_same(claim_[noun], evidence_[noun_there]))
        return relation::none;
      if (one ? one_there : evidence_[j].word == claim_[i].word) return relation::same;
      const bool other = one != one_there && context_at(claim_, i, evidence_, j).most() && !is_part(i, j) &&
                         !is_rest(texts_, i, j) && !is_compared(claim_, i);
      return other ? relation::other : relation::none;
    });
  }
}

/// Finds the other side of the same number: `at least 5` and `at most 5`.
void comparison::find_bounds() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!claim_[i].is_number || claim_[i].word == no_word) continue;
    const bound mine = bound_at(claim_, i);
    if (mine == bound::none) continue;
    find_other("quantity", i, [&](std::size_t j) {
      if (evidence_[j].word != claim_[i].word) return relation::none;
      const bound its = bound_at(evidence_, j);
      if (its == bound::none) return relation::none;
      if (its == mine) return relation::same;
      if (is_opposite(texts_, i, j) || negates_clause(claim_, i) != negates_clause(evidence_, j))
        return relation::none;
      const std::uint32_t noun = noun_after(claim_, i, 2);
      const bool alike = noun != no_word && noun == noun_after(evidence_, j, 3);
      return alike || context_at(claim_, i, evidence_, j).half() ? relation::other : relation::none;
    });
  }
}

/// Returns the last word before `than` at \p i that has an opposite.
[[nodiscard]] contrast adjective_before(word_list text, std::size_t i) noexcept {
  for (std::size_t k = i; k > first_near(i, 4);) {
    if (rule_at(text, --k) == contrast_rule::antonym) return text[k].sense.contrast;
  }
  return {};
}

/// Returns true if both `than` compare the same quality: the word before them is the same, or a word of the
/// same class.
[[nodiscard]] bool same_quality(word_list claim, std::size_t i, word_list evidence, std::size_t j) noexcept {
  const contrast mine = adjective_before(claim, i);
  const contrast its = adjective_before(evidence, j);
  if (mine.kind != 0 || its.kind != 0) return mine.kind == its.kind;
  const std::size_t word = next_to(claim, i, -1);
  const std::size_t other = next_to(evidence, j, -1);
  return word < claim.size() && other < evidence.size() && is_same(claim[word], evidence[other]);
}

/// Finds comparisons of the same quality whose sides are exchanged. Returns true if the adjective of one of
/// them is the opposite, too: the claim then says the same as the evidence.
bool comparison::find_exchanged_comparison() {
  bool reversed = false;
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    if (!is_than(claim_, i)) continue;
    const sides mine = compared_at(claim_, i);
    find_other("comparison", i, [&](std::size_t j) {
      if (!is_than(evidence_, j) || !same_quality(claim_, i, evidence_, j)) return relation::none;
      const sides its = compared_at(evidence_, j);
      const bool opposite = adjective_before(claim_, i).excludes(adjective_before(evidence_, j));
      if (exchanged(mine, its)) {
        reversed = reversed || opposite;
        return opposite ? relation::same : relation::other;
      }
      const bool alike = (mine.left & its.left) != 0 && (mine.right & its.right) != 0;
      return alike && !opposite ? relation::same : relation::none;
    });
  }
  return reversed;
}

/// Returns the word that names who acts in the passive with the verb \p i: "was bought in June by the group".
/// Returns the size of \p text if there is none.
[[nodiscard]] std::size_t agent_after(word_list text, std::size_t i) noexcept {
  constexpr std::size_t reach = 4;  // words
  for (std::size_t k = i + 1; k + 1 < text.size() && k <= i + reach && text[k].clause == text[i].clause;
       ++k) {
    if (text[k].sense.role == word_role::agent && !text[k + 1].is_number) return k;
  }
  return text.size();
}

enum class voice : std::uint8_t { active, passive, unknown };

/// Returns how the word at \p i, if it is a verb, relates what is before it to what is after it.
[[nodiscard]] voice voice_at(word_list text, std::size_t i, language spoken) noexcept {
  if (text[i].word == no_word || text[i].is_number || text[i].in_table ||
      text[i].sense.role == word_role::symmetric) {
    return voice::unknown;
  }
  if (i == 0 || i + 1 >= text.size() || text[i + 1].clause != text[i].clause) return voice::unknown;
  bool passive = false;
  for (std::size_t k = first_near(i, 3); k < i; ++k) {
    passive = passive || (text[k].clause == text[i].clause && text[k].sense.role == word_role::auxiliary);
  }
  if (passive) return agent_after(text, i) < text.size() ? voice::passive : voice::unknown;
  const text_word& after = text[i + 1];
  const word_role before = text[i - 1].sense.role;
  const bool noun = before == word_role::preposition || before == word_role::until ||
                    before == word_role::article || text[i - 1].is_number;
  const bool object = !after.sense.stop || after.sense.role == word_role::article || after.is_number ||
                      (spoken == language::spanish && is_to(after));  // "venció al Sevilla"
  return !noun && object ? voice::active : voice::unknown;
}

/// The names on both sides of a verb, if both are single letters. `A` may be read as the article.
struct letter_roles {
  char subject{};  ///< 0: another word
  char object{};
};

[[nodiscard]] letter_roles letters_around(word_list text, std::size_t verb) noexcept {
  if (text[verb].is_number || text[verb].negated || text[verb].sense.role == word_role::symmetric) return {};
  const auto adjoins = [&](std::size_t k) {  // a blank is between word k and the one before it
    return k > 0 && k < text.size() && text[k].begin == text[k - 1].end + 1;
  };
  const auto is_auxiliary = [](const text_word& each) {
    return each.letter == 0 && each.sense.stop &&
           (each.sense.role == word_role::auxiliary || each.sense.role == word_role::none);
  };
  std::size_t first = verb;
  while (adjoins(first) && is_auxiliary(text[first - 1])) --first;
  const bool passive = adjoins(verb + 1) && text[verb + 1].sense.role == word_role::agent;
  const std::size_t after = passive ? verb + 2 : verb + 1;
  const char left = adjoins(first) ? text[first - 1].letter : '\0';
  const char right = adjoins(after) ? text[after].letter : '\0';
  if (left == 0 || right == 0) return {};
  return passive ? letter_roles{right, left} : letter_roles{left, right};
}

void comparison::find_exchanged_letters() {
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const letter_roles mine = letters_around(claim_, i);
    if (claim_[i].word == no_word || mine.subject == mine.object) continue;
    find_other("roles", i, [&](std::size_t j) {
      if (evidence_[j].word != claim_[i].word) return relation::none;
      const letter_roles its = letters_around(evidence_, j);
      if (its.subject == mine.subject && its.object == mine.object) return relation::same;
      return its.subject == mine.object && its.object == mine.subject ? relation::other : relation::none;
    });
  }
}

/// The names around a verb, of which the first starts the clause: "Google kaufte YouTube", "El Sevilla venció
/// al Barcelona". In a language in which the object may come first, only these tell who does it. A German
/// noun with an article after the verb may be the subject: "Gestern kam der Minister".
[[nodiscard]] sides names_around(word_list text, std::size_t verb, language spoken) noexcept {
  const auto in_clause = [&](std::size_t k) {
    return k < text.size() && text[k].clause == text[verb].clause;
  };
  const auto has_role = [&](std::size_t k, word_role role) {
    return in_clause(k) && text[k].sense.role == role;
  };
  const auto named = [&](std::size_t k) { return in_clause(k) && text[k].capital && !text[k].sense.stop; };
  sides out;
  std::size_t first = verb;
  while (first > 0 && text[first - 1].sense.stop &&
         (has_role(first - 1, word_role::auxiliary) || has_role(first - 1, word_role::none))) {
    --first;
  }
  while (first > 0 && named(first - 1)) out.left |= mask_of(text[--first]);
  if (first > 0 && has_role(first - 1, word_role::article)) --first;
  if (first > 0 && in_clause(first - 1)) return {};
  std::size_t next = verb + 1;
  if (in_clause(next) && (is_to(text[next]) || text[next].sense.role == word_role::agent)) ++next;
  if (has_role(next, word_role::article) && spoken != language::german) ++next;
  for (; named(next); ++next) out.right |= mask_of(text[next]);
  return out.left == 0 || out.right == 0 ? sides{} : out;
}

/// Finds verbs before and after which the same words are exchanged.
void comparison::find_exchanged_roles(language spoken) {
  const bool free_order = spoken == language::german || spoken == language::spanish;
  constexpr int reach = 3;  // content words
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const voice mine = voice_at(claim_, i, spoken);
    if (mine == voice::unknown) continue;
    const sides my_sides = free_order ? names_around(claim_, i, spoken) : sides_of(claim_, i, reach);
    find_other("roles", i, [&](std::size_t j) {
      if (evidence_[j].word != claim_[i].word) return relation::none;
      const voice its = voice_at(evidence_, j, spoken);
      if (its == voice::unknown) return relation::none;
      const std::size_t last = its == voice::passive ? agent_after(evidence_, j) : j;
      sides its_sides = sides_of(evidence_, j, reach, last);
      if (its != mine) std::swap(its_sides.left, its_sides.right);
      if ((my_sides.left & its_sides.left) != 0 && (my_sides.right & its_sides.right) != 0)
        return relation::same;
      const bool both_after = its == mine && has_same_subject(i, j);
      return exchanged(my_sides, its_sides) && !both_after ? relation::other : relation::none;
    });
  }
}

/// Returns true if the same content word, which is not after either verb, is directly before both: `river
/// tolls`.
bool comparison::has_same_subject(std::size_t i, std::size_t j) const noexcept {
  if (!same_beside(i, j, -1)) return false;
  constexpr int reach = 3;  // content words
  const word_mask after = sides_of(claim_, i, reach).right | sides_of(evidence_, j, reach).right;
  return (mask_of(claim_[next_to(claim_, i, -1)]) & after) == 0;
}

/// Returns true if the claim and the sentence of \p found differ in another opposite, or, for an opposite, in
/// a negation, so that both differences cancel: "valid if it has not been opened" and "void if it is opened".
/// The other one is in the same clause, or, for `before` and `after`, which are stop words, in the same
/// sentence.
bool comparison::is_cancelled(const conflict& found) const noexcept {
  const text_word& mine = claim_[found.claim];
  const auto there = [&](const text_word& each) {
    return each.sentence == evidence_[found.evidence].sentence;
  };
  for (std::size_t i = 0; i < claim_.size(); ++i) {
    const text_word& other = claim_[i];
    if (i == found.claim ||
        (mine.sense.stop ? other.sentence != mine.sentence : !belongs_to(texts_, found.claim, i)))
      continue;
    if (has_only_opposite(texts_, i, there)) return true;
    if (found.rule == "antonym" && other.word != no_word &&
        std::ranges::any_of(evidence_, [&](const text_word& each) {
          return there(each) && each.word == other.word && each.negated != other.negated;
        })) {
      return true;
    }
  }
  return false;
}

/// Removes what two differences of one claim cancel. More than two are different statements.
void comparison::drop_cancelled() {
  const auto flips = [](const conflict& each) { return each.rule == "negation" || each.rule == "antonym"; };
  if (std::count_if(out_.begin(), out_.end(), flips) > 2) return;
  std::erase_if(out_, [&](const conflict& each) { return flips(each) && is_cancelled(each); });
}

}  // namespace

void find_contradictions(const text_pair& texts, language spoken, std::vector<conflict>& out) {
  comparison(texts, out).run(spoken);
}

}  // namespace citestream::check_detail
