// `citestream check`: documents as citations, an answer against its references, claims in bulk.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/session/options.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "byte_input.hpp"
#include "check/retrieved_documents.hpp"

namespace citestream::tools {

enum class report_form : std::uint8_t { json, text };

/// `check claims`: JSON lines in, one line (or, as text, one paragraph) out for each. A line that cannot be
/// read gives `{"line":3,"error":"…"}`, and the others go on. \return whether every claim was read and has a
/// support of at least 0.5 and no contradicted number. \throws failure
[[nodiscard]] bool check_claims(byte_input& input, report_form form, offset_unit unit);

enum class answer_form : std::uint8_t { automatic, stream, body, text };

struct check_answer_request {
  std::string file;  ///< as typed
  answer_form from{answer_form::automatic};
  report_form form{report_form::json};
  session_options options;
  std::string references;                ///< a side file; empty: none
  std::vector<std::string> collections;  ///< that exist; empty: any that may be a name
};

/// `check answer`: an answer, as text, a body or a recorded stream, held against its references: see
/// check_answer(). \return whether nothing was found. \throws failure, after the report where there is one
[[nodiscard]] bool check_answer_command(byte_input& input, const check_answer_request& given);

/// `check format`: a list of retrieved documents as sources and citations, with `invalid_urls` and
/// `invalid_dates` beside what append_sources_json() writes; documents count from 0. \return whether no
/// document lacks anything and all addresses and dates are some. \throws failure
[[nodiscard]] bool check_format(byte_input& input, report_form form, const collection_names& names);

}  // namespace citestream::tools
