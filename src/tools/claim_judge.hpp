/// \file
/// A program of the user's that decides claims on which the words leave a doubt: `--judge COMMAND`.
#pragma once

#include <citestream/check/answer_check.hpp>

#include <memory>
#include <string>

namespace citestream::tools {

/// Returns a judge that runs \p command with `sh -c` when it is first asked, and ends it when the last copy
/// of the judge is destroyed. Each question is a line on its standard input, each answer a line on its
/// standard output, within \p seconds:
///
/// ```
/// {"claim":"Sales grew by 20%.","references":["Last year sales rose 20%."],"support":0.5515}
/// {"verdict":"supported"}
/// ```
///
/// The verdict is `supported`, `contradicted`, `not_found` or `unsure`. If there is no such answer, the claim
/// stays unsure. The first failure is reported on standard error. After a missing, late or superfluous line
/// the program is ended and not asked again. Empty if \p command is.
[[nodiscard]] claim_judge judge_by(const std::string& command, double seconds);

}  // namespace citestream::tools
