#include "treatment.hpp"

namespace citestream::http {

treatment treatment_of(bool json, bool bypass, const response_head& answer) noexcept {
  // 206 is a piece of a body: nothing can be said about its text.
  if (answer.status < 200 || answer.status > 299 || answer.status == 206) return treatment::pass;
  const std::string_view type = media_type(answer.all);
  const bool events = same_name(type, "text/event-stream");
  if (!events && !(json && same_name(type, "application/json"))) return treatment::pass;
  if (bypass || is_encoded(answer.all)) return treatment::bypassed;
  return events ? treatment::events : treatment::json;
}

}  // namespace citestream::http
