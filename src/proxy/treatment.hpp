/// \file
/// What is done with an answer's body.
#pragma once

#include <cstdint>

#include "request_head.hpp"
#include "response_head.hpp"

namespace citestream::http {

enum class treatment : std::uint8_t {
  pass,      ///< byte for byte
  bypassed,  ///< byte for byte although it is of a kind that is rewritten: it came compressed, or is to pass
  events,    ///< `text/event-stream`: rewritten as it flows
  json,      ///< one JSON body, rewritten as a whole
};

/// Only complete 2xx answers are rewritten, JSON only where \p json says so, nothing with \p bypass.
[[nodiscard]] treatment treatment_of(bool json, bool bypass, const response_head& answer) noexcept;

}  // namespace citestream::http
