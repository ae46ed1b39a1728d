/// \file
/// Which answers are rewritten: for a gateway to decide before it creates a session.
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

/// How an answer's body is handled.
enum class treatment : std::uint8_t {
  pass,      ///< byte for byte
  bypassed,  ///< byte for byte although its type is rewritten: it is compressed, or bypassed
  events,    ///< `text/event-stream`: rewritten as it flows
  json,      ///< one JSON body, rewritten as a whole
};

/// What is known from the heads of a request and its answer.
struct answer_facts {
  int status{};                         ///< of the answer
  std::string_view content_type{};      ///< the field's value, parameters and all; empty: none, or several
  std::string_view content_encoding{};  ///< the field's value, a list; empty: none
  bool json{};    ///< rewrite a JSON answer: the request was a POST to a path that is rewritten
  bool bypass{};  ///< rewrite nothing
};

/// Only complete 2xx answers are rewritten, JSON only if `json` is set, and nothing if `bypass` is set.
[[nodiscard]] treatment treatment_of(const answer_facts& facts) noexcept;

/// Whether \p path, with or without a query, is \p prefix or below it: `/v1` holds `/v1/chat`, not `/v10`.
[[nodiscard]] bool is_below(std::string_view path, std::string_view prefix) noexcept;

}  // namespace citestream
