// How an answer is checked.
//
// 1. cited_claims() lists the text that each citation of a marker or of the provider supports. add_uncited()
//    adds every sentence of prose that overlaps none of these claims, and what such a sentence says after
//    them. Entries of lists of references are not claims. complete_introductions() gives a citation whose
//    text only introduces its source the rest of the sentence.
// 2. score() compares a cited claim with the references that it cites, an uncited sentence with all of them.
// 3. take_support() turns the score into yes, no or unknown, with a reason. The first rule that fits decides.
// 4. summarise() combines the claims. In an answer with citations, an uncited sentence may be the author's
//    own words, so it counts less: see effect_of().
#include <citestream/check/answer_check.hpp>

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "base/ascii.hpp"
#include "base/code_point.hpp"
#include "check/lead_in.hpp"
#include "check/prose.hpp"
#include "check/remark.hpp"
#include "cite/claim.hpp"
#include "cite/list_entry.hpp"

namespace citestream {
namespace {

using check_detail::line_kind;

[[nodiscard]] std::string_view slice(std::string_view text, const text_span& place) noexcept {
  const auto begin = std::min<std::size_t>(place.start.utf8, text.size());
  const auto end = std::min<std::size_t>(place.end.utf8, text.size());
  return text.substr(begin, end > begin ? end - begin : 0);
}

[[nodiscard]] std::vector<check_detail::text_line> lines_of(std::string_view text, const citations& cites) {
  std::vector<check_detail::text_line> out;
  check_detail::prose_lines lines(text, cites.all());
  for (check_detail::text_line line; lines.next(line);) out.push_back(line);
  return out;
}

/// Returns the sentences of a text's prose. If the last sentence starts at another place after a code point
/// than before it, a sentence has ended.
[[nodiscard]] std::vector<text_span> sentences_of(std::span<const check_detail::text_line> lines) {
  std::vector<text_span> out;
  claim_tracker tracker;
  text_span last;
  const auto add_last = [&] {
    if (last.end.utf8 > last.start.utf8) out.push_back(last);
  };
  const auto take = [&](std::string_view code_point) {
    tracker.text(code_point);
    const text_span now = tracker.sentence();
    if (now.start.utf8 != last.start.utf8) add_last();
    last = now;
  };
  for (const check_detail::text_line& line : lines) {
    if (line.kind == line_kind::other) tracker.marker(line.text);  // not part of any claim
    // A list number or bullet goes to the tracker in one piece, so that `1.` is not taken for a sentence.
    std::string_view rest = line.kind == line_kind::other ? std::string_view{} : line.text;
    const std::size_t mark = std::min(rest.find_first_not_of(" \t>-*+0123456789.)"), rest.size());
    tracker.text(rest.substr(0, mark));
    if (mark == rest.size() && line.ended) tracker.text("\n");
    for (rest.remove_prefix(mark); !rest.empty();) {
      std::size_t size = 1;
      while (size < rest.size() && is_continuation(rest[size])) ++size;
      take(rest.substr(0, size));
      rest.remove_prefix(size);
      if (rest.empty() && line.ended) tracker.text("\n");
    }
  }
  add_last();
  return out;
}

/// Finds the lines of a text by position, in linear time if positions do not decrease.
class line_finder {
 public:
  line_finder(std::string_view text, std::span<const check_detail::text_line> lines) noexcept
      : text_(text), lines_(lines) {}
  /// Returns the kind of the line with the byte at \p position.
  [[nodiscard]] line_kind kind_at(std::uint64_t position) noexcept {
    const auto end = [this] {
      return static_cast<std::size_t>(lines_.front().text.data() + lines_.front().text.size() - text_.data());
    };
    while (!lines_.empty() && end() <= position) lines_ = lines_.subspan(1);
    return lines_.empty() ? line_kind::prose : lines_.front().kind;
  }

 private:
  std::string_view text_;
  std::span<const check_detail::text_line> lines_;
};

/// Adds a citation and the references with a text that it cites to its claim.
void add_citation(std::uint32_t index, const citations& cites, claim_report& claim) {
  claim.citations.push_back(index);
  for (const std::uint32_t reference : cites.at(index).references) {
    const bool known =
        std::ranges::find(claim.finding.references, reference) != claim.finding.references.end();
    if (!known && !cites.references()[reference].text.empty()) claim.finding.references.push_back(reference);
  }
}

/// Returns the text from \p begin to \p end without the blanks and punctuation at its start.
[[nodiscard]] text_span rest_of(std::string_view text, text_offset begin, const text_offset& end) noexcept {
  const std::string_view all = slice(text, {begin, end});
  begin.advance(all.substr(0, std::min(all.find_first_not_of(" \t\r\n,;:.!?)\"'"), all.size())));
  return {begin, end};
}

/// Returns true if \p place only introduces what a claim cites.
[[nodiscard]] bool introduces(std::string_view text, const text_span& place, const citation& cite,
                              const citations& cites) {
  const std::string_view words = slice(text, place);
  return only_introduces(words, nullptr) || std::ranges::any_of(cite.references, [&](std::uint32_t index) {
           return only_introduces(words, &cites.references()[index]);
         });
}

/// Gives claims that only introduce their source (`According to the report [1], sales rose.`) the rest of the
/// sentence. Removes them if nothing follows, or if what follows is cited.
void complete_introductions(std::string_view text, std::span<const text_span> sentences,
                            const citations& cites, std::vector<claim_report>& claims) {
  std::vector<claim_report> out;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    claim_report& claim = claims[i];
    if (introduces(text, claim.place, cites.at(claim.citations.front()), cites)) {
      const text_offset end = claim.place.end;
      const auto sentence = std::ranges::upper_bound(sentences, end.utf8, {},
                                                     [](const text_span& each) { return each.end.utf8; });
      const bool whole = sentence != sentences.end() && sentence->start.utf8 <= claim.place.start.utf8;
      if (!whole || (i + 1 < claims.size() && claims[i + 1].place.start.utf8 < sentence->end.utf8)) continue;
      const std::string_view all = slice(text, {claim.place.start, sentence->end});
      text_offset begin = claim.place.start;
      begin.advance(
          all.substr(0, std::max(slice(text, claim.place).size(), check_detail::find_lead_in(all).size)));
      const text_span rest = rest_of(text, begin, sentence->end);
      claim.finding.attributed_to = slice(text, {claim.place.start, rest.start});
      claim.place = rest;
      if (rest.start.utf8 == rest.end.utf8) continue;
    }
    out.push_back(std::move(claim));
  }
  claims = std::move(out);
}

/// Returns the cited claims of prose in order. Citations of the same text share one.
[[nodiscard]] std::vector<claim_report> cited_claims(std::string_view text,
                                                     std::span<const check_detail::text_line> lines,
                                                     const citations& cites) {
  std::vector<std::uint32_t> by_place(cites.count());
  std::iota(by_place.begin(), by_place.end(), 0U);
  const auto place_of = [&](std::uint32_t index) {
    const citation& each = cites.at(index);
    return std::tuple(each.claim_start.utf8, each.claim_end.utf8, index);
  };
  std::ranges::sort(by_place, {}, place_of);
  line_finder places(text, lines);
  std::vector<claim_report> out;
  for (const std::uint32_t i : by_place) {
    const citation& each = cites.at(i);
    const text_span place{each.claim_start, each.claim_end};
    if (place.start == place.end || is_label(slice(text, place))) continue;
    if (places.kind_at(each.claim_start.utf8) == line_kind::other) continue;
    const bool same =
        !out.empty() && out.back().place.start == place.start && out.back().place.end == place.end;
    if (!same) {
      out.emplace_back();
      out.back().place = place;
    }
    add_citation(i, cites, out.back());
  }
  return out;
}

/// Returns true if what a sentence says after its last marker is a statement of its own: it has seven words,
/// or four and a number.
[[nodiscard]] bool is_statement(std::string_view rest) noexcept {
  const auto words = std::ranges::count(rest, ' ') + 1;
  return words >= 7 || (words >= 4 && std::ranges::any_of(rest, ascii::is_digit));
}

/// Returns true if the marker with \p cite is directly before \p part of a text, which starts with a name of
/// what it cites.
[[nodiscard]] bool is_entry_of(const citation& cite, std::string_view text, std::string_view part,
                               const citations& cites) {
  const auto begin = static_cast<std::size_t>(part.data() - text.data());
  const std::string_view between = text.substr(cite.end.utf8, begin - cite.end.utf8);
  const auto named = [&](std::uint32_t index) { return starts_with_name(part, cites.references()[index]); };
  return trimmed_to_words(between).empty() && std::ranges::any_of(cite.references, named);
}

/// Returns true if \p span consists of entries of a list, perhaps after a label. An entry ends at the next
/// marker or with its line.
[[nodiscard]] bool has_only_entries(std::string_view text, const text_span& span, const citations& cites) {
  const auto end_of = [](const citation& each) { return static_cast<std::size_t>(each.end.utf8); };
  std::string_view rest = trimmed_to_words(slice(text, span));
  const std::size_t words_end = static_cast<std::size_t>(rest.data() - text.data()) + rest.size();
  while (!rest.empty()) {
    const auto begin = static_cast<std::size_t>(rest.data() - text.data());
    const auto next = std::ranges::upper_bound(cites.all(), begin, {}, end_of);
    const std::size_t limit = next == cites.all().end() ? text.size() : end_of(*next);
    std::string_view part = text.substr(begin, std::min<std::size_t>(limit, span.end.utf8) - begin);
    part = part.substr(0, part.find('\n'));
    const std::size_t end = std::min(begin + part.size(), words_end);
    const bool introduces = is_label(part) || (is_lone_word(part) && end < words_end);
    const bool follows = next != cites.all().begin() && is_entry_of(*std::prev(next), text, part, cites);
    if (!introduces && !follows) return false;
    rest = trimmed_to_words(text.substr(end, words_end - end));
  }
  return true;
}

/// Adds two kinds of uncited text: sentences that overlap no cited claim, and statements after the last claim
/// of a sentence. Entries of lists are not added. Sentences and claims are both in order of position, so they
/// are merged.
void add_uncited(std::string_view text, std::span<const text_span> sentences, const citations& cites,
                 std::vector<claim_report>& claims) {
  std::vector<claim_report> out;
  std::size_t next = 0;  // the next claim that is not in `out`
  text_offset cited;     // where the claims so far end; claims of a provider may contain others
  const auto add = [&out](const text_span& place) {
    out.emplace_back();
    out.back().place = place;
  };
  for (const text_span& sentence : sentences) {
    for (; next < claims.size() && claims[next].place.start.utf8 < sentence.end.utf8; ++next) {
      if (claims[next].place.end.utf8 > cited.utf8) cited = claims[next].place.end;
      out.push_back(std::move(claims[next]));
    }
    if (cited.utf8 >= sentence.end.utf8) continue;
    const bool uncited = cited.utf8 <= sentence.start.utf8;
    const text_span rest = uncited ? sentence : rest_of(text, cited, sentence.end);
    if ((uncited || is_statement(slice(text, rest))) && !has_only_entries(text, rest, cites)) add(rest);
  }
  while (next < claims.size()) out.push_back(std::move(claims[next++]));
  claims = std::move(out);
}

/// Returns the first name or word of a claim that no reference has.
[[nodiscard]] std::string first_missing(const claim_finding& found) {
  if (!found.missing_names.empty()) return found.missing_names.front();
  return found.missing_words.empty() ? "its words" : found.missing_words.front();
}

/// Returns the first contradiction in words; may be empty.
[[nodiscard]] std::string contradiction_reason(const support& found, std::string_view claim,
                                               std::span<const std::string_view> texts) {
  if (found.contradictions.empty()) return {};
  const contradiction& first = found.contradictions.front();
  const std::string claimed(claim.substr(first.claim_begin, first.claim_end - first.claim_begin));
  const support_evidence& place = first.found;
  if (first.rule == "negation") return "only one of the claim and the text negates " + claimed;
  if (first.rule == "comparison" || first.rule == "roles")
    return "the text has it the other way around: " + claimed;
  return "says " + claimed + " where the text has " +
         std::string(texts[place.reference].substr(place.begin, place.end - place.begin));
}

[[nodiscard]] bool is_compared(const claim_report& claim) noexcept {
  return claim.compared == claim_comparison::words || claim.compared == claim_comparison::judge;
}

/// Decides whether a claim is grounded. The reason is shown to people.
/// \param contradicted  the reason if there are contradictions
void take_support(claim_report& claim, const support& found, std::string contradicted) {
  const auto decide = [&](grounding how, std::string why) {
    claim.grounded = how;
    claim.reason = std::move(why);
  };
  const claim_finding& finding = claim.finding;
  if (!is_compared(claim))
    return decide(grounding::unknown, claim.citations.empty()
                                          ? "not compared: no reference has a text"
                                          : "not compared: no cited reference has a text");
  if (found.content_words == 0) return decide(grounding::unknown, "not compared: it has no content words");
  if (!finding.contradictions.empty()) return decide(grounding::no, std::move(contradicted));
  if (!finding.missing_numbers.empty())
    return decide(grounding::no, finding.missing_numbers.front() + " is not in the text");
  if (found.value < 0.5) {
    return decide(grounding::no,
                  "too few of its words are in the text; one that is missing: " + first_missing(finding));
  }
  if (!finding.missing_names.empty()) {
    return decide(grounding::unknown,
                  finding.missing_names.front() + ", which may be a name, is not in the text");
  }
  if (!finding.missing_words.empty()) {
    return decide(grounding::yes,
                  "most of its words are in the text, but not " + finding.missing_words.front());
  }
  decide(grounding::yes, "its words are in the text");
}

/// Asks the judge about a claim that is unsure.
void ask(const claim_judge& judge, std::string_view claimed, std::span<const std::string_view> texts,
         claim_report& claim) {
  if (!judge || claim.finding.verdict != claim_verdict::unsure || texts.empty()) return;
  const std::optional<claim_verdict> verdict = judge(claimed, texts, claim.finding.support);
  if (!verdict || *verdict == claim_verdict::unsure) return;
  claim.compared = claim_comparison::judge;
  claim.finding.verdict = *verdict;
  claim.grounded = *verdict == claim_verdict::supported ? grounding::yes : grounding::no;
  claim.reason = "the judge's verdict is " + std::string(name(*verdict));
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

/// Compares a claim with texts. A claim that cites nothing gets the reference with the evidence.
void score(claim_report& claim, std::string_view text, const compared_texts& with, support_scorer& scorer,
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
  claim.finding = std::move(made);
  claim.compared = texts.empty() ? claim_comparison::none : claim_comparison::words;
  for (const number_conflict& each : found.contradicted_numbers) {
    claim.contradicted_numbers.emplace_back(each.claimed, each.found);
  }
  take_support(claim, found, contradiction_reason(found, claimed, texts));
  ask(judge, claimed, texts, claim);
}

/// Removes claims that are neither supported nor contradicted and are in a list of references, or only
/// introduce or name references. All references of the answer are tried if they are few, otherwise those that
/// the claim cites.
void remove_entries(std::string_view text, std::span<const check_detail::text_line> lines,
                    const citations& cites, answer_report& report) {
  constexpr std::size_t max_bytes = 20'000'000;
  const std::span<const reference> refs = cites.references();
  std::size_t bytes = 0;
  for (const claim_report& claim : report.claims) bytes += slice(text, claim.place).size();
  const bool few = refs.empty() || bytes <= max_bytes / refs.size();
  line_finder places(text, lines);
  std::erase_if(report.claims, [&](const claim_report& claim) {
    const line_kind kind = places.kind_at(claim.place.start.utf8);
    if (!may_be_entry(claim.finding.verdict)) return false;
    if (kind == line_kind::reference) return true;
    const std::string_view claimed = slice(text, claim.place);
    const auto named = [&](const reference& ref) { return only_names(claimed, ref); };
    const auto cited = [&](std::uint32_t index) { return named(refs[index]); };
    const bool lone_word = claim.citations.empty() && cites.count() > 0 && is_lone_word(claimed);
    return lone_word || is_label(claimed) || only_introduces(claimed, nullptr) ||
           std::ranges::any_of(claim.finding.references, cited) || (few && std::ranges::any_of(refs, named));
  });
  report.not_compared = static_cast<std::size_t>(
      std::ranges::count(report.claims, claim_comparison::skipped, &claim_report::compared));
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

void summarise(answer_report& report) {
  const auto any = [&](grounding how) {
    return std::ranges::any_of(report.claims,
                               [how](const claim_report& one) { return effect_of(one) == how; });
  };
  const bool unknown = report.claims.empty() || any(grounding::unknown);
  report.grounded = any(grounding::no) ? grounding::no : unknown ? grounding::unknown : grounding::yes;
}

/// Returns true if a claim is contradicted or, in an answer that cites nothing, not found.
[[nodiscard]] bool is_hallucination(const claim_report& claim, std::string_view text,
                                    const citations& cites) {
  if (!is_compared(claim)) return false;
  if (claim.finding.verdict == claim_verdict::contradicted) return true;
  if (cites.count() > 0 || claim.finding.verdict != claim_verdict::not_found) return false;
  return !claim.finding.missing_numbers.empty() || !check_detail::is_remark(slice(text, claim.place));
}

/// Also sets `hallucination_detected`: every hallucination is a finding.
void list_findings(answer_report& report, std::string_view text, const citations& cites) {
  report.hallucination_detected = !report.invented.empty();
  for (const std::uint32_t index : report.invented) {
    report.findings.push_back("cites what does not exist: " + cites.all()[index].identifier);
  }
  for (const citation& cite : cites.all()) {
    if (cite.status == citation_status::pending)
      report.findings.push_back("not known, because the answer breaks off: " + cite.identifier);
  }
  if (report.not_compared > 0) {
    report.findings.push_back("not compared, because the answer and its texts are too large: " +
                              std::to_string(report.not_compared) + " claims");
  }
  for (std::size_t i = 0; i < report.claims.size(); ++i) {
    const claim_report& claim = report.claims[i];
    const bool name_missing =
        claim.grounded == grounding::unknown && !claim.finding.missing_names.empty() && is_compared(claim);
    const bool hallucinated = is_hallucination(claim, text, cites);
    report.hallucination_detected = report.hallucination_detected || hallucinated;
    if (hallucinated || effect_of(claim) == grounding::no || (!claim.citations.empty() && name_missing)) {
      report.findings.push_back("claims[" + std::to_string(i) + "]: " + claim.reason);
    }
  }
}

}  // namespace

answer_report check_answer(std::string_view text, const citations& cites,
                           const verdict_thresholds& thresholds, const claim_judge& judge,
                           std::size_t max_compared_bytes) {
  answer_report report;
  const std::vector<check_detail::text_line> lines = lines_of(text, cites);
  report.claims = cited_claims(text, lines, cites);
  const std::vector<text_span> sentences = sentences_of(lines);
  complete_introductions(text, sentences, cites, report.claims);
  add_uncited(text, sentences, cites, report.claims);
  const compared_texts all = texts_of(references_with_text(cites), cites);
  support_scorer scorer(thresholds);
  std::size_t left = max_compared_bytes;
  bool exhausted = false;
  for (claim_report& claim : report.claims) {
    const compared_texts cited = texts_of(claim.finding.references, cites);
    const compared_texts& with = claim.citations.empty() ? all : cited;
    const std::size_t bytes = claim.place.end.utf8 - claim.place.start.utf8 + with.bytes;
    exhausted = exhausted || bytes > left;
    if (exhausted) {
      claim.compared = claim_comparison::skipped;
      claim.reason = "not compared: the answer and its texts are too large";
    } else {
      left -= bytes;
      score(claim, text, with, scorer, judge);
    }
  }
  remove_entries(text, lines, cites, report);
  for (std::uint32_t i = 0; i < cites.all().size(); ++i) {
    if (cites.all()[i].status == citation_status::unresolved) report.invented.push_back(i);
  }
  for (std::uint32_t i = 0; i < cites.references().size(); ++i) {
    reference_report found = report_on(i, cites.references()[i]);
    if (!found.missing.empty()) report.incomplete.push_back(std::move(found));
  }
  summarise(report);
  list_findings(report, text, cites);
  return report;
}

}  // namespace citestream
