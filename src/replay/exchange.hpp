// What is answered to a request: which recording, as a stream or as a body, or an error. No sockets here.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "replay/body.hpp"
#include "replay/plan.hpp"
#include "server.hpp"

namespace citestream::replay {

/// A recording, ready to be sent.
struct prepared_recording {
  std::string name;
  std::string content_type;
  bool stream{};      ///< its bytes are an event stream; else they are a body as they are
  answer_body body;   ///< in place of a stream
  send_plan chunked;  ///< for HTTP/1.1
  send_plan bare;     ///< for HTTP/1.0: without chunk framing
};

/// What to answer. With `stream` set, that recording's stream; else `body`.
struct answer {
  unsigned status{200};
  const prepared_recording* stream{};
  std::string content_type{"application/json"};
  std::string body;
  std::string allow;  ///< for 405
  std::string note;   ///< for the log
};

/// `{"error":{"message","type","code"}}` with \p status.
[[nodiscard]] answer error_answer(unsigned status, std::string_view code, std::string_view message);

/// The recordings, and whose turn it is.
class repertoire {
 public:
  explicit repertoire(const replay_options& options);

  /// \param target  the request's, with its query
  [[nodiscard]] answer respond(std::string_view method, std::string_view target, std::string_view body);

 private:
  [[nodiscard]] const prepared_recording* choose(std::string_view model, answer_form wanted);
  [[nodiscard]] answer respond_with_recording(std::string_view body, answer_form wanted);
  [[nodiscard]] std::string models() const;

  std::vector<prepared_recording> recordings_;
  std::size_t turn_{};
};

}  // namespace citestream::replay
