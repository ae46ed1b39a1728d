/// \file
/// The writes of a recorded stream and their times. Made once per recording and used for every answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "server.hpp"

namespace citestream::replay {

/// One write.
struct send_step {
  std::chrono::nanoseconds due{};  ///< after the start of the stream
  std::string bytes;               ///< for the socket, with chunk framing
  std::size_t payload{};           ///< bytes of the stream in `bytes`
  std::vector<std::size_t> times;  ///< offsets of the digits of send times in `bytes`
};

/// All writes of a stream.
struct send_plan {
  std::vector<send_step> steps;
  std::chrono::nanoseconds length{};  ///< the period of a looping stream
  bool dies{};                        ///< close the connection after the last step without ending the answer
};

/// Makes the plan for \p from.
/// \param chunked  frame the bytes as HTTP chunks (RFC 9112, 7.1), without the last chunk
[[nodiscard]] send_plan make_plan(const recording& from, const replay_options& options, bool chunked);

}  // namespace citestream::replay
