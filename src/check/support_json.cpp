#include "support_json.hpp"

#include "rewrite/finding_json.hpp"
#include "rewrite/json.hpp"

namespace citestream {
namespace {

void append_list(std::string_view key, std::span<const std::string_view> texts, std::string& out) {
  out += ",\"";
  out += key;
  out += "\":[";
  const char* separator = "";
  for (const std::string_view text : texts) {
    out += separator;
    append_json_string(text, out);
    separator = ",";
  }
  out += ']';
}

}  // namespace

void append_support_json(const support& found, std::string_view claim,
                         std::span<const std::string_view> references, offset_unit unit, std::string& out) {
  out += "{\"support\":";
  append_share_json(found.value, out);
  out += ",\"verdict\":\"";
  out += name(found.verdict);
  out += '"';
  if (!found.attributed_to.empty()) {
    out += ",\"attributed_to\":";
    append_json_string(found.attributed_to, out);
  }
  out += ",\"evidence\":";
  if (found.evidence) {
    append_evidence_json(*found.evidence, references, unit, out);
    out += ",\"offsets\":\"";
    out += name(unit);
    out += "\"}";
  } else {
    out += "null";
  }
  append_list("missing_numbers", found.missing_numbers, out);
  append_list("missing_names", found.missing_names, out);
  append_list("missing_words", found.missing_words, out);
  out += ",\"contradicted_numbers\":[";
  const char* separator = "";
  for (const number_conflict& each : found.contradicted_numbers) {
    out += separator;
    out += "{\"claimed\":";
    append_json_string(each.claimed, out);
    out += ",\"found\":";
    append_json_string(each.found, out);
    out += '}';
    separator = ",";
  }
  out += ']';
  separator = ",\"contradictions\":[";
  for (const contradiction& each : found.contradictions) {
    out += separator;
    append_contradiction_json(each, claim, references, unit, out);
    separator = ",";
  }
  if (!found.contradictions.empty()) out += ']';
  out += '}';
}

}  // namespace citestream
