/// \file
/// Checks an answer against its references: what is cited, what is invented, and what the cited text
/// supports.
///
/// \code
///   // answer: a citestream::answer with strip_style that has finished with `text`, its references added
///   const citestream::answer_report report = citestream::check_answer(text, answer.cites());
///   if (report.grounded == citestream::grounding::no) warn(report.findings);
/// \endcode
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/check/support.hpp>
#include <citestream/cite/citations.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace citestream {

/// Whether a claim is supported by the text that it cites.
enum class grounding : std::uint8_t {
  yes,      ///< support is at least 0.5, and the cited text has every number and name
  no,       ///< support is less, a number is missing or different, or the claim is contradicted
  unknown,  ///< there is no text, or too little, or only a name is missing
};

/// What a claim was compared with.
enum class claim_comparison : std::uint8_t {
  none,     ///< nothing: it has no reference with a text
  skipped,  ///< nothing: it comes after `max_compared_bytes`
  words,    ///< the words of the references
  judge,    ///< the same; then the judge decided
};

/// Decides a claim whose verdict is unsure, for example by asking a model. Returns `std::nullopt` if it
/// cannot decide. \p support is support::value.
using claim_judge = std::function<std::optional<claim_verdict>(
    std::string_view claim, std::span<const std::string_view> references, double support)>;

/// One claim: the text that one or several citations support, or a sentence without citations.
struct claim_report {
  text_span place;                         ///< in the answer's text
  std::vector<std::uint32_t> citations;    ///< see citations::at(); may be empty
  claim_comparison compared{};             ///< what the claim was compared with
  grounding grounded{grounding::unknown};  ///< decided by the words, or by the judge
  std::string reason;                      ///< one line, for people: `25% is not in the text`
  /// `references` lists the cited references that have a text; for a claim without citations, the reference
  /// with the evidence. Indexes are those of citations::references(). `claim` is empty: see `place`.
  claim_finding finding;
  std::vector<std::pair<std::string, std::string>> contradicted_numbers;  ///< claimed, found
};

/// The fields that a reference lacks.
struct reference_report {
  std::uint32_t reference{};              ///< index in citations::references()
  std::vector<std::string_view> missing;  ///< of `source` (URL, id or title), `title`, `text`
};

/// What check_answer() compares at most, in bytes: claims and references of one answer. It takes about two
/// seconds.
inline constexpr std::size_t default_max_compared_bytes = std::size_t{256} * 1024 * 1024;

/// The result of check_answer(). It may outlive the text and the citations.
struct answer_report {
  std::vector<claim_report> claims;  ///< in order of place
  /// No if one claim is not grounded, yes if all are. A sentence without citations makes it no only if one
  /// of its numbers is missing or it is contradicted, and unknown if it is otherwise not grounded or a name
  /// is missing.
  grounding grounded{grounding::unknown};
  /// A citation matches no reference, or a claim is contradicted, or the answer cites nothing and one of its
  /// sentences is not found in the references. Refusals and courtesies do not count as not found. Each of
  /// these is in `findings`.
  bool hallucination_detected{};
  /// Indexes of citations that match no reference; not of those that are pending, which are findings too.
  std::vector<std::uint32_t> invented;
  std::vector<reference_report> incomplete;  ///< references that lack something, in order of arrival
  std::size_t not_compared{};                ///< number of claims that are skipped
  std::vector<std::string> findings;         ///< one line each, for people; empty if nothing is wrong
};

/// Checks one answer. \p text is the output of an \ref answer or a \ref session in strip_style, in which its
/// citations have their positions; \p cites are its citations after resolve(). Claims are checked against the
/// references that they cite, and sentences that cite nothing against all references. Headings, fenced code,
/// table heads, link definitions and lists of references are ignored. \p judge, if set, is called for each
/// unsure claim. Linear in the text and in the references of each claim. Once \p
/// max_compared_bytes of claims and references have been compared, the other claims are not: that is a
/// finding.
[[nodiscard]] answer_report check_answer(std::string_view text, const citations& cites,
                                         const verdict_thresholds& thresholds = {},
                                         const claim_judge& judge = {},
                                         std::size_t max_compared_bytes = default_max_compared_bytes);

/// Appends the members of a JSON object, without its braces: `"grounded":true|false|"unknown",
/// "hallucination_detected":true|false,"claims":[…],"citations":[…],"invented":[…],"uncited":[…],"incomplete_sources":[…]`.
/// Positions are in \p unit.
void append_answer_report_json(const answer_report& report, std::string_view text, const citations& cites,
                               offset_unit unit, std::string& out);

}  // namespace citestream
