#include "finding_json.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "json.hpp"

namespace citestream {
namespace {

/// Appends `start` and `end`.
void append_range(std::string_view text, std::size_t begin, std::size_t end, offset_unit unit,
                  object_writer& out) {
  text_offset place;
  place.advance(text.substr(0, begin));
  out.number("start", place.in(unit));
  place.advance(text.substr(begin, end - begin));
  out.number("end", place.in(unit));
}

void append_texts(std::string_view key, const std::vector<std::string>& texts, std::string& out) {
  if (!texts.empty()) append_json_list(key, texts, out);
}

/// Appends the member `evidence`. Returns its value, which is to be ended:
/// `{"reference":0,"start":12,"end":80`.
object_writer append_evidence(const support_evidence& place, std::span<const std::string_view> references,
                              offset_unit unit, object_writer& out) {
  object_writer evidence(out.key("evidence"));
  evidence.number("reference", place.reference);
  append_range(references[place.reference], place.begin, place.end, unit, evidence);
  return evidence;
}

void append_contradiction(const contradiction& each, std::string_view claim,
                          std::span<const std::string_view> references, offset_unit unit, std::string& out) {
  const support_evidence& found = each.found;
  object_writer object(out);
  object.string("rule", each.rule);
  object.string("claimed", claim.substr(each.claim_begin, each.claim_end - each.claim_begin));
  object.string("found", references[found.reference].substr(found.begin, found.end - found.begin));
  append_range(claim, each.claim_begin, each.claim_end, unit, object);
  append_evidence(found, references, unit, object).end();
  object.end();
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
                            object_writer& object) {
  append_share_json(support, object.key("support"));
  object.string("verdict", name(verdict));
  object.known("attributed_to", attributed_to);
  if (!evidence) {
    object.key("evidence") += "null";
    return;
  }
  object_writer place = append_evidence(*evidence, references, unit, object);
  place.string("offsets", name(unit));
  place.end();
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
  object_writer object(out, object_writer::go_on{});
  append_support_members(found.support, found.verdict, found.attributed_to, found.evidence, references, unit,
                         object);
  append_texts("matched_words", found.matched_words, out);
  append_texts("missing_numbers", found.missing_numbers, out);
  append_texts("missing_names", found.missing_names, out);
  append_texts("missing_words", found.missing_words, out);
  append_contradictions(found.contradictions, found.claim, references, unit, out);
}

}  // namespace citestream
