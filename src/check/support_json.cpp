#include "support_json.hpp"

#include <cmath>
#include <cstdint>

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

/// Appends `"start":…,"end":…`.
void append_range(std::string_view text, std::size_t begin, std::size_t end, offset_unit unit,
                  std::string& out) {
  text_offset place;
  place.advance(text.substr(0, begin));
  out += "\"start\":" + std::to_string(place.in(unit));
  place.advance(text.substr(begin, end - begin));
  out += ",\"end\":" + std::to_string(place.in(unit));
}

/// Appends `{"reference":…,"start":…,"end":…` without the closing brace.
void append_place(const support_evidence& place, std::span<const std::string_view> references,
                  offset_unit unit, std::string& out) {
  out += "{\"reference\":" + std::to_string(place.reference) + ',';
  append_range(references[place.reference], place.begin, place.end, unit, out);
}

void append_contradiction(const contradiction& each, std::string_view claim,
                          std::span<const std::string_view> references, offset_unit unit, std::string& out) {
  const support_evidence& found = each.found;
  out += "{\"rule\":\"";
  out += each.rule;
  out += "\",\"claimed\":";
  append_json_string(claim.substr(each.claim_begin, each.claim_end - each.claim_begin), out);
  out += ",\"found\":";
  append_json_string(references[found.reference].substr(found.begin, found.end - found.begin), out);
  out += ',';
  append_range(claim, each.claim_begin, each.claim_end, unit, out);
  out += ",\"evidence\":";
  append_place(found, references, unit, out);
  out += "}}";
}

}  // namespace

void append_share_json(double share, std::string& out) {
  const auto scaled = static_cast<std::uint32_t>(std::lround(share * 10'000));
  if (scaled >= 10'000) {
    out += '1';
    return;
  }
  if (scaled == 0) {
    out += '0';
    return;
  }
  std::string digits = std::to_string(10'000 + scaled);  // adding 10,000 keeps leading zeros
  while (digits.back() == '0') digits.pop_back();
  out += "0.";
  out.append(digits, 1);
}

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
    append_place(*found.evidence, references, unit, out);
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
    append_contradiction(each, claim, references, unit, out);
    separator = ",";
  }
  if (!found.contradictions.empty()) out += ']';
  out += '}';
}

}  // namespace citestream
