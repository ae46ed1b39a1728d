/// \file
/// The server under test and the requests of a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/upstream_url.hpp"

namespace citestream::load {

/// The parts of `http://host[:port][/path][?query]` or `https://…`.
struct target : http::upstream_url {
  std::string path;  ///< with its query; empty if the URL has neither
};

/// Parses a URL. \return an empty string, or one line that describes the error
[[nodiscard]] std::string parse_target(std::string_view text, target& out);

/// One request, always a POST of JSON.
struct request {
  std::string path;                 ///< with its query; if empty, that of the URL
  std::string body;                 ///< JSON
  bool stream{};                    ///< the body or the path requests an event stream
  std::optional<std::string> text;  ///< the text that the first choice must have
};

/// Reads JSON lines and skips empty lines. A line is the body of a request, or, if it has a member `body`,
/// `{"body":{…},"path":"/v1/chat","text":"the expected text of the answer"}` with optional `path` and `text`.
/// \return an empty string, or `line 3: description of the error`
[[nodiscard]] std::string parse_requests(std::string_view lines, std::vector<request>& out);

/// Returns a request for one streamed chat completion of \p model.
[[nodiscard]] request chat_request(std::string_view model);

/// Returns the HTTP message of \p what for \p to. \p fields are additional field lines (`Name: value`).
[[nodiscard]] std::string http_message(const request& what, const target& to,
                                       const std::vector<std::string>& fields);

}  // namespace citestream::load
