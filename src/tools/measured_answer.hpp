/// \file
/// Measures answers: their citations, the verdicts on their claims, and how they arrived.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/claim_check.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace citestream::tools {

/// Figures of one answer, or of several together.
struct answer_figures {
  std::uint64_t markers{};    ///< citations
  std::uint64_t resolved{};   ///< citations that match a reference
  std::uint64_t invented{};   ///< citations that match none
  std::uint64_t claims{};     ///< claims and sentences
  bool claims_known{true};    ///< false for documents of `filter --to json`: `claims` and `cited` are 0
  std::uint64_t cited{};      ///< claims that cite something
  verdict_counts verdicts{};  ///< of claims that cite a reference with a text
  std::uint64_t uncited{};    ///< references that nothing cites
  std::optional<std::uint64_t> held_max;     ///< bytes held back at once; of several answers: the maximum
  std::optional<double> first_text_seconds;  ///< from the request; of several answers: the mean
};

/// A claim that cites something.
struct judged_claim {
  std::string text;
  std::optional<claim_verdict> verdict;  ///< nothing if no cited reference has a text
  bool invented{};                       ///< one of its citations matches no reference
};

/// One answer.
struct measured_answer {
  std::string file;      ///< path, and the line if the file has several answers
  std::string name;      ///< of the file, without its folder
  std::string question;  ///< empty: not known
  answer_figures figures;
  std::vector<judged_claim> claims;
};

/// A file that could not be read, or not completely.
struct unread_input {
  std::string file;
  std::string why;
};

/// The answers of one side of a comparison.
struct answer_set {
  std::vector<measured_answer> answers;
  std::vector<unread_input> unread;
  std::vector<unread_input> skipped;  ///< JSON files of a folder that are not answers
};

/// Measures the answers in \p path: a file, a list `@FILE` of files, or a folder with recordings (`.sse`,
/// `.ndjson`, `.eventstream`), bodies and documents (`.json`, `.jsonl`) and texts (`.txt`, `.md`). A document
/// is what `filter --to json` writes. \p options: `offsets` is the unit of positions in documents that do
/// not name theirs. \param jobs  files to measure at a time; 0: one for each CPU \throws command_error if \p
/// path or a file cannot be opened, or a folder has no such file
[[nodiscard]] answer_set measure_answers(const std::string& path, const session_options& options,
                                         std::size_t jobs);

}  // namespace citestream::tools
