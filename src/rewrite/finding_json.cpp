#include "finding_json.hpp"

#include <cmath>
#include <cstdint>

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

void append_finding_members(const claim_finding& found, std::string_view claim,
                            const number_pairs* contradicted, std::span<const std::string_view> references,
                            offset_unit unit, object_writer& object) {
  append_share_json(found.support, object.key("support"));
  object.string("verdict", name(found.verdict));
  object.known("attributed_to", found.attributed_to);
  if (found.evidence) {
    object_writer place = append_evidence(*found.evidence, references, unit, object);
    place.string("offsets", name(unit));
    place.end();
  } else {
    object.key("evidence") += "null";
  }
  const auto append_words = [&](const member_key& key, const std::vector<std::string>& words) {
    if (contradicted != nullptr || !words.empty()) append_json_array(words, object.key(key));
  };
  append_words("matched_words", found.matched_words);
  append_words("missing_numbers", found.missing_numbers);
  append_words("missing_names", found.missing_names);
  append_words("missing_words", found.missing_words);
  if (contradicted != nullptr) {
    std::string& out = object.key("contradicted_numbers");
    append_json_array(*contradicted, out, [&](const auto& each) {
      object_writer pair(out);
      pair.string("claimed", each.first);
      pair.string("found", each.second);
      pair.end();
    });
  }
  if (!found.contradictions.empty()) {
    std::string& out = object.key("contradictions");
    append_json_array(found.contradictions, out, [&](const contradiction& each) {
      append_contradiction(each, claim, references, unit, out);
    });
  }
}

}  // namespace citestream
