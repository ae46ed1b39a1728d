/// \file
/// What is changed in the body of a request on its way to upstream.
#pragma once

#include <citestream/provenance/provenance.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "http/message_head.hpp"
#include "server.hpp"

namespace citestream::http {

/// What became of one request's body.
struct rewritten_request {
  bool changed{};     ///< the body is another one now
  bool unread{};      ///< it was to be read and could not be: compressed, no JSON, ambiguous, too large
  bool provenance{};  ///< it was read, and `registry` holds its sources: the answer's keys are theirs
  provenance_registry registry;
};

/// Rewrites \p body in place as \p how says. Only JSON that is posted to a path that ends with `/chat` or
/// `/chat/completions`, or, for inline citations, `/graphs/question`, is looked at. \p path is upstream's,
/// with the query. A body that cannot be read stays as it came.
[[nodiscard]] rewritten_request rewrite_request(const request_head& head, std::string_view path,
                                                const request_rewriting& how, std::string& body);

}  // namespace citestream::http
