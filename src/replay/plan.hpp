// What is written to a client, and when: made once for a recording, used for every answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "server.hpp"

namespace citestream::replay {

/// One write.
struct send_step {
  std::chrono::nanoseconds due{};  ///< after the start of the stream
  std::string bytes;               ///< as they go to the socket, chunk framing included
  std::size_t payload{};           ///< how many bytes of the stream they carry
  std::vector<std::size_t> times;  ///< where in `bytes` the digits of send times stand
};

struct send_plan {
  std::vector<send_step> steps;
  std::chrono::nanoseconds length{};  ///< after which a stream that loops starts over
  bool dies{};                        ///< the connection is closed after the last step, the answer not ended
};

/// The writes of \p from as \p options want it.
/// \param chunked  frame them as HTTP chunks (RFC 9112, 7.1); the last chunk is not among them
[[nodiscard]] send_plan make_plan(const recording& from, const replay_options& options, bool chunked);

}  // namespace citestream::replay
