#include "event_lines.hpp"

#include <cstddef>
#include <optional>

#include "rewrite/json.hpp"

namespace citestream {

namespace {

void append_start(std::string_view type, std::optional<std::uint64_t> delta, std::uint32_t choice,
                  std::string& out) {
  out += "{\"type\":\"";
  out += type;
  out += "\",\"delta\":";
  out += delta ? std::to_string(*delta) : "null";
  out += ",\"choice\":" + std::to_string(choice);
}

void append_text(const session_event& event, std::string& out) {
  append_start("text", event.delta, event.choice, out);
  out += ",\"text\":";
  append_json_string(event.text, out);
  out += "}\n";
}

void append_citation(const session_event& event, offset_unit unit, std::string& out) {
  append_start("citation", event.delta, event.choice, out);
  out += ",\"number\":" + std::to_string(event.record->number) + ",\"label\":";
  append_json_string(event.label, out);
  out += ",\"identifier\":";
  append_json_string(event.identifier, out);
  out += ",\"start\":" + std::to_string(event.record->start.in(unit));
  out += ",\"end\":" + std::to_string(event.record->end.in(unit));
  // Always pending, so that the output does not depend on whether the references arrived in the same read.
  out += ",\"status\":\"pending\"";
  append_finding(event.finding, *event.cites, unit, out);
  out += "}\n";
}

void append_resolved(const session_event& event, offset_unit unit, std::string& out) {
  out += "{\"type\":\"resolved\",";
  const std::size_t brace = out.size();
  append_citation_json(*event.record, *event.cites, event.choice, unit, out);
  out.erase(brace, 1);  // the record's opening brace: its members belong to this object
  out += '\n';
}

void append_end(const session_event& event, offset_unit unit, std::string& out) {
  out += "{\"type\":\"end\",\"choice\":" + std::to_string(event.choice) + ",\"finish_reason\":";
  if (event.finish_reason.empty()) {
    out += "null";
  } else {
    append_json_string(event.finish_reason, out);
  }
  out += ",\"unresolved\":";
  append_numbers(event.cites->unresolved(), out);
  out += ",\"uncited\":";
  append_reference_list(*event.cites, event.cites->uncited(), out);
  append_egress_member(event.egress, event.choice, unit, out);
  out += "}\n";
}

}  // namespace

void append_event_line(const session_event& event, offset_unit unit, std::string& out) {
  switch (event.type) {
    case session_event_type::text:
      return append_text(event, out);
    case session_event_type::citation:
      return append_citation(event, unit, out);
    case session_event_type::resolved:
      return append_resolved(event, unit, out);
    case session_event_type::end:
      return append_end(event, unit, out);
  }
}

void append_egress_member(std::span<const egress_record> found, std::uint32_t choice, offset_unit unit,
                          std::string& out) {
  if (found.empty()) return;
  out += ",\"egress\":[";
  for (const egress_record& one : found) {
    if (out.back() != '[') out += ',';
    append_egress_json(one, choice, unit, out);
  }
  out += ']';
}

void append_numbers(std::span<const std::uint32_t> numbers, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += ',';
    out += std::to_string(numbers[i]);
  }
  out += ']';
}

void append_reference_list(const citations& from, std::span<const std::uint32_t> indexes, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    if (i > 0) out += ',';
    append_reference_json(from.references()[indexes[i]], out);
  }
  out += ']';
}

}  // namespace citestream
