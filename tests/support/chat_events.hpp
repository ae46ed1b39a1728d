/// \file
/// Events of a stream of chat completions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rewrite/json.hpp"

namespace citestream_tests {

inline std::string event_of(std::string_view data) {
  return "data: " + std::string(data) + "\n\n";
}

/// One delta of a choice. \p finish is JSON.
inline std::string chat_event(std::string_view text, std::string_view finish = "null",
                              std::size_t choice = 0) {
  return event_of(R"({"object":"chat.completion.chunk","choices":[{"index":)" + std::to_string(choice) +
                  R"(,"delta":{"content":)" + citestream::json_string(text) + R"(},"finish_reason":)" +
                  std::string(finish) + "}]}");
}

}  // namespace citestream_tests
