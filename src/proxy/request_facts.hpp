/// \file
/// What is known of one request when it has ended: one log line, and what the metrics count.
#pragma once

#include <citestream/session/session.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "trouble.hpp"

namespace citestream {

/// Filled by the connection and the exchange as the request goes on. Views live as long as the request and
/// its configuration do.
struct request_facts {
  using clock = std::chrono::steady_clock;

  clock::time_point began;        ///< when the first byte of its head was seen
  std::string id;                 ///< `X-Request-Id` as upstream gets it; empty: the head could not be read
  std::string answer_id;          ///< the answer's own, where upstream gave another
  std::string_view method;        ///< empty: as for `id`
  std::string_view target;        ///< with its query, which is never written anywhere
  std::string_view route;         ///< the name of the route; empty: none was found
  std::string_view upstream;      ///< its name
  unsigned status{};              ///< of the answer; 0: none was sent
  std::string_view refused;       ///< why the proxy did not ask upstream (\ref http::refusal); else empty
  trouble failed{trouble::none};  ///< why the answer came to no end
  std::string_view bypassed;      ///< why an answer passed that would have been rewritten; else empty

  std::uint64_t request_bytes{};   ///< of the body, as it came
  std::uint64_t upstream_bytes{};  ///< of the answer, head and framing included
  std::uint64_t client_bytes{};    ///< given to the client, heads and framing included
  clock::duration added_max{};     ///< from an arrival to the write of what it released, at most
  clock::duration hold_max{};      ///< text was withheld, at most without a break

  std::string model;             ///< as the answer says; empty: it does not
  session_statistics rewriting;  ///< when the answer has ended
  const session* running{};      ///< rewrites the answer now
};

/// How it ended: `complete`, `client_left`, a refusal's code, or what \ref trouble_name says.
[[nodiscard]] std::string_view ending(const request_facts& of) noexcept;

/// The value of the first member `"model"` in \p bytes of an answer, where it is a plain name: visible ASCII
/// without escapes, at most 64 bytes. Empty: there is none.
[[nodiscard]] std::string_view model_in(std::string_view bytes) noexcept;

}  // namespace citestream
