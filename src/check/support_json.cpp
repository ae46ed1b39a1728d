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

void append_place(std::string_view key, std::string_view before, offset_unit unit, std::string& out) {
  text_offset place;
  place.advance(before);
  out += ",\"";
  out += key;
  out += "\":" + std::to_string(place.in(unit));
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

void append_support_json(const support& found, std::span<const std::string_view> references, offset_unit unit,
                         std::string& out) {
  out += "{\"support\":";
  append_share_json(found.value, out);
  if (!found.attributed_to.empty()) {
    out += ",\"attributed_to\":";
    append_json_string(found.attributed_to, out);
  }
  out += ",\"evidence\":";
  if (found.evidence) {
    const std::string_view text = references[found.evidence->reference];
    out += "{\"reference\":" + std::to_string(found.evidence->reference);
    append_place("start", text.substr(0, found.evidence->begin), unit, out);
    append_place("end", text.substr(0, found.evidence->end), unit, out);
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
  if (!found.negated_words.empty()) append_list("negated_words", found.negated_words, out);
  out += '}';
}

}  // namespace citestream
