#include <citestream/dialect/api_path.hpp>
#include <citestream/session/rewrite_mode.hpp>

#include "base/field_text.hpp"
#include "base/path_reader.hpp"
#include "framing/frame.hpp"

namespace citestream {

rewrite_mode rewrite_mode_of(const response_facts& facts) noexcept {
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

std::optional<char> json_opening(std::string_view bytes) noexcept {
  const std::size_t first = bytes.find_first_not_of(before_json);
  return first == std::string_view::npos ? std::nullopt : std::optional(bytes[first]);
}

bool asks_for_answer(std::string_view method, std::string_view path) {
  return method == "POST" || (method == "GET" && find_api(path).kind == request_kind::history);
}

bool is_below(std::string_view path, std::string_view prefix) noexcept {
  return after_path(path, prefix).has_value();
}

}  // namespace citestream
