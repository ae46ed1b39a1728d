// How support is scored.
//
// Words that only name the source of the claim are left out (lead_in.hpp).
//
// 1. scan_reference() finds in each reference the window of 80 words with most of the claim's content words.
// 2. The best of these windows counts fully. The words that one further reference adds count half. A number
//    of the claim also counts if a more exact one in the window rounds to it and the claim says, or the form
//    of the number shows, that it is not exact.
// 3. Coverage is the counted words over all content words. Adjacent words break ties (pair_share).
// 4. calibrated() maps coverage to support, so that 0.5 is the best threshold for ordinary prose.
// 5. A number of the claim that is missing, while a different number has the same words around it, is a
//    contradiction. The rules of contradiction.hpp find others in the best sentence and its neighbours.
//    Nothing contradicts a claim that a reference quotes.
// 6. A contradiction lowers the result (contradiction_factor) and decides the verdict.
//
// What does not depend on the claim is read once for all claims that cite a reference (reference_words.hpp).
//
// Cost: linear in the bytes of claim and references. Only the numbers in the best window are compared with
// the numbers of the claim, so that step is bounded too.
#include <citestream/check/support.hpp>

#include <algorithm>
#include <vector>

#include "base/ascii.hpp"
#include "check/claim_words.hpp"
#include "check/contradiction.hpp"
#include "check/language_count.hpp"
#include "check/lead_in.hpp"
#include "check/number_agreement.hpp"
#include "check/reference_scan.hpp"
#include "check/soft_break.hpp"
#include "check/wrong_number.hpp"

namespace citestream {

using namespace check_detail;

namespace {

/// The coverage at which support is 0.5: the best threshold for tests/check/claims.jsonl.
constexpr double even_coverage = 0.6;
/// The weight of words that a further reference adds to the best one.
constexpr double added_share = 0.5;
/// The weight of adjacent words: less than one word in a claim of thirty, so they only break ties.
constexpr double pair_share = 0.03;
/// What remains of the support of a claim that is contradicted.
constexpr double contradiction_factor = 0.45;

/// How much of a claim is compared with its evidence word by word.
constexpr std::size_t max_claim_words = 64;

/// Returns the support for a coverage: 0 for 0, 0.5 for the even coverage, 1 for 1, increasing.
[[nodiscard]] double calibrated(double coverage) noexcept {
  constexpr double bend = (even_coverage - 0.5) / (even_coverage * (1 - even_coverage));
  static_assert(bend > 0 && bend < 1);
  return coverage * (bend * coverage + (1 - bend));
}

[[nodiscard]] bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Returns the end of \p words at \p at of \p text, npos if others are there. A run of blanks and line feeds
/// equals any other.
[[nodiscard]] std::size_t end_of_words(std::string_view text, std::size_t at,
                                       std::string_view words) noexcept {
  for (std::size_t i = 0; i < words.size();) {
    if (at == text.size() || (text[at] != words[i] && !(is_blank(text[at]) && is_blank(words[i]))))
      return std::string_view::npos;
    const bool blank = is_blank(words[i]);
    do ++i;
    while (blank && i < words.size() && is_blank(words[i]));
    do ++at;
    while (blank && at < text.size() && is_blank(text[at]));
  }
  return at;
}

/// Returns true if \p text contains \p claim word for word: after a blank or at the start, and before
/// punctuation or the end.
[[nodiscard]] bool quotes(std::string_view text, std::string_view claim) noexcept {
  constexpr std::string_view marks = ".,;:!?\n";
  while (!claim.empty() && is_blank(claim.front())) claim.remove_prefix(1);
  while (!claim.empty() && (is_blank(claim.back()) || marks.find(claim.back()) != std::string_view::npos))
    claim.remove_suffix(1);
  if (claim.empty()) return false;
  for (std::size_t at = text.find(claim[0]); at != std::string_view::npos; at = text.find(claim[0], at + 1)) {
    if (at > 0 && !is_blank(text[at - 1])) continue;
    const std::size_t end = end_of_words(text, at, claim);
    if (end == std::string_view::npos) continue;
    const std::string_view after = text.substr(end, 2);
    if (after.empty()) return true;
    if (marks.find(after[0]) != std::string_view::npos && (after.size() < 2 || !ascii::is_digit(after[1])))
      return true;
  }
  return false;
}

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

/// Returns true if \p change is the difference of two numbers in a row: `rose from 2 million to 5 million`.
[[nodiscard]] bool is_difference(const number& change, std::span<const reference_number> numbers) noexcept {
  const auto differ = [&](const reference_number& a, const reference_number& b) {
    return a.value.agrees(b.value) && differ_by(a.value, b.value, change);
  };
  return std::ranges::adjacent_find(numbers, differ) != numbers.end();
}

/// Returns the index of the word at byte \p begin, the number of words if no word begins there.
[[nodiscard]] std::size_t word_at(const text_words& text, std::size_t begin) noexcept {
  const auto found = std::ranges::find(text.words, begin, &text_word::begin);
  return static_cast<std::size_t>(found - text.words.begin());
}

}  // namespace

struct support_scorer::impl {
  /// Where a word of the claim was found.
  struct word_mark {
    bool anywhere{};  ///< in some reference
    bool in_best{};   ///< in the best window
    bool in_other{};  ///< in the window that added_words() examines now
  };
  /// The best window of a reference, and its range in the hits of `seen`.
  struct reference_range {
    window best;
    std::size_t hits_begin{};
    std::size_t hits_end{};
  };

  /// The content words of a claim, each in one list, as in the claim.
  struct listed_words {
    std::vector<std::string_view> matched;          ///< in the best window
    std::vector<std::string_view> missing_numbers;  ///< in no reference
    std::vector<std::string_view> missing_names;    ///< the same
    std::vector<std::string_view> missing_words;    ///< not in the best window

    void clear() {
      for (auto* const list : {&matched, &missing_numbers, &missing_names, &missing_words}) list->clear();
    }
  };
  /// What read_words() reads and compare_words() finds.
  struct compared_words {
    std::vector<std::size_t> sentences;  ///< for evidence_of()
    text_words claim;
    evidence_words* evidence_text{};
    text_pair texts;  ///< of both
    std::vector<conflict> found;
  };

  kept_references kept;
  std::string joined;  ///< the claim with its lines joined
  claim_words claim{kept.hash()};
  reference_words* best_reference_words{};  ///< of the reference with the best window
  scan seen;
  std::vector<reference_range> ranges;
  std::vector<word_mark> marks;  ///< for each word of the claim
  listed_words listed;
  std::vector<number_conflict> conflicts;
  std::vector<contradiction> contradictions;
  compared_words compared;
  verdict_thresholds thresholds;
  support result;

  void clear() {
    seen.hits.clear();
    ranges.clear();
    listed.clear();
    conflicts.clear();
    contradictions.clear();
    result = {};
  }

  /// Reads a claim. Returns the size of its lead-in if enough follows it.
  [[nodiscard]] std::size_t read(std::string_view text, std::span<const std::string_view> references) {
    const lead_in before = find_lead_in(text);
    if (before.size > 0) {
      claim.read(text.substr(before.size), find_language(text.substr(before.size), references));
      if (claim.all().size() >= before.least_words) return before.size;
    }
    claim.read(text, find_language(text, references));
    return 0;
  }

  [[nodiscard]] language find_language(std::string_view text, std::span<const std::string_view> references) {
    const language_count of_claim(text);
    language_count all = of_claim;
    if (!of_claim.decides()) {
      for (const std::string_view each : references) all.add(kept.find(each).languages());
    }
    return language_of(of_claim, all);
  }

  [[nodiscard]] reference_words& words_of(std::string_view reference) {
    reference_words& out = kept.find(reference);
    out.read(claim.in_language(), kept.hash());
    return out;
  }

  void scan_all(std::span<const std::string_view> references) {
    for (const std::string_view reference : references) {
      reference_range range;
      range.hits_begin = seen.hits.size();
      range.best = scan_reference(claim, words_of(reference), seen);
      range.hits_end = seen.hits.size();
      ranges.push_back(range);
    }
    for (const hit& each : seen.hits) marks[each.word].anywhere = true;
  }

  /// Returns the index of the reference with the best window, or ranges.size() if no word was found.
  [[nodiscard]] std::size_t best_reference(std::span<const std::string_view> references) const {
    std::size_t best = ranges.size();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (ranges[i].best.words == 0) continue;
      if (best == ranges.size() || is_better(i, best, references)) best = i;
    }
    return best;
  }

  /// Compares two windows. Equal ones are ordered by their text, so the order of the references has no
  /// effect.
  [[nodiscard]] bool is_better(std::size_t a, std::size_t b,
                               std::span<const std::string_view> references) const {
    const window& x = ranges[a].best;
    const window& y = ranges[b].best;
    if (x.words != y.words) return x.words > y.words;
    if (x.pairs != y.pairs) return x.pairs > y.pairs;
    const auto length = [&](const window& w) {
      return seen.hits[w.last - 1].place - seen.hits[w.first].place;
    };
    if (length(x) != length(y)) return length(x) < length(y);
    return references[a] < references[b];
  }

  /// Returns the largest number of words that the best window of any other reference adds.
  [[nodiscard]] std::size_t added_words(std::size_t best) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (i == best || ranges[i].best.words == 0) continue;
      const window& other = ranges[i].best;
      std::size_t added = 0;
      for (std::size_t h = other.first; h < other.last; ++h) {
        word_mark& mark = marks[seen.hits[h].word];
        if (!mark.in_best && !mark.in_other) ++added;
        mark.in_other = true;  // the word counts once
      }
      for (std::size_t h = other.first; h < other.last; ++h) marks[seen.hits[h].word].in_other = false;
      most = std::max(most, added);
    }
    return most;
  }

  /// Marks and counts the numbers of the claim that a more exact number around the best window rounds to, and
  /// the decades for which it has a year.
  [[nodiscard]] std::size_t mark_rounded(std::span<const reference_number> around,
                                         std::string_view reference) {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < claim.all().size(); ++i) {
      const content_word& wanted = claim.all()[i];
      if (!wanted.number || marks[i].anywhere) continue;
      const bool there = std::ranges::any_of(around, [&](const reference_number& each) {
        if (in_decade(each.value, wanted.value)) return true;
        return each.value.kind != number_kind::year && wanted.value.kind != number_kind::year &&
               each.value.agrees(wanted.value) && rounds_to(each.value, wanted.value, wanted.rounds) &&
               same_sign(claim, wanted.value, reference, each.value, each.begin);
      });
      if (!there) continue;
      marks[i].anywhere = marks[i].in_best = true;
      ++count;
    }
    return count;
  }

  /// Reads the words of the claim and of its evidence.
  void read_words(std::size_t best, std::string_view claim_text) {
    const reference_range& range = ranges[best];
    compared.sentences.resize(claim.all().size());
    const std::span<const hit> hits(seen.hits.data() + range.hits_begin, range.hits_end - range.hits_begin);
    const byte_range place =
        evidence_of(*best_reference_words, hits, seen.hits[range.best.first].begin, compared.sentences);
    compared.evidence_text = &best_reference_words->part(place);
    read_text_words(claim_text, claim.in_language(), kept.hash(), max_claim_words, compared.claim);
    match(claim, compared.claim.words);
    match(claim, compared.evidence_text->words);
    compared.texts.assign(compared.claim, *compared.evidence_text);
    for (std::uint32_t i = 0; i < marks.size(); ++i) {
      if (!marks[i].anywhere) compared.texts.nowhere |= mask_of(i);
    }
  }

  /// Returns true if a reference has the claim, of at most 512 bytes, word for word. It is then where most of
  /// the claim's words are.
  [[nodiscard]] bool is_quoted(std::string_view claim_text,
                               std::span<const std::string_view> references) const noexcept {
    constexpr std::size_t longest = 512;
    if (claim_text.size() > longest) return false;
    const std::size_t around = 2 * claim_text.size() + 1;  // bytes: the text may have longer blanks
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const window& best = ranges[i].best;
      if (best.words == 0) continue;
      const std::size_t first = seen.hits[best.first].begin;
      const std::size_t begin = first > around ? first - around : 0;
      if (quotes(references[i].substr(begin, seen.hits[best.last - 1].end + around - begin), claim_text))
        return true;
    }
    return false;
  }

  /// Adds the numbers of the claim that no reference has and that the best one contradicts.
  void find_conflicts(std::size_t best, const wrong_number_finder& numbers, std::string_view claim_text,
                      std::string_view reference) {
    for (std::uint32_t i = 0; i < claim.all().size(); ++i) {
      const content_word& each = claim.all()[i];
      if (!each.number || marks[i].anywhere || (each.change && is_difference(each.value, numbers.numbers())))
        continue;
      if (is_paired(claim_text, each.begin, each.end)) continue;
      if (const reference_number* other = conflict_of(i, numbers)) {
        conflicts.push_back({claim_text.substr(each.begin, each.end - each.begin),
                             reference.substr(other->begin, other->end - other->begin)});
        add_contradiction(contradiction_rule::number, {each.begin, each.end},
                          {best, other->begin, other->end});
      }
    }
  }

  /// Returns the number of the reference that contradicts the number \p word of the claim, null if none does.
  [[nodiscard]] const reference_number* conflict_of(std::uint32_t word,
                                                    const wrong_number_finder& numbers) const {
    const std::size_t i = word_at(compared.claim, claim.all()[word].begin);
    const bool is_read = i < compared.claim.words.size();  // the first max_claim_words are
    const auto comparable = [&](const reference_number& other) {
      const byte_range& place = compared.evidence_text->place;
      if (other.begin < place.begin) return false;
      const std::size_t j = word_at(*compared.evidence_text, other.begin - place.begin);
      return j < compared.evidence_text->words.size() && !(is_read && may_differ(compared.texts, i, j));
    };
    const reference_number* const found = numbers.find(word, comparable);
    return found != nullptr && is_read && is_derived(compared.texts, i) ? nullptr : found;
  }

  /// Adds what the rules find in the evidence.
  void compare_words(std::size_t best) {
    compared.found.clear();
    find_contradictions(compared.texts, claim.in_language(), compared.found);
    const std::size_t begin = compared.evidence_text->place.begin;
    for (const conflict& each : compared.found) {
      const text_word& mine = compared.claim.words[each.claim];
      const text_word& other = compared.evidence_text->words[each.evidence];
      add_contradiction(each.rule, {mine.begin, mine.end}, {best, begin + other.begin, begin + other.end});
    }
  }

  /// Adds a contradiction unless there is one for the same word of the claim.
  void add_contradiction(contradiction_rule rule, const byte_range& in_claim, const support_evidence& found) {
    const bool known = std::ranges::any_of(
        contradictions, [&](const contradiction& each) { return each.claim_begin == in_claim.begin; });
    if (!known) contradictions.push_back({name(rule), in_claim.begin, in_claim.end, found});
  }

  /// Puts each content word of the claim into one list.
  void list_words(std::string_view claim_text) {
    std::size_t name_end = 0;
    const auto absent = std::ranges::count_if(marks, [](const word_mark& mark) { return !mark.anywhere; });
    // If only the first word is missing, it is probably the subject: `Globex grew 12%` for `Acme grew 12%`.
    const bool alone = absent == 1 && marks.size() > 1;
    for (std::uint32_t i = 0; i < claim.all().size(); ++i) {
      const content_word& each = claim.all()[i];
      const std::string_view text = claim_text.substr(each.begin, each.end - each.begin);
      const bool nowhere = !marks[i].anywhere;
      const bool name = each.name || (alone && nowhere && each.first && !is_no_name(text));
      if (nowhere && each.number) {
        listed.missing_numbers.push_back(text);
      } else if (nowhere && name && name_end != 0 && each.begin == name_end + 1) {
        std::string_view& whole = listed.missing_names.back();  // adjacent words are one name: `Tim Cook`
        whole = claim_text.substr(static_cast<std::size_t>(whole.data() - claim_text.data()),
                                  whole.size() + 1 + text.size());
      } else if (nowhere && name) {
        listed.missing_names.push_back(text);
      } else if (marks[i].in_best) {
        listed.matched.push_back(text);
      } else {
        listed.missing_words.push_back(text);
      }
      name_end = nowhere && name ? each.end : 0;
    }
  }

  /// Compares the claim with the references. Sets evidence, coverage and support.
  void evaluate(std::string_view claim_text, std::span<const std::string_view> references) {
    const std::size_t total = claim.all().size();
    result.content_words = total;
    if (total == 0) return;
    const std::size_t best = best_reference(references);
    if (best == ranges.size()) return list_words(claim_text);
    best_reference_words = &words_of(references[best]);
    const reference_range& range = ranges[best];
    for (std::size_t h = range.best.first; h < range.best.last; ++h) marks[seen.hits[h].word].in_best = true;
    const std::size_t added = added_words(best);
    const std::span<const hit> hits(seen.hits);
    const wrong_number_finder numbers(
        claim, hits.subspan(range.hits_begin, range.hits_end - range.hits_begin),
        hits.subspan(range.best.first, range.best.last - range.best.first), best_reference_words->numbers());
    const std::size_t rounded = mark_rounded(numbers.numbers(), references[best]);
    if (!is_quoted(claim_text, references)) {
      read_words(best, std::string_view(joined).substr(joined.size() - claim_text.size()));
      find_conflicts(best, numbers, claim_text, references[best]);
      compare_words(best);
    }
    list_words(claim_text);
    result.evidence = {best, seen.hits[range.best.first].begin, seen.hits[range.best.last - 1].end};
    const double found =
        static_cast<double>(range.best.words + rounded) + added_share * static_cast<double>(added);
    const double coverage = found / static_cast<double>(total);
    result.coverage = std::min(1.0, coverage);
    const double neighbours =
        claim.pairs() == 0 ? 1.0 : static_cast<double>(range.best.pairs) / static_cast<double>(claim.pairs());
    result.value = calibrated(result.coverage * (1 - pair_share + pair_share * neighbours));
  }

  /// Sets the verdict, and lowers the support of a claim that is contradicted.
  void judge() {
    if (result.content_words == 0) return;
    if (!contradictions.empty()) {
      result.value *= contradiction_factor;
      result.verdict = claim_verdict::contradicted;
    } else if (result.value >= thresholds.supported) {
      result.verdict = claim_verdict::supported;
    } else if (result.value < thresholds.not_found) {
      result.verdict = claim_verdict::not_found;
    }
  }
};

support_scorer::support_scorer(const verdict_thresholds& thresholds) : impl_(std::make_unique<impl>()) {
  impl_->thresholds = thresholds;
}
support_scorer::~support_scorer() = default;
support_scorer::support_scorer(support_scorer&&) noexcept = default;
support_scorer& support_scorer::operator=(support_scorer&&) noexcept = default;

const support& support_scorer::score(std::string_view claim, std::span<const std::string_view> references) {
  impl& state = *impl_;
  state.clear();
  join_lines(claim, state.joined);
  const std::string_view attributed_to = claim.substr(0, state.read(state.joined, references));
  claim.remove_prefix(attributed_to.size());
  state.marks.assign(state.claim.all().size(), {});
  state.scan_all(references);
  state.evaluate(claim, references);
  state.judge();
  for (contradiction& each : state.contradictions) {
    each.claim_begin += attributed_to.size();
    each.claim_end += attributed_to.size();
  }
  state.result.attributed_to = attributed_to;
  state.result.matched_words = state.listed.matched;
  state.result.missing_numbers = state.listed.missing_numbers;
  state.result.missing_names = state.listed.missing_names;
  state.result.missing_words = state.listed.missing_words;
  state.result.contradicted_numbers = state.conflicts;
  state.result.contradictions = state.contradictions;
  return state.result;
}

}  // namespace citestream
