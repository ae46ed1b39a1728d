#include <citestream/check/answer_check.hpp>

#include <span>

#include "rewrite/finding_json.hpp"
#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"

namespace citestream {
namespace {

std::string_view json_of(grounding value) noexcept {
  return value == grounding::yes ? "true" : value == grounding::no ? "false" : "\"unknown\"";
}

void append_place(const text_span& place, offset_unit unit, object_writer& out) {
  out.number("start", place.start.in(unit));
  out.number("end", place.end.in(unit));
}

void append_claim(const claim_report& claim, std::string_view text, const citations& cites,
                  std::span<const std::string_view> texts, offset_unit unit, std::string& out) {
  const auto begin = static_cast<std::size_t>(claim.place.start.utf8);
  const std::string_view claim_text =
      text.substr(begin, static_cast<std::size_t>(claim.place.end.utf8) - begin);
  object_writer object(out);
  object.string("text", claim_text);
  append_place(claim.place, unit, object);
  append_json_list("citations", claim.citations, out,
                   [&](std::uint32_t index) { out += std::to_string(cites.at(index).number); });
  append_json_list("references", claim.finding.references, out);
  object.key("grounded") += json_of(claim.grounded);
  object.string("reason", claim.reason);
  if (claim.compared == claim_comparison::judge) object.boolean("judged", true);
  append_finding_members(claim.finding, claim_text, &claim.contradicted_numbers, texts, unit, object);
  if (const auto& at = claim.finding.evidence) {
    const std::string_view whole = cites.references()[at->reference].text;
    object.string("evidence_text", snippet(whole.substr(at->begin, at->end - at->begin)));
  }
  object.end();
}

void append_citation(const citation& cite, const citations& cites, offset_unit unit, std::string& out) {
  object_writer object(out);
  object.number("number", cite.number);
  object.string("marker", cite.marker);
  object.string("identifier", cite.identifier);
  object.string("title", cites.title(cite));
  object.string("status", name(cite.status));
  append_place({cite.start, cite.end}, unit, object);
  append_json_list("references", cite.references, out);
  object.end();
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
  append_json_list("uncited", cites.uncited(), out);
  append_json_list("incomplete_sources", report.incomplete, out, [&](const reference_report& each) {
    object_writer object(out);
    object.number("reference", each.reference);
    append_json_list("missing", each.missing, out);
    object.end();
  });
}

}  // namespace citestream
