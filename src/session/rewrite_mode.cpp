#include <citestream/session/rewrite_mode.hpp>

#include <algorithm>
#include <array>

#include "field_text.hpp"

namespace citestream {
namespace {

/// The ends of the paths at which models answer requests.
constexpr std::array<std::string_view, 12> chat_paths{
    "/chat",       "/api/generate",     "/chat/completions", "/responses",
    "/messages",   "/interactions",     ":generateContent",  ":streamGenerateContent",
    ":rawPredict", ":streamRawPredict", "/converse",         "/converse-stream"};

/// The same below `/model/`.
constexpr std::array<std::string_view, 2> model_paths{"/invoke", "/invoke-with-response-stream"};

/// The ends of the paths to which clients post conversations that are not answered there.
constexpr std::array<std::string_view, 2> history_paths{"/messages/count_tokens", "/messages/batches"};

/// The same below `/model/`.
constexpr std::string_view model_history_path = "/count-tokens";

}  // namespace

rewrite_mode rewrite_mode_of(const answer_facts& facts) noexcept {
  if (facts.status < 200 || facts.status > 299) return rewrite_mode::pass;
  // A 204 or 205 answer has no body. A 206 answer is a part of a body and cannot be rewritten.
  if (facts.status >= 204 && facts.status <= 206) return rewrite_mode::pass;
  const std::string_view type = facts.content_type;
  const bool events = http::is_stream(type);
  const bool json = facts.json && http::same_name(http::media_type(type), "application/json");
  if (!events && !json) return rewrite_mode::pass;
  if (facts.bypass || http::is_encoded(facts.content_encoding)) return rewrite_mode::bypassed;
  return events ? rewrite_mode::events : rewrite_mode::json;
}

bool begins_array(std::string_view begin) noexcept {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (begin.starts_with(byte_order_mark)) begin.remove_prefix(byte_order_mark.size());
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && begin[first] == '[';
}

bool asks_for_answer(std::string_view method, std::string_view path) noexcept {
  if (method == "POST") return true;
  path = path.substr(0, path.find('?'));
  const auto has = [path](std::string_view part) { return path.find(part) != std::string_view::npos; };
  return method == "GET" && (has("/responses/") || has("/conversations/") || has("/interactions/"));
}

request_endpoint endpoint_of(std::string_view path) noexcept {
  path = path.substr(0, path.find('?'));
  if (path.ends_with('/')) path.remove_suffix(1);
  const auto ends = [path](std::string_view end) { return path.ends_with(end); };
  if (std::ranges::any_of(chat_paths, ends)) return request_endpoint::chat;
  if (std::ranges::any_of(history_paths, ends)) return request_endpoint::history;
  const bool of_model = path.find("/model/") != std::string_view::npos;
  if (of_model && std::ranges::any_of(model_paths, ends)) return request_endpoint::chat;
  if (of_model && ends(model_history_path)) return request_endpoint::history;
  return path.ends_with("/graphs/question") ? request_endpoint::graph_question : request_endpoint::other;
}

bool is_below(std::string_view path, std::string_view prefix) noexcept {
  path = path.substr(0, path.find('?'));
  if (prefix.ends_with('/')) prefix.remove_suffix(1);
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
}

}  // namespace citestream
