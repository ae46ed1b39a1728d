/// \file
/// Runs answers and compares them with the reference implementation.
#pragma once

#include <citestream/session/answer.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "marker/link_reference.hpp"

namespace citestream_tests {

/// Styles that print a marker as one byte 0x01, so that all other bytes of the output are text.
extern const citestream::style mark_stays_style;
extern const citestream::style mark_goes_style;

/// The style for \p how.
const citestream::style& style_of(printing how);

/// Options for one answer.
citestream::session_options options_for(printing how, const citestream::grammar_options& markers = {});

/// The complete result of an answer.
struct answered {
  std::string text;
  std::vector<citestream::citation> citations;
};

/// Resets \p answer and feeds it \p deltas.
answered run(citestream::answer& answer, const std::vector<std::string_view>& deltas);

/// Fails the test if \p got differs from the reference. Checks offsets in all units too.
void check_against(const answered& got, const printed_text& expected, std::string_view text);

/// Returns true if the texts and all fields of all citations are equal.
bool same(const answered& left, const answered& right);

}  // namespace citestream_tests
