#include "unit_text.hpp"

#include "rewrite/json.hpp"

namespace citestream {

void repeated_text::start(std::string_view received, std::string_view sent) {
  on_ = true;
  arrive(received);
  send(sent);
}

bool repeated_text::is_all(std::string_view all, bool grown) const noexcept {
  return all.size() == received_.text().size() && (grown || all == received_.text());
}

void repeated_text::send(std::string_view released) {
  sent_.append(released);
  sent_json_.pop_back();
  append_json_body(released, sent_json_);
  sent_json_.push_back('"');
}

void repeated_text::reset() noexcept {
  on_ = differs = false;
  received_.clear();
  sent_.clear();
  sent_json_.assign("\"\"");
}

}  // namespace citestream
