/// \file
/// An answer held against its references: what is cited, what is made up, and what the cited text supports.
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

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace citestream {

/// Whether what an answer says stands in what it cites.
enum class grounding : std::uint8_t {
  yes,      ///< the text that it cites has at least half of support for it, and every number and name
  no,       ///< it has less, or lacks a number of it, or has another number in its place
  unknown,  ///< there is no text to compare, too little to compare, or only a name is missing
};

/// One claim: the text that one or several citations support, or a sentence that cites nothing.
struct claim_report {
  text_span place;                           ///< in the answer's text
  std::vector<std::uint32_t> citations;      ///< indexes in citations::all(); empty: it cites nothing
  std::vector<std::uint32_t> references;     ///< those with a text, which it was held against
  grounding grounded{grounding::unknown};    ///< in `references`, and in nothing else
  std::string reason;                        ///< one line, for people: `25% is not in the text`
  double support{};                          ///< 0 to 1: support::value
  std::optional<support_evidence> evidence;  ///< its `reference` is an index in citations::references()
  std::vector<std::string> missing_numbers;  ///< as written in the claim: support::missing_numbers
  std::vector<std::string> missing_names;    ///< support::missing_names
  std::vector<std::string> missing_words;    ///< support::missing_words
  std::vector<std::pair<std::string, std::string>> contradicted_numbers;  ///< claimed, found
};

/// What a reference lacks to be found and read again.
struct reference_report {
  std::uint32_t reference{};              ///< index in citations::references()
  std::vector<std::string_view> missing;  ///< of `source` (URL, id or title), `title`, `text`
};

/// What check_answer() found; it outlives text and citations.
struct answer_report {
  std::vector<claim_report> claims;  ///< in order of place
  /// No: one claim is not; yes: all are. Beside cited claims, a sentence that cites nothing makes it no where
  /// a number of it is missing or contradicted, and unknown where else it is not grounded or a name is
  /// missing.
  grounding grounded{grounding::unknown};
  std::vector<std::uint32_t> invented;       ///< indexes of citations that no reference matches
  std::vector<reference_report> incomplete;  ///< references that lack something, in order of arrival
  std::vector<std::string> findings;         ///< one line each, for people; empty: nothing is wrong
};

/// Checks one answer. \p text is its text as its citations count it (the output of an \ref answer or of a
/// \ref session in strip_style), \p cites its citations after resolve(). Claims that cite something are held
/// against the references that they cite; sentences that cite nothing against all references. Headings, code
/// in fences, the heads of tables and link definitions are no such sentences. Linear in the text and in the
/// references of each claim.
[[nodiscard]] answer_report check_answer(std::string_view text, const citations& cites);

/// Appends the members of a JSON object, without its braces: `"grounded":true|false|"unknown","claims":[…],
/// "citations":[…],"invented":[…],"uncited":[…],"incomplete_sources":[…]`. Positions are in \p unit.
void append_answer_report_json(const answer_report& report, std::string_view text, const citations& cites,
                               offset_unit unit, std::string& out);

/// `true`, `false` or `"unknown"`.
[[nodiscard]] std::string_view json_of(grounding value) noexcept;

}  // namespace citestream
