#include "support_json.hpp"

#include "rewrite/finding_json.hpp"

namespace citestream {

void append_support_json(const support& found, std::string_view claim,
                         std::span<const std::string_view> references, offset_unit unit, std::string& out) {
  object_writer object(out);
  append_support_members(found.value, found.verdict, found.attributed_to, found.evidence, references, unit,
                         object);
  append_support_lists(found, found.contradicted_numbers, out);
  append_contradictions(found.contradictions, claim, references, unit, out);
  object.end();
}

}  // namespace citestream
