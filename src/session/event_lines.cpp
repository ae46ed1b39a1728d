#include "event_lines.hpp"

#include <cstddef>

#include "rewrite/json.hpp"
#include "rewrite/json_object.hpp"

namespace citestream {

namespace {

/// Begins a line with the members that texts and citations have.
object_writer begin_line(std::string_view type, const session_event& event, std::string& out) {
  object_writer line(out);
  line.string("type", type);
  line.key("delta") += event.delta ? std::to_string(*event.delta) : "null";
  line.number("choice", event.choice);
  return line;
}

void append_text(const session_event& event, std::string& out) {
  begin_line("text", event, out).string("text", event.text);
  out += "}\n";
}

void append_citation(const session_event& event, offset_unit unit, std::string& out) {
  object_writer line = begin_line("citation", event, out);
  line.number("number", event.record->number);
  line.string("label", event.label);
  line.string("identifier", event.identifier);
  line.number("start", event.record->start.in(unit));
  line.number("end", event.record->end.in(unit));
  // Always pending, so that the output does not depend on whether the references arrived in the same read.
  line.string("status", "pending");
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
  object_writer line(out);
  line.string("type", "end");
  line.number("choice", event.choice);
  line.key("finish_reason") += event.finish_reason.empty() ? "null" : json_string(event.finish_reason);
  append_json_list("unresolved", event.unresolved, out);
  append_reference_list(*event.cites, event.uncited, line.key("uncited"));
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
  append_json_list("egress", found, out,
                   [&](const egress_record& one) { append_egress_json(one, choice, unit, out); });
}

}  // namespace citestream
