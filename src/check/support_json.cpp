#include "support_json.hpp"

#include "rewrite/finding_json.hpp"
#include "rewrite/json.hpp"

namespace citestream {
void append_support_json(const support& found, std::string_view claim,
                         std::span<const std::string_view> references, offset_unit unit, std::string& out) {
  const auto append_texts = [&](std::string_view key, std::span<const std::string_view> texts) {
    append_json_list(key, texts, out, [&](std::string_view text) { append_json_string(text, out); });
  };
  out += '{';
  append_support_members(found.value, found.verdict, found.attributed_to, found.evidence, references, unit,
                         out);
  append_texts("matched_words", found.matched_words);
  append_texts("missing_numbers", found.missing_numbers);
  append_texts("missing_names", found.missing_names);
  append_texts("missing_words", found.missing_words);
  append_json_list("contradicted_numbers", found.contradicted_numbers, out, [&](const number_conflict& each) {
    out += "{\"claimed\":";
    append_json_string(each.claimed, out);
    out += ",\"found\":";
    append_json_string(each.found, out);
    out += '}';
  });
  append_contradictions(found.contradictions, claim, references, unit, out);
  out += '}';
}

}  // namespace citestream
