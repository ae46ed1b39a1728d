// How an answer is checked.
//
// 1. claims_of() finds the claims (answer_claims.cpp).
// 2. compare() compares a cited claim with the references that it cites, and an uncited sentence with all
//    references.
// 3. grade_of() turns the support into yes, no or unknown, with a reason. The first rule that fits decides. A
//    judge decides claims that are unsure.
// 4. grounded_by() combines the claims. In an answer with citations, an uncited sentence may be the author's
//    own words, so it counts less: see effect_of().
#include <citestream/check/answer_check.hpp>

#include <algorithm>
#include <utility>

#include "check/answer_claims.hpp"
#include "check/remark.hpp"

namespace citestream {
namespace {

using check_detail::slice;

/// Returns the first name or word of a claim that no reference has.
[[nodiscard]] std::string first_missing(const support& found) {
  if (!found.missing_names.empty()) return std::string(found.missing_names.front());
  return found.missing_words.empty() ? "its words" : std::string(found.missing_words.front());
}

/// Describes a contradiction.
[[nodiscard]] std::string contradiction_reason(const contradiction& first, std::string_view claim,
                                               std::span<const std::string_view> texts) {
  const std::string claimed(claim.substr(first.claim_begin, first.claim_end - first.claim_begin));
  const support_evidence& place = first.found;
  if (first.rule == "negation") return "only one of the claim and the text negates " + claimed;
  if (first.rule == "comparison" || first.rule == "roles")
    return "the text has it the other way around: " + claimed;
  return "says " + claimed + " where the text has " +
         std::string(texts[place.reference].substr(place.begin, place.end - place.begin));
}

/// Whether a claim is grounded, and why, for people.
struct grade {
  grounding grounded{grounding::unknown};
  std::string reason;
};

/// \param texts  those that \p claim was compared with, of which \p cited are those that it cites
[[nodiscard]] grade grade_of(const support& found, std::string_view claim,
                             std::span<const std::string_view> texts, bool cited) {
  if (texts.empty())
    return {grounding::unknown,
            cited ? "not compared: no cited reference has a text" : "not compared: no reference has a text"};
  if (found.content_words == 0) return {grounding::unknown, "not compared: it has no content words"};
  if (!found.contradictions.empty())
    return {grounding::no, contradiction_reason(found.contradictions.front(), claim, texts)};
  if (!found.missing_numbers.empty())
    return {grounding::no, std::string(found.missing_numbers.front()) + " is not in the text"};
  if (found.value < 0.5) {
    return {grounding::no,
            "too few of its words are in the text; one that is missing: " + first_missing(found)};
  }
  if (!found.missing_names.empty()) {
    return {grounding::unknown,
            std::string(found.missing_names.front()) + ", which may be a name, is not in the text"};
  }
  if (!found.missing_words.empty()) {
    return {grounding::yes,
            "most of its words are in the text, but not " + std::string(found.missing_words.front())};
  }
  return {grounding::yes, "its words are in the text"};
}

/// Returns the judge's verdict on a claim that is unsure; nothing if it has none.
[[nodiscard]] std::optional<claim_verdict> judged(const claim_judge& judge, std::string_view claim,
                                                  std::span<const std::string_view> texts,
                                                  const support& found) {
  if (!judge || found.verdict != claim_verdict::unsure || texts.empty()) return std::nullopt;
  const std::optional<claim_verdict> verdict = judge(claim, texts, found.value);
  return verdict == claim_verdict::unsure ? std::nullopt : verdict;
}

/// References with a text, and their texts.
struct compared_texts {
  std::vector<std::uint32_t> references;  ///< indexes in citations::references()
  std::vector<std::string_view> texts;    ///< of these
  std::size_t bytes{};                    ///< of `texts`
};

[[nodiscard]] compared_texts texts_of(std::vector<std::uint32_t> references, const citations& cites) {
  compared_texts out;
  for (const std::uint32_t index : references) {
    out.texts.emplace_back(cites.references()[index].text);
    out.bytes += out.texts.back().size();
  }
  out.references = std::move(references);
  return out;
}

[[nodiscard]] std::vector<std::uint32_t> references_with_text(const citations& cites) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < cites.references().size(); ++i) {
    if (!cites.references()[i].text.empty()) out.push_back(i);
  }
  return out;
}

/// Compares a claim with texts. A claim without citations gets the reference with the evidence.
void compare(claim_report& claim, std::string_view text, const compared_texts& with, support_scorer& scorer,
             const claim_judge& judge) {
  const std::string_view claimed = slice(text, claim.place);
  const std::span<const std::string_view> texts = with.texts;
  const support& found = scorer.score(claimed, texts);
  claim_finding made = finding_of(found);
  made.references = std::move(claim.finding.references);
  if (made.attributed_to.empty()) made.attributed_to = std::move(claim.finding.attributed_to);
  if (made.evidence) made.evidence->reference = with.references[made.evidence->reference];
  for (contradiction& each : made.contradictions)
    each.found.reference = with.references[each.found.reference];
  if (claim.citations.empty() && made.evidence)
    made.references = {static_cast<std::uint32_t>(made.evidence->reference)};
  for (const number_conflict& each : found.contradicted_numbers) {
    claim.contradicted_numbers.emplace_back(each.claimed, each.found);
  }
  claim.compared = texts.empty() ? claim_comparison::none : claim_comparison::words;
  grade graded = grade_of(found, claimed, texts, !claim.citations.empty());
  if (const auto verdict = judged(judge, claimed, texts, found)) {
    claim.compared = claim_comparison::judge;
    made.verdict = *verdict;
    graded = {*verdict == claim_verdict::supported ? grounding::yes : grounding::no,
              "the judge's verdict is " + std::string(name(*verdict))};
  }
  claim.finding = std::move(made);
  claim.grounded = graded.grounded;
  claim.reason = std::move(graded.reason);
}

/// Lists what a reference lacks. A reader can find its source by the URL or, except for a web page, by an id,
/// a key or a title.
[[nodiscard]] reference_report report_on(std::uint32_t index, const reference& ref) {
  reference_report out{index, {}};
  const bool web = ref.type == source_type::web;
  const bool has_name = !ref.id.empty() || !ref.cite.empty() || !ref.title.empty();
  if (ref.url.empty() && (web || !has_name)) out.missing.emplace_back("source");
  if (ref.title.empty()) out.missing.emplace_back("title");
  if (ref.text.empty()) out.missing.emplace_back("text");
  return out;
}

[[nodiscard]] bool is_compared(const claim_report& claim) noexcept {
  return claim.compared == claim_comparison::words || claim.compared == claim_comparison::judge;
}

/// Returns the effect of a claim on the whole answer. An uncited sentence may be the author's own words: it
/// counts as `no` only if one of its numbers is missing or it is contradicted, as unknown if it is not
/// grounded for another reason, if a name is missing or if there is nothing to compare with, and otherwise as
/// yes.
[[nodiscard]] grounding effect_of(const claim_report& claim) noexcept {
  if (!claim.citations.empty()) return claim.grounded;
  if (claim.grounded == grounding::yes) return grounding::yes;
  if (!is_compared(claim)) return grounding::unknown;
  const bool contradicted = !claim.finding.missing_numbers.empty() || !claim.finding.contradictions.empty();
  if (claim.grounded == grounding::no) return contradicted ? grounding::no : grounding::unknown;
  return claim.finding.missing_names.empty() ? grounding::yes : grounding::unknown;
}

[[nodiscard]] grounding grounded_by(std::span<const claim_report> claims) {
  const auto any = [&](grounding how) {
    return std::ranges::any_of(claims, [how](const claim_report& one) { return effect_of(one) == how; });
  };
  if (any(grounding::no)) return grounding::no;
  return claims.empty() || any(grounding::unknown) ? grounding::unknown : grounding::yes;
}

/// Returns true if a claim is contradicted or, in an answer that cites nothing, not found.
[[nodiscard]] bool is_hallucination(const claim_report& claim, std::string_view text,
                                    const citations& cites) {
  if (!is_compared(claim)) return false;
  if (claim.finding.verdict == claim_verdict::contradicted) return true;
  if (cites.count() > 0 || claim.finding.verdict != claim_verdict::not_found) return false;
  return !claim.finding.missing_numbers.empty() || !check_detail::is_remark(slice(text, claim.place));
}

/// Returns the findings of a report, whose other members are set.
[[nodiscard]] std::vector<std::string> findings_of(const answer_report& report, std::string_view text,
                                                   const citations& cites) {
  std::vector<std::string> out;
  out.reserve(report.invented.size());
  for (const std::uint32_t index : report.invented)
    out.push_back("cites a reference that does not exist: " + cites.all()[index].identifier);
  for (const citation& cite : cites.all()) {
    if (cite.status == citation_status::pending)
      out.push_back("the answer ends before its references: " + cite.identifier);
  }
  if (report.not_compared > 0) {
    out.push_back("not compared, because the answer and its texts are too large: " +
                  std::to_string(report.not_compared) + " claims");
  }
  for (std::size_t i = 0; i < report.claims.size(); ++i) {
    const claim_report& claim = report.claims[i];
    const bool name_missing =
        claim.grounded == grounding::unknown && !claim.finding.missing_names.empty() && is_compared(claim);
    if (effect_of(claim) == grounding::no || (!claim.citations.empty() && name_missing) ||
        is_hallucination(claim, text, cites)) {
      out.push_back("claims[" + std::to_string(i) + "]: " + claim.reason);
    }
  }
  return out;
}

/// Compares claims with the references that they cite, or with all, up to \p most bytes.
void compare_claims(std::span<claim_report> claims, std::string_view text, const citations& cites,
                    support_scorer& scorer, const claim_judge& judge, std::size_t most) {
  const compared_texts all = texts_of(references_with_text(cites), cites);
  bool exhausted = false;
  for (claim_report& claim : claims) {
    const compared_texts cited = texts_of(claim.finding.references, cites);
    const compared_texts& with = claim.citations.empty() ? all : cited;
    const std::size_t bytes = claim.place.end.utf8 - claim.place.start.utf8 + with.bytes;
    exhausted = exhausted || bytes > most;
    if (exhausted) {
      claim.compared = claim_comparison::skipped;
      claim.reason = "not compared: the answer and its texts are too large";
    } else {
      most -= bytes;
      compare(claim, text, with, scorer, judge);
    }
  }
}

}  // namespace

answer_report check_answer(std::string_view text, const citations& cites,
                           const verdict_thresholds& thresholds, const claim_judge& judge,
                           std::size_t max_compared_bytes) {
  answer_report report;
  const std::vector<check_detail::text_line> lines = check_detail::lines_of(text, cites);
  std::vector<claim_report> claims = check_detail::claims_of(text, lines, cites);
  support_scorer scorer(thresholds);
  compare_claims(claims, text, cites, scorer, judge, max_compared_bytes);
  report.claims = check_detail::without_entries(std::move(claims), text, lines, cites);
  report.not_compared = static_cast<std::size_t>(
      std::ranges::count(report.claims, claim_comparison::skipped, &claim_report::compared));
  for (std::uint32_t i = 0; i < cites.all().size(); ++i) {
    if (cites.all()[i].status == citation_status::unresolved) report.invented.push_back(i);
  }
  for (std::uint32_t i = 0; i < cites.references().size(); ++i) {
    reference_report found = report_on(i, cites.references()[i]);
    if (!found.missing.empty()) report.incomplete.push_back(std::move(found));
  }
  report.grounded = grounded_by(report.claims);
  report.hallucination_detected =
      !report.invented.empty() || std::ranges::any_of(report.claims, [&](const claim_report& claim) {
        return is_hallucination(claim, text, cites);
      });
  report.findings = findings_of(report, text, cites);
  return report;
}

}  // namespace citestream
