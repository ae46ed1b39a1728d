/// \file
/// Short streams of three forms, and the texts that a client must receive for any prefix of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_tests {

struct fault_stream {
  std::string name;
  std::vector<std::string>
      events;                ///< with comments; the last one before an optional `[DONE]` has the finish
  std::size_t references{};  ///< index of the event that has them
  std::string marker;        ///< the form of a citation, as a regular expression
  [[nodiscard]] std::string raw() const;
};

/// Streams of 1 to 2 KiB: Writer's form; OpenAI's form with two choices, CRLF and no `[DONE]`; a RAG
/// server's.
[[nodiscard]] const std::vector<fault_stream>& fault_streams();

/// The output that a client must receive for the bytes that arrived.
struct expected_view {
  std::vector<std::string> texts;   ///< of each choice, without markers
  std::vector<std::string> blocks;  ///< unchanged events without choices, in order
  std::size_t events{};             ///< number of events with choices
  std::size_t ends{};               ///< number of choices that have ended
  bool whole{};                     ///< the answer is complete
  bool error{};                     ///< the client gets an error event
};

/// \param framed  the body ended as HTTP requires
[[nodiscard]] expected_view expect(const fault_stream& of, std::string_view arrived, bool framed);

/// Compares \p body, which a client received, with \p expected. \return the difference, or an empty string
[[nodiscard]] std::string difference(const expected_view& expected, const fault_stream& of,
                                     std::string_view body);

}  // namespace citestream_tests
