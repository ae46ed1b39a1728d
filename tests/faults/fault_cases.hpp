/// \file
/// The faults of an upstream, the bytes that reach the proxy, and the expected output.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "faults/fault_streams.hpp"
#include "faults/fault_upstream.hpp"
#include "proxy/request_facts.hpp"

namespace citestream_tests {

struct fault_case {
  std::string name;
  const fault_stream* of{};  ///< if null, only the status is checked
  fault_plan plan;
  std::string arrived;                                 ///< the body, as far as the proxy can read it
  citestream::failure why{citestream::failure::none};  ///< the failure of its framing
  unsigned status{200};
  std::string style;  ///< requested; empty: as configured
  bool known{};       ///< compare with the library's output only, without further checks
};

/// The answer's head, in chunks and one chunk of it.
extern const std::string fault_head;
[[nodiscard]] std::string framed(std::string_view data);

/// All faults after the first \p size bytes of the body, selected in turn.
inline constexpr std::size_t cut_kinds = 7;
[[nodiscard]] fault_case cut_case(const fault_stream& of, const std::string& raw, std::size_t size,
                                  std::size_t kind);
/// The upstream stops sending after \p size bytes. The test takes as long as a timeout.
[[nodiscard]] fault_case silent_case(const fault_stream& of, const std::string& raw, std::size_t size);
/// Faults of whole events at each boundary between events.
[[nodiscard]] std::vector<fault_case> event_cases(const fault_stream& of);
/// A head truncated after each of its bytes.
[[nodiscard]] std::vector<fault_case> head_cases();

}  // namespace citestream_tests
