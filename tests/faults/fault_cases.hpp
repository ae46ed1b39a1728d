// What an upstream does to an answer, what of it the proxy has seen, and what its client gets.
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
  const fault_stream* of{};  ///< null: only the status counts
  fault_plan plan;
  std::string arrived;                                 ///< the body, as far as the proxy can read it
  citestream::failure why{citestream::failure::none};  ///< what is the matter with its framing
  unsigned status{200};
  std::string style;  ///< asked for; empty: as configured
  bool known{};       ///< the client's view is as the library says, and not looked at besides
};

/// The answer's head, in chunks and one chunk of it.
extern const std::string fault_head;
[[nodiscard]] std::string framed(std::string_view data);

/// Everything that can happen behind the first \p size bytes of the body, in turn.
inline constexpr std::size_t cut_kinds = 7;
[[nodiscard]] fault_case cut_case(const fault_stream& of, const std::string& raw, std::size_t size,
                                  std::size_t kind);
/// The upstream falls silent there. Costs a timeout.
[[nodiscard]] fault_case silent_case(const fault_stream& of, const std::string& raw, std::size_t size);
/// What goes wrong with whole events, at each of their boundaries.
[[nodiscard]] std::vector<fault_case> event_cases(const fault_stream& of);
/// The head breaks off after each of its bytes.
[[nodiscard]] std::vector<fault_case> head_cases();

}  // namespace citestream_tests
