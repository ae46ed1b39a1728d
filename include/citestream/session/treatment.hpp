/// \file
/// Which answers are rewritten: what a gateway asks before it makes a session.
///
/// \code
///   switch (citestream::treatment_of({.status = 200, .content_type = "text/event-stream"})) {
///     case citestream::treatment::events: break;  // session::write() and session::finish()
///     case citestream::treatment::json: break;    // session::rewrite_body() with the whole body
///     default: break;                             // byte for byte
///   }
/// \endcode
#pragma once

#include <cstdint>
#include <string_view>

namespace citestream {

/// What is done with an answer's body.
enum class treatment : std::uint8_t {
  pass,      ///< byte for byte
  bypassed,  ///< byte for byte although it is of a kind that is rewritten: it came compressed, or is to pass
  events,    ///< `text/event-stream`: rewritten as it flows
  json,      ///< one JSON body, rewritten as a whole
};

/// What the heads of a request and its answer say.
struct answer_facts {
  int status{};                         ///< of the answer
  std::string_view content_type{};      ///< the field's value, parameters and all; empty: none, or several
  std::string_view content_encoding{};  ///< the field's value, a list; empty: none
  bool json{};    ///< JSON that answers this request is rewritten: it was POST to such a path
  bool bypass{};  ///< nothing is to be rewritten
};

/// Only complete 2xx answers are rewritten, JSON only where `json` says so, nothing with `bypass`.
[[nodiscard]] treatment treatment_of(const answer_facts& facts) noexcept;

/// Whether \p path, a query behind it or not, is \p prefix or below it: `/v1` holds `/v1/chat`, not `/v10`.
[[nodiscard]] bool is_below(std::string_view path, std::string_view prefix) noexcept;

}  // namespace citestream
