// How support is scored.
//
// Words that only name the source of the claim are left out (lead_in.hpp).
//
// 1. scan_reference() finds in each reference the window of 80 words with most of the claim's content words.
// 2. The best of these windows counts fully. The words that one further reference adds count half. A rounded
//    number of the claim also counts if a number in the window rounds to it: `about 500` for 498, `1.5
//    million` for 1,497,200.
// 3. Coverage is the counted words over all content words. Adjacent words break ties (pair_share).
// 4. calibrated() maps coverage to support, so that 0.5 is the best threshold for ordinary prose.
// 5. A number of the claim is contradicted if no reference has it and another number has the same words
//    around it (wrong_number.hpp). The rules of contradiction.hpp find other contradictions in the best
//    sentence and its neighbours. Nothing contradicts a claim that a reference quotes.
// 6. A contradiction lowers the result (contradiction_factor) and decides the verdict.
//
// What does not depend on the claim is read once for all claims that cite a reference (reference_words.hpp).
//
// Cost: linear in the bytes of claim and references. Only the numbers in the best window are compared with
// the numbers of the claim, so that step is bounded too.
#include <citestream/check/support.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "check/claim_words.hpp"
#include "check/contradiction.hpp"
#include "check/language_count.hpp"
#include "check/lead_in.hpp"
#include "check/quotation.hpp"
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

/// How much of a claim is compared with the excerpt word by word.
constexpr std::size_t max_claim_words = 64;

/// Returns the support for a coverage: 0 for 0, 0.5 for the even coverage, 1 for 1, increasing.
[[nodiscard]] double calibrated(double coverage) noexcept {
  constexpr double bend = (even_coverage - 0.5) / (even_coverage * (1 - even_coverage));
  static_assert(bend > 0 && bend < 1);
  return coverage * (bend * coverage + (1 - bend));
}

}  // namespace

struct support_scorer::impl {
  /// Where a word of the claim was found.
  struct word_mark {
    bool anywhere{};  ///< in some reference
    bool in_best{};   ///< in the best window
    bool in_other{};  ///< in the window that added_words() examines now
  };
  /// One of the references that were passed.
  struct scanned_reference : reference_hits {
    std::size_t index{};
    std::string_view text;
  };
  /// The lists of the result. Each content word of the claim is in one of the first four, as in the claim.
  struct result_lists {
    std::vector<std::string_view> matched;          ///< in the best window
    std::vector<std::string_view> missing_numbers;  ///< in no reference
    std::vector<std::string_view> missing_names;    ///< the same
    std::vector<std::string_view> missing_words;    ///< not in the best window
    std::vector<number_conflict> conflicts;
    std::vector<contradiction> contradictions;

    void clear() {
      for (auto* const list : {&matched, &missing_numbers, &missing_names, &missing_words}) list->clear();
      conflicts.clear();
      contradictions.clear();
    }
  };
  /// The words of a claim and of the excerpt, and what is needed to compare them.
  struct compared_words {
    std::vector<std::size_t> sentences;  ///< for excerpt_of()
    text_words claim;
    text_pair texts;
    std::vector<conflict> found;
  };

  kept_references kept;
  std::string joined;  ///< the claim with its lines joined
  claim_words claim{kept.hash()};
  scan seen;
  std::vector<scanned_reference> scanned;
  std::vector<word_mark> marks;  ///< for each word of the claim
  result_lists lists;
  compared_words compared;
  verdict_thresholds thresholds;
  support result;

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
    seen.hits.clear();
    scanned.clear();
    marks.assign(claim.all().size(), {});
    for (std::size_t i = 0; i < references.size(); ++i)
      scanned.push_back({scan_reference(claim, words_of(references[i]), seen), i, references[i]});
    for (const hit& each : seen.hits) marks[each.word].anywhere = true;
  }

  [[nodiscard]] std::span<const hit> hits_of(const scanned_reference& each) const noexcept {
    return std::span<const hit>(seen.hits).subspan(each.begin, each.end - each.begin);
  }
  /// Returns the hits in the best window of a reference.
  [[nodiscard]] std::span<const hit> in_window(const scanned_reference& of) const noexcept {
    return std::span<const hit>(seen.hits).subspan(of.best.first, of.best.last - of.best.first);
  }

  /// Returns the reference with the best window, or null if no word was found.
  [[nodiscard]] const scanned_reference* best_reference() const {
    const scanned_reference* best = nullptr;
    for (const scanned_reference& each : scanned) {
      if (each.best.words == 0) continue;
      if (best == nullptr || is_better(each, *best)) best = &each;
    }
    return best;
  }

  /// Compares two windows. Equal ones are ordered by their text, so the order of the references has no
  /// effect.
  [[nodiscard]] bool is_better(const scanned_reference& a, const scanned_reference& b) const {
    if (a.best.words != b.best.words) return a.best.words > b.best.words;
    if (a.best.pairs != b.best.pairs) return a.best.pairs > b.best.pairs;
    const auto length = [&](const scanned_reference& of) {
      return in_window(of).back().place - in_window(of).front().place;
    };
    if (length(a) != length(b)) return length(a) < length(b);
    return a.text < b.text;
  }

  /// Returns the largest number of words that the best window of any other reference adds.
  [[nodiscard]] std::size_t added_words(const scanned_reference& best) {
    std::size_t most = 0;
    for (const scanned_reference& other : scanned) {
      if (&other == &best || other.best.words == 0) continue;
      std::size_t added = 0;
      for (const hit& each : in_window(other)) {
        word_mark& mark = marks[each.word];
        if (!mark.in_best && !mark.in_other) ++added;
        mark.in_other = true;  // the word counts once
      }
      for (const hit& each : in_window(other)) marks[each.word].in_other = false;
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

  /// Returns true if a reference has the claim, of at most 512 bytes, word for word. A quotation contains all
  /// words of the claim, so only the best windows are searched.
  [[nodiscard]] bool is_quoted(std::string_view claim_text) const noexcept {
    constexpr std::size_t longest = 512;
    if (claim_text.size() > longest) return false;
    const std::size_t around = 2 * claim_text.size() + 1;  // bytes: the text may have longer blanks
    return std::ranges::any_of(scanned, [&](const scanned_reference& each) {
      if (each.best.words == 0) return false;
      const std::size_t first = in_window(each).front().begin;
      const std::size_t begin = first > around ? first - around : 0;
      return quotes(each.text.substr(begin, in_window(each).back().end + around - begin), claim_text);
    });
  }

  /// Reads the words of the claim and of the excerpt of \p words. Returns the place of the excerpt.
  [[nodiscard]] byte_range read_words(const scanned_reference& best, reference_words& words,
                                      std::string_view claim_text) {
    compared.sentences.resize(claim.all().size());
    const byte_range place =
        excerpt_of(words, hits_of(best), in_window(best).front().begin, compared.sentences);
    excerpt_words& excerpt = words.excerpt(place);
    read_text_words(claim_text, claim.in_language(), kept.hash(), max_claim_words, compared.claim);
    match(claim, compared.claim.words);
    match(claim, excerpt.words);
    compared.texts.assign(compared.claim, excerpt, claim.in_language());
    for (std::uint32_t i = 0; i < marks.size(); ++i) {
      if (!marks[i].anywhere) compared.texts.nowhere |= mask_of(i);
    }
    return place;
  }

  /// Lists what contradicts the claim in the excerpt: first the numbers of the claim that no reference has,
  /// then what the rules find.
  void list_contradictions(const scanned_reference& best, reference_words& words,
                           std::span<const reference_number> numbers, std::string_view claim_text) {
    const std::string_view joined_claim = std::string_view(joined).substr(joined.size() - claim_text.size());
    const byte_range excerpt = read_words(best, words, joined_claim);
    const number_search search{claim,   claim_text,     hits_of(best), in_window(best),
                               numbers, compared.texts, excerpt.begin};
    for (std::uint32_t i = 0; i < claim.all().size(); ++i) {
      const content_word& each = claim.all()[i];
      const reference_number* const other =
          each.number && !marks[i].anywhere ? find_wrong_number(search, i) : nullptr;
      if (other == nullptr) continue;
      lists.conflicts.push_back({claim_text.substr(each.begin, each.end - each.begin),
                                 best.text.substr(other->begin, other->end - other->begin)});
      add_contradiction(contradiction_rule::number, {each.begin, each.end},
                        {best.index, other->begin, other->end});
    }
    compared.found.clear();
    find_contradictions(compared.texts, compared.found);
    for (const conflict& each : compared.found) {
      const text_word& mine = compared.texts.claim[each.claim];
      const text_word& other = compared.texts.excerpt[each.excerpt];
      add_contradiction(each.rule, {mine.begin, mine.end},
                        {best.index, excerpt.begin + other.begin, excerpt.begin + other.end});
    }
  }

  /// Adds a contradiction unless there is one for the same word of the claim.
  void add_contradiction(contradiction_rule rule, const byte_range& in_claim, const support_evidence& found) {
    const bool known = std::ranges::any_of(
        lists.contradictions, [&](const contradiction& each) { return each.claim_begin == in_claim.begin; });
    if (!known) lists.contradictions.push_back({name(rule), in_claim.begin, in_claim.end, found});
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
        lists.missing_numbers.push_back(text);
      } else if (nowhere && name && name_end != 0 && each.begin == name_end + 1) {
        std::string_view& whole = lists.missing_names.back();  // adjacent words are one name: `Tim Cook`
        whole = claim_text.substr(static_cast<std::size_t>(whole.data() - claim_text.data()),
                                  whole.size() + 1 + text.size());
      } else if (nowhere && name) {
        lists.missing_names.push_back(text);
      } else if (marks[i].in_best) {
        lists.matched.push_back(text);
      } else {
        lists.missing_words.push_back(text);
      }
      name_end = nowhere && name ? each.end : 0;
    }
  }

  /// Compares the claim, of which \p claim_text is the text, with the references that were scanned.
  [[nodiscard]] support evaluate(std::string_view claim_text) {
    support out;
    const std::size_t total = claim.all().size();
    out.content_words = total;
    if (total == 0) return out;
    if (const scanned_reference* const best = best_reference()) {
      const std::span<const hit> window = in_window(*best);
      for (const hit& each : window) marks[each.word].in_best = true;
      const std::size_t added = added_words(*best);
      reference_words& words = words_of(best->text);
      const std::span<const reference_number> numbers = numbers_around(window, words.numbers());
      const std::size_t rounded = mark_rounded(numbers, best->text);
      if (!is_quoted(claim_text)) list_contradictions(*best, words, numbers, claim_text);
      out.evidence = {best->index, window.front().begin, window.back().end};
      const double found =
          static_cast<double>(best->best.words + rounded) + added_share * static_cast<double>(added);
      out.coverage = std::min(1.0, found / static_cast<double>(total));
      const double neighbours =
          claim.pairs() == 0 ? 1.0
                             : static_cast<double>(best->best.pairs) / static_cast<double>(claim.pairs());
      out.value = calibrated(out.coverage * (1 - pair_share + pair_share * neighbours));
    }
    list_words(claim_text);
    if (!lists.contradictions.empty()) {
      out.value *= contradiction_factor;
      out.verdict = claim_verdict::contradicted;
    } else if (out.value >= thresholds.supported) {
      out.verdict = claim_verdict::supported;
    } else if (out.value < thresholds.not_found) {
      out.verdict = claim_verdict::not_found;
    }
    return out;
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
  state.lists.clear();
  join_lines(claim, state.joined);
  const std::string_view attributed_to = claim.substr(0, state.read(state.joined, references));
  claim.remove_prefix(attributed_to.size());
  state.scan_all(references);
  support& out = state.result;
  out = state.evaluate(claim);
  for (contradiction& each : state.lists.contradictions) {
    each.claim_begin += attributed_to.size();
    each.claim_end += attributed_to.size();
  }
  out.attributed_to = attributed_to;
  out.matched_words = state.lists.matched;
  out.missing_numbers = state.lists.missing_numbers;
  out.missing_names = state.lists.missing_names;
  out.missing_words = state.lists.missing_words;
  out.contradicted_numbers = state.lists.conflicts;
  out.contradictions = state.lists.contradictions;
  return out;
}

claim_finding finding_of(const support& found) {
  const auto owned = [](std::span<const std::string_view> views) {
    return std::vector<std::string>(views.begin(), views.end());
  };
  claim_finding out;
  out.verdict = found.verdict;
  out.support = found.value;
  out.attributed_to = found.attributed_to;
  out.evidence = found.evidence;
  out.matched_words = owned(found.matched_words);
  out.missing_numbers = owned(found.missing_numbers);
  out.missing_names = owned(found.missing_names);
  out.missing_words = owned(found.missing_words);
  out.contradictions.assign(found.contradictions.begin(), found.contradictions.end());
  return out;
}

namespace {

/// Scores the claims of a session.
class word_checker final : public claim_checker {
 public:
  explicit word_checker(const verdict_thresholds& thresholds) : scorer_(thresholds) {}

  claim_finding check(std::string_view claim, std::span<const std::string_view> references) override {
    return finding_of(scorer_.score(claim, references));
  }

 private:
  support_scorer scorer_;
};

}  // namespace

extern constinit const claim_check word_check{
    .name = "words", .make = [](const verdict_thresholds& thresholds) -> std::unique_ptr<claim_checker> {
      return std::make_unique<word_checker>(thresholds);
    }};

}  // namespace citestream
