// Short streams of three forms, and the texts that a client has to find in any part of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_tests {

struct fault_stream {
  std::string name;
  std::vector<std::string>
      events;                ///< comments too; the last but `[DONE]`, where there is one, has the finish
  std::size_t references{};  ///< which event brings them
  std::string marker;        ///< what a citation looks like, as a regular expression
  [[nodiscard]] std::string raw() const;
};

/// Between 1 and 2 KiB each: Writer's form, OpenAI's with two choices and CRLF and no `[DONE]`, a RAG
/// server's.
[[nodiscard]] const std::vector<fault_stream>& fault_streams();

/// What a client has to see of the bytes that came.
struct expected_view {
  std::vector<std::string> texts;   ///< of each choice, without markers
  std::vector<std::string> blocks;  ///< events that say nothing of a choice, as they came, in order
  std::size_t events{};             ///< those that do
  std::size_t ends{};               ///< of choices
  bool whole{};                     ///< the answer came to its end
  bool error{};                     ///< the client is told of the failure by an event
};

/// \param framed  the end of the body came as HTTP says it
[[nodiscard]] expected_view expect(const fault_stream& of, std::string_view arrived, bool framed);

/// Whether \p body, which a client got, is what \p expected says. \return what is wrong; else empty.
[[nodiscard]] std::string difference(const expected_view& expected, const fault_stream& of,
                                     std::string_view body);

}  // namespace citestream_tests
