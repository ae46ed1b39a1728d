#include "treatment.hpp"

namespace citestream::http {
namespace {

std::string_view media_type(const response_head& answer) noexcept {
  const field* type = count(answer.all, "content-type") == 1 ? find(answer.all, "content-type") : nullptr;
  return type == nullptr ? std::string_view{} : trim(type->value.substr(0, type->value.find(';')));
}

bool is_encoded(const response_head& answer) noexcept {
  for (const field& one : answer.all) {
    if (!same_name(one.name, "content-encoding")) continue;
    std::string_view rest = one.value;
    while (const auto coding = next_element(rest)) {
      if (!same_name(*coding, "identity")) return true;
    }
  }
  return false;
}

}  // namespace

treatment treatment_of(std::string_view method, const response_head& answer) noexcept {
  // 206 is a piece of a body: nothing can be said about its text.
  if (answer.status < 200 || answer.status > 299 || answer.status == 206) return treatment::pass;
  const std::string_view type = media_type(answer);
  const bool events = same_name(type, "text/event-stream");
  const bool json = same_name(type, "application/json") && method == "POST";
  if (!events && !json) return treatment::pass;
  if (is_encoded(answer)) return treatment::bypassed;
  return events ? treatment::events : treatment::json;
}

}  // namespace citestream::http
