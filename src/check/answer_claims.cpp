// How the claims of an answer are found.
//
// cited_claims() lists the text that each citation of a marker or of the provider supports. A citation whose
// text only introduces its source gets the rest of the sentence (with_introductions()). with_uncited() adds
// every sentence of prose that overlaps none of these claims, and what such a sentence says after them.
// Entries of lists of references are not claims: those that can be told by their form are not added, and
// those that can be told only by their verdict are removed by without_entries().
#include "check/answer_claims.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "base/code_point.hpp"
#include "check/lead_in.hpp"
#include "cite/claim.hpp"
#include "cite/list_entry.hpp"

namespace citestream::check_detail {
namespace {

/// Returns the sentences of a text's prose.
[[nodiscard]] std::vector<text_span> sentences_of(std::span<const text_line> lines) {
  std::vector<text_span> out;
  claim_tracker tracker;
  text_span last;
  const auto add_last = [&] {
    if (last.end.utf8 > last.start.utf8) out.push_back(last);
  };
  // The tracker reports only the current sentence. Its start changes when the previous sentence ends.
  const auto take = [&](std::string_view code_point) {
    tracker.text(code_point);
    const text_span now = tracker.sentence();
    if (now.start.utf8 != last.start.utf8) add_last();
    last = now;
  };
  for (const text_line& line : lines) {
    // A marker ends the sentence, so that the texts on both sides of the line are not joined.
    if (line.kind == line_kind::other) tracker.marker(line.text);
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
  line_finder(std::string_view text, std::span<const text_line> lines) noexcept
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
  std::span<const text_line> lines_;
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
[[nodiscard]] std::vector<claim_report> with_introductions(std::vector<claim_report> claims,
                                                           std::string_view text,
                                                           std::span<const text_span> sentences,
                                                           const citations& cites) {
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
      begin.advance(all.substr(0, std::max(slice(text, claim.place).size(), find_lead_in(all).size)));
      const text_span rest = rest_of(text, begin, sentence->end);
      claim.finding.attributed_to = slice(text, {claim.place.start, rest.start});
      claim.place = rest;
      if (rest.start.utf8 == rest.end.utf8) continue;
    }
    out.push_back(std::move(claim));
  }
  return out;
}

/// Returns the cited claims of prose in order. Citations of the same text share one.
[[nodiscard]] std::vector<claim_report> cited_claims(std::string_view text, std::span<const text_line> lines,
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
/// of a sentence. Entries of lists are not added. Both lists are ordered by position and are merged in one
/// pass.
[[nodiscard]] std::vector<claim_report> with_uncited(std::vector<claim_report> claims, std::string_view text,
                                                     std::span<const text_span> sentences,
                                                     const citations& cites) {
  std::vector<claim_report> out;
  std::size_t next = 0;  // the next claim that is not in `out`
  text_offset cited;     // the largest end of the claims so far; claims of a provider can be nested
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
  return out;
}

}  // namespace

std::string_view slice(std::string_view text, const text_span& place) noexcept {
  const auto begin = std::min<std::size_t>(place.start.utf8, text.size());
  const auto end = std::min<std::size_t>(place.end.utf8, text.size());
  return text.substr(begin, end > begin ? end - begin : 0);
}

std::vector<text_line> lines_of(std::string_view text, const citations& cites) {
  std::vector<text_line> out;
  prose_lines lines(text, cites.all());
  for (text_line line; lines.next(line);) out.push_back(line);
  return out;
}

std::vector<claim_report> claims_of(std::string_view text, std::span<const text_line> lines,
                                    const citations& cites) {
  const std::vector<text_span> sentences = sentences_of(lines);
  return with_uncited(with_introductions(cited_claims(text, lines, cites), text, sentences, cites), text,
                      sentences, cites);
}

std::vector<claim_report> without_entries(std::vector<claim_report> claims, std::string_view text,
                                          std::span<const text_line> lines, const citations& cites) {
  constexpr std::size_t max_bytes = 20'000'000;
  const std::span<const reference> refs = cites.references();
  std::size_t bytes = 0;
  for (const claim_report& claim : claims) bytes += slice(text, claim.place).size();
  const bool few = refs.empty() || bytes <= max_bytes / refs.size();
  line_finder places(text, lines);
  std::erase_if(claims, [&](const claim_report& claim) {
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
  return claims;
}

}  // namespace citestream::check_detail
