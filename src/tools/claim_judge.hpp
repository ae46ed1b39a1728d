/// \file
/// A user's program or server that decides claims with the verdict `unsure`: `--judge`.
#pragma once

#include <citestream/check/answer_check.hpp>

#include <memory>
#include <string>

namespace citestream::tools {

/// Returns a judge that sends questions to \p named: a server, if it is an `http://` URL, or else a program.
/// Each question is a JSON object, each answer another one, within \p seconds:
///
/// ```
/// {"claim":"Sales grew by 20%.","references":["Last year sales rose 20%."],"support":0.5515}
/// {"verdict":"supported"}
/// ```
///
/// The program is started with `sh -c` for the first question, and ended when the last copy of the judge is
/// destroyed. A question is a line on its standard input, an answer a line on its standard output. The server
/// gets each question as the body of a POST request, and answers with status 200.
///
/// The verdict is `supported`, `contradicted`, `not_found` or `unsure`. If there is no such answer, the claim
/// stays unsure. The first failure is reported on standard error. After an answer that is missing, late, too
/// long or sent before a question, the judge gets no more questions, and the program is ended. Returns an
/// empty function if \p named is empty. \throws CLI::ValidationError if the URL is not valid
[[nodiscard]] claim_judge judge_by(const std::string& named, double seconds);

}  // namespace citestream::tools
