#include <citestream/session/treatment.hpp>

#include "field_text.hpp"

namespace citestream {

treatment treatment_of(const answer_facts& facts) noexcept {
  if (facts.status < 200 || facts.status > 299) return treatment::pass;
  // A 204 or 205 answer has no body. A 206 answer is a part of a body and cannot be rewritten.
  if (facts.status >= 204 && facts.status <= 206) return treatment::pass;
  const std::string_view type = http::media_type(facts.content_type);
  const bool events = http::same_name(type, "text/event-stream");
  if (!events && !(facts.json && http::same_name(type, "application/json"))) return treatment::pass;
  if (facts.bypass || http::is_encoded(facts.content_encoding)) return treatment::bypassed;
  return events ? treatment::events : treatment::json;
}

bool is_below(std::string_view path, std::string_view prefix) noexcept {
  path = path.substr(0, path.find('?'));
  if (prefix.ends_with('/')) prefix.remove_suffix(1);
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/');
}

}  // namespace citestream
