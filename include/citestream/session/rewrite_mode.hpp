/// \file
/// Decides which answers are rewritten. A gateway calls this before it creates a session.
///
/// \code
///   switch (citestream::rewrite_mode_of({.status = 200, .content_type = "text/event-stream"})) {
///     case citestream::rewrite_mode::events: break;  // session::write() and session::finish()
///     case citestream::rewrite_mode::json: break;    // session::rewrite_body() with the whole body
///     default: break;                             // byte for byte
///   }
/// \endcode
#pragma once

#include <citestream/base/version.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace citestream {

/// How an answer's body is handled.
enum class rewrite_mode : std::uint8_t {
  pass,      ///< passes through unchanged
  bypassed,  ///< passes through although its type could be rewritten: it is compressed, or `bypass` is set
  events,    ///< a stream: server-sent events, lines of JSON or messages of AWS: rewritten event by event
  json,      ///< one JSON body, rewritten as a whole
};

/// What decides how an answer is handled.
struct response_facts {
  int status{};                         ///< of the answer
  std::string_view content_type{};      ///< value with parameters; empty if the field is missing or repeated
  std::string_view content_encoding{};  ///< value, a list; empty if the field is missing
  bool json{};    ///< rewrite a JSON answer: asks_for_answer(), and the path is one that is rewritten
  bool bypass{};  ///< rewrite nothing
};

/// Only complete 2xx answers are rewritten, JSON only if `json` is set, and nothing if `bypass` is set.
[[nodiscard]] rewrite_mode rewrite_mode_of(const response_facts& facts) noexcept;

/// Returns the first byte of a JSON text after a byte order mark and white space; nothing if \p bytes, the
/// start of the text or what follows such a start, contain nothing else. If it is `[`, the body is a
/// streamed array: pass it to session::write(), whatever its content type is.
[[nodiscard]] std::optional<char> json_opening(std::string_view bytes) noexcept;

/// Returns true if the response to a request may be a model's answer: a POST, or the GET of a stored answer
/// (request_kind::history), such as `/v1/responses/{id}`.
[[nodiscard]] bool asks_for_answer(std::string_view method, std::string_view path);

/// Returns true if \p path, with or without a query, is \p prefix or below it: `/v1/chat` is below `/v1`,
/// `/v10` is not. Both are compared as upstreams may read them: decoded, `\` as `/`, repeated slashes as one,
/// without parameters of segments (`;a=b`).
[[nodiscard]] bool is_below(std::string_view path, std::string_view prefix) noexcept;

}  // namespace citestream
