/// \file
/// The comparison of claims with references by their words, for `session_options::checker`.
#pragma once

#include <citestream/base/language.hpp>
#include <citestream/cite/claim_check.hpp>

namespace citestream {

/// Compares claims as support_scorer does, with the thresholds of the session. Time is linear in the bytes
/// compared.
extern const claim_check word_check;

}  // namespace citestream
