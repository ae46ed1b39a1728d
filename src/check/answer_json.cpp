#include <citestream/check/answer_check.hpp>

#include <span>

#include "rewrite/finding_json.hpp"
#include "rewrite/json.hpp"
#include "support_json.hpp"

namespace citestream {
namespace {

void append_place(const text_span& place, offset_unit unit, std::string& out) {
  out +=
      "\"start\":" + std::to_string(place.start.in(unit)) + ",\"end\":" + std::to_string(place.end.in(unit));
}

void append_claim(const claim_report& claim, std::string_view text, const citations& cites,
                  std::span<const std::string_view> texts, offset_unit unit, std::string& out) {
  out += "{\"text\":";
  const auto begin = static_cast<std::size_t>(claim.place.start.utf8);
  const std::string_view claim_text =
      text.substr(begin, static_cast<std::size_t>(claim.place.end.utf8) - begin);
  append_json_string(claim_text, out);
  out += ',';
  append_place(claim.place, unit, out);
  append_json_list("citations", claim.citations, out,
                   [&](std::uint32_t index) { out += std::to_string(cites.at(index).number); });
  append_json_list("references", claim.finding.references, out,
                   [&](std::uint32_t index) { out += std::to_string(index); });
  out += ",\"grounded\":";
  out += json_of(claim.grounded);
  out += ",\"reason\":";
  append_json_string(claim.reason, out);
  if (claim.judged) out += ",\"judged\":true";
  const claim_finding& found = claim.finding;
  out += ',';
  append_support_members(found.support, found.verdict, found.attributed_to, found.evidence, texts, unit, out);
  append_support_lists(found, claim.contradicted_numbers, out);
  append_contradictions(found.contradictions, claim_text, texts, unit, out);
  if (const auto& at = found.evidence) {
    const std::string_view whole = cites.references()[at->reference].text;
    out += ",\"evidence_text\":";
    append_json_string(snippet(whole.substr(at->begin, at->end - at->begin)), out);
  }
  out += '}';
}

void append_citation(const citation& cite, const citations& cites, offset_unit unit, std::string& out) {
  out += "{\"number\":" + std::to_string(cite.number) + ",\"marker\":";
  append_json_string(cite.marker, out);
  out += ",\"identifier\":";
  append_json_string(cite.identifier, out);
  out += ",\"title\":";
  append_json_string(cites.title(cite), out);
  out += ",\"status\":";
  append_json_string(name(cite.status), out);
  out += ',';
  append_place({cite.start, cite.end}, unit, out);
  append_json_list("references", cite.references, out,
                   [&](std::uint32_t index) { out += std::to_string(index); });
  out += '}';
}

}  // namespace

void append_answer_report_json(const answer_report& report, std::string_view text, const citations& cites,
                               offset_unit unit, std::string& out) {
  std::vector<std::string_view> texts;
  for (const reference& each : cites.references()) texts.emplace_back(each.text);
  out += "\"grounded\":";
  out += json_of(report.grounded);
  out += report.hallucination_detected ? ",\"hallucination_detected\":true"
                                       : ",\"hallucination_detected\":false";
  append_json_list("claims", report.claims, out,
                   [&](const claim_report& claim) { append_claim(claim, text, cites, texts, unit, out); });
  out += ",\"citations\":[";
  for (std::size_t i = 0; i < cites.count(); ++i) {
    if (i > 0) out += ',';
    append_citation(cites.at(i), cites, unit, out);
  }
  out += ']';
  append_json_list("invented", report.invented, out,
                   [&](std::uint32_t index) { append_json_string(cites.all()[index].identifier, out); });
  append_json_list("uncited", cites.uncited(), out,
                   [&](std::uint32_t index) { out += std::to_string(index); });
  append_json_list("incomplete_sources", report.incomplete, out, [&](const reference_report& each) {
    out += "{\"reference\":" + std::to_string(each.reference);
    append_json_list("missing", each.missing, out,
                     [&](std::string_view field) { append_json_string(field, out); });
    out += '}';
  });
}

}  // namespace citestream
