/// \file
/// Running answers and comparing them with the reference.
#pragma once

#include <citestream/session/answer.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "marker/reference.hpp"

namespace citestream_tests {

/// Styles that print a marker as one byte 0x01, so that every other byte of the text stands for itself.
extern const citestream::style mark_stays_style;
extern const citestream::style mark_goes_style;

/// The style that prints as \p how says.
const citestream::style& style_of(printing how);

/// Options for one answer.
citestream::session_options options_for(printing how, const citestream::grammar_options& markers = {});

/// All that an answer gives.
struct answered {
  std::string text;
  std::vector<citestream::citation> citations;
};

/// \p deltas through \p answer, which is reset first.
answered run(citestream::answer& answer, const std::vector<std::string_view>& deltas);

/// Fails the test where \p got is not what the reference says; offsets in all units are checked too.
void check_against(const answered& got, const printed_text& expected, std::string_view text);

/// Whether every field of every citation and the text are equal.
bool same(const answered& left, const answered& right);

}  // namespace citestream_tests
