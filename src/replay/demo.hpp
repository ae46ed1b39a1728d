/// \file
/// Answers to look at without a key or a network: written for this purpose, in the form of Writer's
/// `POST /v1/chat`, each token an event, at the pace of a model.
#pragma once

#include <vector>

#include "recording.hpp"

namespace citestream {

/// The demonstration answers, each done within ten seconds:
///
/// - `demo`: cites files (page, score, `cite`) and the web; references come with the finish event, and one
///   of them is not cited;
/// - `demo-two-choices`: two choices, interleaved, each with references of its own;
/// - `demo-unresolved`: cites one file that is there and one that no reference knows.
[[nodiscard]] std::vector<recording> demo_recordings();

}  // namespace citestream
