// Typed events as lines of JSON, and the lists that the document shares with them.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/session/session.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace citestream::tools {

/// `{"type":"text","delta":3,"choice":0,"text":"…"}`: \p delta is the input delta, from 0, whose arrival
/// released the text; nothing at the end.
void append_text_line(std::optional<std::uint64_t> delta, std::uint32_t choice, std::string_view text,
                      std::string& out);

/// `{"type":"citation","delta":9,"choice":0,"number":1,"label":"…","identifier":"…","start":41,"end":41,
/// "status":"pending"}`
void append_citation_line(const session_event& event, offset_unit unit, std::string& out);

/// `{"type":"resolved",…` and the whole citation record.
void append_resolved_line(std::uint32_t choice, const citation& record, const citations& from,
                          offset_unit unit, std::string& out);

/// `{"type":"end","choice":0,"finish_reason":"stop","unresolved":[],"uncited":[…]}`
void append_end_line(const session_event& event, offset_unit unit, std::string& out);

/// `,"egress":[{"choice":0,"kind":"image","reason":"not_allowed","position":41}]`, or nothing where the guard
/// found nothing.
void append_egress_member(std::span<const egress_record> found, std::uint32_t choice, offset_unit unit,
                          std::string& out);

/// `[1,3]`
void append_numbers(std::span<const std::uint32_t> numbers, std::string& out);

/// The references with those indexes, as a list.
void append_reference_list(const citations& from, std::span<const std::uint32_t> indexes, std::string& out);

}  // namespace citestream::tools
