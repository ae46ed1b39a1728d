/// \file
/// What is done with an answer's body, by its head.
#pragma once

#include <citestream/session/treatment.hpp>

#include "http/message_head.hpp"

namespace citestream::http {

using citestream::treatment;

/// See citestream::treatment_of.
[[nodiscard]] treatment treatment_of(bool json, bool bypass, const response_head& answer) noexcept;

}  // namespace citestream::http
