/// \file
/// Selects the answer to a request: a recording, as a stream or as a body, or an error. No I/O.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/body.hpp"
#include "replay/plan.hpp"
#include "server.hpp"

namespace citestream::replay {

/// A stream prepared for sending.
struct prepared_stream {
  std::string name;  ///< of its recording
  std::string content_type;
  send_plan chunked;  ///< for HTTP/1.1
  send_plan bare;     ///< for HTTP/1.0: without chunk framing
};

/// A recording prepared for sending.
struct prepared_recording {
  prepared_stream recorded;               ///< in the framing of the recording
  std::optional<prepared_stream> events;  ///< the event stream, if its API also has a JSON array
  std::optional<prepared_stream> array;   ///< the same as one JSON array
  bool streams{};                         ///< false if the recorded bytes are the body
  answer_body body;                       ///< the answer without streaming
};

/// The answer to a request: the stream of `stream` if set, otherwise `body`.
struct answer {
  unsigned status{200};
  const prepared_stream* stream{};
  std::string content_type{"application/json"};
  std::string body;
  std::string fields;  ///< further header fields, each with CRLF
  std::string note;    ///< for the log
};

/// The answer that a request path selects.
struct endpoint {
  answer_form form{};           ///< unknown: there is no such endpoint
  std::optional<bool> streams;  ///< not set: `stream` of the request body decides
  std::string_view model;       ///< empty: `model` of the request body is used
  bool array{};                 ///< the stream is one JSON array
};

/// Returns `{"error":{"message","type","code"}}` with \p status.
[[nodiscard]] answer error_answer(unsigned status, std::string_view code, std::string_view message);

/// The recordings, prepared for sending, and the one whose turn is next.
class recording_set {
 public:
  explicit recording_set(const replay_options& options);

  /// Answers one request.
  /// \param target  of the request, with its query
  [[nodiscard]] answer respond(std::string_view method, std::string_view target, std::string_view body);

 private:
  [[nodiscard]] const prepared_recording* choose(std::string_view model, answer_form wanted);
  [[nodiscard]] const page_file* find_page(std::string_view method, std::string_view path) const;
  [[nodiscard]] answer respond_with_recording(std::string_view body, const endpoint& wanted);
  [[nodiscard]] std::string models() const;

  std::vector<prepared_recording> recordings_;
  std::vector<page_file> page_;  ///< by path
  std::size_t turn_{};
};

}  // namespace citestream::replay
