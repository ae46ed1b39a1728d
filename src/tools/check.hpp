/// \file
/// The subcommands of `citestream check`: `format`, `answer`, `claims` and `sources`.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/check/answer_check.hpp>
#include <citestream/check/support.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "batch.hpp"
#include "byte_input.hpp"
#include "known_references.hpp"
#include "read_answer.hpp"
#include "retrieved_documents.hpp"

namespace citestream::tools {

/// Form of a report.
enum class report_form : std::uint8_t { json, text };

/// `check claims`: reads JSON lines and writes one line for each, or one paragraph with the text form. A line
/// that cannot be parsed is reported as `{"line":3,"error":"…"}`, and the next line is read. \return true if
/// every claim was read, has a support of at least 0.5 and is not contradicted. \throws command_error
[[nodiscard]] bool check_claims(byte_input& input, report_form form, offset_unit unit,
                                const verdict_thresholds& thresholds, const claim_judge& judge);

/// Arguments of `check answer`.
struct check_answer_request {
  answer_input answer;  ///< its file is empty or `-` for standard input
  report_form form{report_form::json};
  claim_judge judge;                     ///< decides claims that are unsure; may be empty
  std::vector<std::string> collections;  ///< names of existing collections; empty: accept every valid name
  bool one_of_several{};                 ///< the report has the name of the file
};

/// `check answer`: compares an answer (text, a JSON body or a recorded stream) with its references. See
/// check_answer(). \param known  sources that are known before the answer \return true if there are no
/// findings. \throws command_error  after writing the report, if one could be made
[[nodiscard]] bool check_answer_command(const input_document& from, const check_answer_request& given,
                                        const known_references& known, document_sink& out);

/// `check format`: formats a list of retrieved documents as sources and citations, and lists missing fields
/// and invalid URLs, dates and collections, with document indexes from 0. \return true if all documents
/// have the required fields (a date is optional) and all URLs, dates and collections are valid. \throws
/// command_error \param collections  names of existing collections; empty: every valid name is accepted
[[nodiscard]] bool check_format(byte_input& input, report_form form, const collection_names& names,
                                const std::vector<std::string>& collections);

/// Form of the output of `check sources`.
enum class source_form : std::uint8_t { context, json };

/// `check sources`: prints a file of references or documents with their numbers. \throws command_error
void print_sources(byte_input& input, source_form form);

/// Returns true if a collection \p name may exist: it is one of \p known, or if there are none, a valid name.
[[nodiscard]] bool is_known_collection(std::string_view name, const std::vector<std::string>& known);

}  // namespace citestream::tools
