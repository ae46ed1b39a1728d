#include "treatment.hpp"

namespace citestream::http {

treatment treatment_of(bool json, bool bypass, const response_head& answer) noexcept {
  answer_facts facts;
  facts.status = static_cast<int>(answer.status);
  facts.content_type = media_type(answer.all);
  facts.content_encoding = is_encoded(answer.all) ? "encoded" : "";
  facts.json = json;
  facts.bypass = bypass;
  return citestream::treatment_of(facts);
}

}  // namespace citestream::http
