#include "finding_json.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "json.hpp"

namespace citestream {
namespace {

/// Appends `"start":…,"end":…`.
void append_range(std::string_view text, std::size_t begin, std::size_t end, offset_unit unit,
                  std::string& out) {
  text_offset place;
  place.advance(text.substr(0, begin));
  out += "\"start\":" + std::to_string(place.in(unit));
  place.advance(text.substr(begin, end - begin));
  out += ",\"end\":" + std::to_string(place.in(unit));
}

void append_texts(std::string_view key, const std::vector<std::string>& texts, std::string& out) {
  if (texts.empty()) return;
  append_json_list(key, texts, out, [&](const std::string& text) { append_json_string(text, out); });
}

/// Appends `{"reference":0,"start":12,"end":80` without the closing brace.
void append_evidence(const support_evidence& place, std::span<const std::string_view> references,
                     offset_unit unit, std::string& out) {
  out += "{\"reference\":" + std::to_string(place.reference) + ',';
  append_range(references[place.reference], place.begin, place.end, unit, out);
}

void append_contradiction(const contradiction& each, std::string_view claim,
                          std::span<const std::string_view> references, offset_unit unit, std::string& out) {
  const support_evidence& found = each.found;
  out.append("{\"rule\":\"").append(each.rule).append("\",\"claimed\":");
  append_json_string(claim.substr(each.claim_begin, each.claim_end - each.claim_begin), out);
  out += ",\"found\":";
  append_json_string(references[found.reference].substr(found.begin, found.end - found.begin), out);
  out += ',';
  append_range(claim, each.claim_begin, each.claim_end, unit, out);
  out += ",\"evidence\":";
  append_evidence(found, references, unit, out);
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

void append_support_members(double support, claim_verdict verdict, std::string_view attributed_to,
                            const std::optional<support_evidence>& evidence,
                            std::span<const std::string_view> references, offset_unit unit,
                            std::string& out) {
  out += "\"support\":";
  append_share_json(support, out);
  out.append(",\"verdict\":\"").append(name(verdict)).append("\"");
  if (!attributed_to.empty()) {
    out += ",\"attributed_to\":";
    append_json_string(attributed_to, out);
  }
  out += ",\"evidence\":";
  if (evidence) {
    append_evidence(*evidence, references, unit, out);
    out.append(",\"offsets\":\"").append(name(unit)).append("\"}");
  } else {
    out += "null";
  }
}

void append_contradictions(std::span<const contradiction> found, std::string_view claim,
                           std::span<const std::string_view> references, offset_unit unit, std::string& out) {
  if (found.empty()) return;
  append_json_list("contradictions", found, out, [&](const contradiction& each) {
    append_contradiction(each, claim, references, unit, out);
  });
}

void append_finding_members(const claim_finding& found, std::span<const std::string_view> references,
                            offset_unit unit, std::string& out) {
  out += ',';
  append_support_members(found.support, found.verdict, found.attributed_to, found.evidence, references, unit,
                         out);
  append_texts("matched_words", found.matched_words, out);
  append_texts("missing_numbers", found.missing_numbers, out);
  append_texts("missing_names", found.missing_names, out);
  append_texts("missing_words", found.missing_words, out);
  append_contradictions(found.contradictions, found.claim, references, unit, out);
}

}  // namespace citestream
