// One answer in every input form of the filter.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/chat_events.hpp"

namespace citestream_tests {

/// The answer as deltas.
inline const std::vector<std::string>& answer_deltas() {
  static const std::vector<std::string> deltas{"Revenue grew",
                                               " 20% [Rep",
                                               "ort.pdf](f1",
                                               "). Größe \U0001F680",
                                               " rose [Site](https://example.com/a)",
                                               ", too",
                                               " [X](gone)",
                                               "."};
  return deltas;
}

inline std::string answer_text() {
  std::string out;
  for (const std::string& delta : answer_deltas()) out += delta;
  return out;
}

inline constexpr std::string_view stripped_text = "Revenue grew 20%. Größe \U0001F680 rose, too.";
inline constexpr std::string_view numbered_text = "Revenue grew 20% [1]. Größe \U0001F680 rose [2], too [3].";

/// Three references: a file, a page, and one that is not cited.
inline constexpr std::string_view references_json =
    R"({"files":[{"text":"Revenue was up a fifth.","fileId":"f1","cite":"f1","score":0.9,"page":15},)"
    R"({"text":"Nobody cites this.","fileId":"f2","score":0.1}],)"
    R"("web":[{"text":"A page.","url":"https://example.com/a","title":"Site","score":0.5}]})";

inline std::string graph_data_member(std::string_view references = {}) {
  const std::string list = references.empty() ? std::string() : R"(,"references":)" + std::string(references);
  return R"(,"graph_data":{"sources":null,"status":null,"subqueries":null)" + list + "}";
}

/// One event of a choice, as Writer sends them: \p content is JSON.
inline std::string chunk(int choice, const std::string& content, const std::string& finish = "null",
                         std::string_view references = {}) {
  return event_of(R"({"id":"c1","object":"chat.completion.chunk","choices":[{"index":)" +
                  std::to_string(choice) + R"(,"finish_reason":)" + finish + R"(,"delta":{"content":)" +
                  content + R"(,"role":"assistant")" + graph_data_member(references) + "}}]}");
}

inline std::string json_text(std::string_view text) {
  return '"' + std::string(text) + '"';  // these texts need no escapes
}

/// The answer as an event stream, `[DONE]` included.
inline std::string answer_stream() {
  std::string out = ": hello\n\n" + chunk(0, "null");
  for (const std::string& delta : answer_deltas()) out += chunk(0, json_text(delta));
  return out + chunk(0, "null", "\"stop\"", references_json) + event_of("[DONE]");
}

/// Two choices, interleaved; each cites the same file.
inline std::string two_choices_stream() {
  std::string out;
  for (const auto& [first, second] :
       {std::pair{"One [A](", "Two ["}, std::pair{"f1) done.", "A](f1)"}, std::pair{" End", "."}}) {
    out += chunk(0, json_text(first)) + chunk(1, json_text(second));
  }
  return out + chunk(0, "null", "\"stop\"", references_json) +
         chunk(1, "null", "\"length\"", references_json) + event_of("[DONE]");
}

/// The answer as a body that was not streamed.
inline std::string answer_body() {
  return R"({"id":"c1","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"content":)" +
         json_text(answer_text()) + R"(,"role":"assistant")" + graph_data_member(references_json) + "}}]}";
}

/// The answer as lines of deltas, followed by its references.
inline std::string answer_lines() {
  std::string out;
  for (const std::string& delta : answer_deltas()) out += json_text(delta) + "\n";
  return out + "\r\n\n{\"references\":" + std::string(references_json) + "}\n";
}

/// The answer in every form of `--from`, by its name.
inline std::vector<std::pair<std::string, std::string>> answers_by_form() {
  return {
      {"sse", answer_stream()}, {"deltas", answer_lines()}, {"json", answer_body()}, {"text", answer_text()}};
}

}  // namespace citestream_tests
