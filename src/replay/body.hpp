// The one JSON body that an API would have sent in place of a recorded stream.
#pragma once

#include <cstdint>
#include <string>

#include "recording.hpp"

namespace citestream::replay {

/// Whose events a recording holds.
enum class answer_form : std::uint8_t {
  unknown,         ///< neither of the others: there is no body for it
  chat,            ///< `chat.completion.chunk`s: anything with `choices`
  graph_question,  ///< `{"question","answer",…}`, bare or in `"data"`
};

struct answer_body {
  answer_form form{answer_form::unknown};
  std::string json;  ///< empty where the form is unknown
};

/// Joins the stream \p from. For chat: `choices[].message` with the joined content and tool calls, and of
/// every other member the last value that says something (`graph_data` with references before one without),
/// `finish_reason`, and the members of the top level, `object` being "chat.completion". For a graph question:
/// `answer` joined, and of the other members the last value that says something.
[[nodiscard]] answer_body join_stream(const recording& from);

}  // namespace citestream::replay
