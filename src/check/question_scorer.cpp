// How bare answers are scored: see question_scorer.hpp.
#include "check/question_scorer.hpp"

#include <algorithm>
#include <cstdint>
#include <ranges>

#include "base/ascii.hpp"
#include "check/reference_words.hpp"
#include "rewrite/finding_json.hpp"

namespace citestream {

namespace {

/// A claim with fewer content words may be a bare answer (`30 days.`): its question is read before it.
constexpr std::size_t least_words = 4;

/// What an answer without other words says about its question.
enum class bare_answer : std::uint8_t { none, yes, no };

[[nodiscard]] bare_answer bare_answer_of(std::string_view claim) {
  std::string word;
  for (const char c : claim) {
    if (c != ' ' && c != '.' && c != '!' && c != '\n') word += ascii::lower(c);
  }
  if (word == "no" || word == "nein" || word == "non") return bare_answer::no;
  const bool yes = word == "yes" || word == "ja" || word == "oui" || word == "si" || word == "s\xC3\xAD";
  return yes ? bare_answer::yes : bare_answer::none;
}

/// Returns true if a word of \p claim is a negator: `No, they did not.`, `Nein, ist er nicht.`
[[nodiscard]] bool denies(std::string_view claim) {
  using namespace check_detail;
  const word_hash hash;
  text_words words;
  return std::ranges::any_of(known_languages, [&](language in) {
    read_text_words(claim, in, hash, max_excerpt_words, words);
    return words.negates;
  });
}

/// Returns \p question without the negation in front of it, which changes no answer: `Aren't returns free?`,
/// `¿No son gratis?`.
[[nodiscard]] std::string_view without_negation(std::string_view question) {
  constexpr std::string_view spanish = "\xC2\xBFNo ";
  if (question.starts_with(spanish)) return question.substr(spanish.size());
  const std::string_view first = question.substr(0, question.find(' '));
  const bool negated = first.ends_with("n't") || first.ends_with("n\xE2\x80\x99t");
  return negated && first.size() < question.size() ? question.substr(first.size() + 1) : question;
}

/// Removes the words from \p question that \p claim repeats with a negation: with
/// `No, they are not free.`, `free` is compared only as part of the claim.
void leave_out_denied(std::string& question, std::string_view claim) {
  using namespace check_detail;
  const word_hash hash;
  text_words of_question;
  text_words denials;
  for (const language in : known_languages) {
    read_text_words(question, in, hash, max_excerpt_words, of_question);
    read_text_words(claim, in, hash, max_excerpt_words, denials);
    for (const text_word& word : of_question.words | std::views::reverse) {
      const auto denied = [&](const text_word& each) { return each.negated && each.hash == word.hash; };
      if (word.hash != 0 && !word.negated && std::ranges::any_of(denials.words, denied))
        question.erase(word.begin, word.end - word.begin);
    }
  }
}

/// Returns \p claim without the `Yes, ` at its start, which the question makes superfluous.
[[nodiscard]] std::string_view without_yes(std::string_view claim) {
  const std::size_t comma = claim.find(", ");
  const bool yes =
      comma != std::string_view::npos && bare_answer_of(claim.substr(0, comma)) == bare_answer::yes;
  return yes ? claim.substr(comma + 2) : claim;
}

}  // namespace

question_scorer::question_scorer(const verdict_thresholds& thresholds)
    : thresholds_(thresholds), scorer_(thresholds) {}

answer_support question_scorer::score(std::string_view claim, std::string_view question,
                                      std::span<const std::string_view> references) {
  const support& alone = scorer_.score(claim, references);
  if (question.empty() || alone.content_words >= least_words) return {alone, claim};
  const bool no = alone.content_words == 0 && denies(claim);
  const bare_answer answer = no ? bare_answer::no : bare_answer_of(claim);
  with_question_.assign(without_negation(question));
  if (answer == bare_answer::none) {
    leave_out_denied(with_question_, claim);
    with_question_.append(" ").append(without_yes(claim));
  }
  const support& together = scorer_.score(with_question_, references);
  return {answer == bare_answer::no ? denied(together) : together, with_question_, true};
}

/// Returns the support for the answer "no" to a question. It is supported if the references contradict the
/// question, and contradicted if they support it.
support question_scorer::denied(support affirmed) {
  if (affirmed.verdict == claim_verdict::contradicted) {
    // The words that are contradicted are what the answer denies.
    const auto denied = static_cast<double>(affirmed.contradictions.size());
    affirmed.value = std::min(1.0, affirmed.coverage + denied / static_cast<double>(affirmed.content_words));
    affirmed.contradictions = {};
    affirmed.contradicted_numbers = {};
    affirmed.verdict =
        affirmed.value >= thresholds_.supported ? claim_verdict::supported : claim_verdict::unsure;
  } else if (affirmed.verdict == claim_verdict::supported) {
    affirmed.value = 1 - affirmed.value;
    affirmed.verdict = claim_verdict::contradicted;
    denied_claim_ = {"negation", 0, with_question_.size(), *affirmed.evidence};
    affirmed.contradictions = std::span(&denied_claim_, 1);
  }
  return affirmed;
}

void append_answer_support(const answer_support& of, std::span<const std::string_view> references,
                           offset_unit unit, std::string& out) {
  number_pairs contradicted;
  for (const number_conflict& each : of.found.contradicted_numbers)
    contradicted.emplace_back(each.claimed, each.found);
  object_writer object(out);
  if (of.judged) object.boolean("judged", true);
  if (of.has_question) object.string("compared", of.compared);
  append_finding_members(finding_of(of.found), of.compared, &contradicted, references, unit, object);
  object.end();
}

}  // namespace citestream
