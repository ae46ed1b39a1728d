/// \file
/// Demonstration answers that need no API key and no network: in the form of Writer's `POST /v1/chat`, one
/// event per token, at the pace of a model.
#pragma once

#include <vector>

#include "recording.hpp"

namespace citestream {

/// Returns the demonstration answers. Each takes less than ten seconds.
///
/// - `demo`: cites files (with page, score and `cite`) and web pages. The references arrive with the finish
///   event; one of them is not cited.
/// - `demo-two-choices`: two interleaved choices with references of their own.
/// - `demo-unresolved`: cites a file that is in the references and one that is not.
[[nodiscard]] std::vector<recording> demo_recordings();

}  // namespace citestream
