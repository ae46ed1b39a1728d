/// \file
/// Writes typed events as JSON lines.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/session/session.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace citestream {

/// Appends one of these lines, by the type of \p event:
///
/// - `{"type":"text","delta":3,"choice":0,"text":"…"}`; `delta` is null if the end of the answer released it
/// - `{"type":"citation","delta":9,"choice":0,"number":1,"label":"…","identifier":"…","start":41,"end":41,
///   "status":"pending"}`, with what the check of its claim found if its references were known before the
///   text
/// - `{"type":"resolved",…}` with all members of the citation record
/// - `{"type":"end","choice":0,"finish_reason":"stop","unresolved":[],"uncited":[…]}`; with
///   `egress` (append_egress_member()) if egress recorded URLs
void append_event_line(const session_event& event, offset_unit unit, std::string& out);

/// Appends `,"egress":[{"choice":0,"kind":"image","reason":"not_allowed","position":41}]`, or nothing if
/// \p found is empty.
void append_egress_member(std::span<const egress_record> found, std::uint32_t choice, offset_unit unit,
                          std::string& out);

}  // namespace citestream
