#include "request.hpp"

#include <citestream/base/version.hpp>
#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <cstddef>

#include "rewrite/json.hpp"

namespace citestream::load {
namespace {

constexpr std::string_view chat_path = "/v1/chat/completions";

// Of a path and a query (RFC 3986, 3.3 and 3.4).
constexpr std::string_view url_characters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/%?";

bool is_path(std::string_view text) noexcept {
  return text.starts_with('/') && text.find_first_not_of(url_characters) == std::string_view::npos;
}

/// \return a description of the error, or an empty string
std::string read_request(json_value line, request& out) {
  if (!line.is_object()) return "not a JSON object";
  const json_value wrapped = line["body"];
  const json_value body = wrapped ? wrapped : line;
  if (!body.is_object()) return "\"body\" is not an object";
  out.body = body.raw();
  out.stream = body["stream"].boolean().value_or(false);
  if (!wrapped) return {};
  if (const json_value path = line["path"]) {
    if (!is_path(path.string())) return "\"path\" is not a path like /v1/chat";
    out.path = path.string();
    out.stream = out.stream || out.path.find("alt=sse") != std::string::npos;  // Gemini
  }
  if (const json_value text = line["text"]) {
    if (!text.is_string()) return "\"text\" is not a string";
    out.text = text.string();
  }
  return {};
}

}  // namespace

std::string parse_target(std::string_view text, target& out) {
  const std::string_view query = text.substr(std::min(text.find('?'), text.size()));
  if (query.find_first_not_of(url_characters) != std::string_view::npos)
    return "the query of the URL has a character that URLs cannot have";
  text.remove_suffix(query.size());
  const std::size_t slash = text.find('/', text.find("://") + 3);
  out.path = slash < text.size() ? text.substr(slash) : query.empty() ? "" : "/";
  out.path += query;
  return http::parse_upstream_url(text, out);
}

std::string parse_requests(std::string_view lines, std::vector<request>& out) {
  document json;  // knows the bytes of a value, so bodies are sent as they are written
  for (std::size_t number = 1; !lines.empty(); ++number) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const status error = json.parse(line);
    const std::string why =
        error ? std::string(message(error.code)) : read_request(json.root(), out.emplace_back());
    if (!why.empty()) return "line " + std::to_string(number) + ": " + why;
  }
  return out.empty() ? "contains no request" : "";
}

request chat_request(std::string_view model) {
  request out;
  out.body = "{\"model\":" + json_string(model);
  out.body +=
      ",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"Summarise the documents and cite "
      "them.\"}]}";
  out.stream = true;
  return out;
}

std::string http_message(const request& what, const target& to, const std::vector<std::string>& fields) {
  // If the URL has no path, the path of chat completions is used.
  const std::string_view url_path = to.path.empty() || to.path == "/" ? chat_path : std::string_view(to.path);
  std::string out = "POST ";
  out.append(what.path.empty() ? url_path : what.path).append(" HTTP/1.1\r\nHost: ").append(to.authority);
  out.append("\r\nContent-Type: application/json\r\nAccept: ");
  out.append(what.stream ? "text/event-stream" : "application/json");
  out.append("\r\nUser-Agent: citestream-load/").append(version());
  out.append("\r\nContent-Length: ").append(std::to_string(what.body.size())).append("\r\n");
  for (const std::string& field : fields) out.append(field).append("\r\n");
  return out.append("\r\n").append(what.body);
}

}  // namespace citestream::load
