#include "treatment.hpp"

namespace citestream::http {

treatment treatment_of(std::string_view method, const response_head& answer) noexcept {
  // 206 is a piece of a body: nothing can be said about its text.
  if (answer.status < 200 || answer.status > 299 || answer.status == 206) return treatment::pass;
  const std::string_view type = media_type(answer.all);
  const bool events = same_name(type, "text/event-stream");
  const bool json = same_name(type, "application/json") && method == "POST";
  if (!events && !json) return treatment::pass;
  if (is_encoded(answer.all)) return treatment::bypassed;
  return events ? treatment::events : treatment::json;
}

}  // namespace citestream::http
