/// \file
/// Requests of a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "target.hpp"

namespace citestream::load {

/// One request, always a POST of JSON.
struct request {
  std::string path;                 ///< with its query; empty: the URL's
  std::string body;                 ///< JSON
  bool stream{};                    ///< the body requests an event stream
  std::optional<std::string> text;  ///< the text that the first choice must have
};

/// Reads JSON lines; empty lines are skipped. A line is a request's body, or, where it has a member `body`,
/// `{"body":{…},"path":"/v1/chat","text":"what the answer has to say"}`, the last two optional.
/// \return an empty string, or `line 3: what is wrong`.
[[nodiscard]] std::string parse_requests(std::string_view lines, std::vector<request>& out);

/// A request for one streamed chat completion of \p model.
[[nodiscard]] request chat_request(std::string_view model);

/// The bytes of \p what as they go to \p to. \p fields: further field lines (`Name: value`).
[[nodiscard]] std::string http_message(const request& what, const target& to,
                                       const std::vector<std::string>& fields);

}  // namespace citestream::load
