/// \file
/// What is done with an answer's body.
#pragma once

#include <cstdint>

#include "request_head.hpp"
#include "response_head.hpp"

namespace citestream::http {

enum class treatment : std::uint8_t {
  pass,      ///< byte for byte
  bypassed,  ///< byte for byte although it is of a kind that is rewritten: it came compressed
  events,    ///< `text/event-stream`: rewritten as it flows
  json,      ///< one JSON body, rewritten as a whole
};

/// Only complete 2xx answers are rewritten, JSON only where it answers a POST.
[[nodiscard]] treatment treatment_of(std::string_view method, const response_head& answer) noexcept;

}  // namespace citestream::http
