/// \file
/// Reference implementation of links and styles, with which the scanner and the styles are compared. It reads
/// the whole text at once and is written to be readable.
#pragma once

#include <citestream/marker/grammar.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_tests {

/// Returns true for a control character of ASCII.
inline bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// Whether \p c is ASCII punctuation, which a backslash escapes.
bool is_punctuation(char c);

/// Limits that short texts reach.
inline citestream::grammar_options small_limits() {
  citestream::grammar_options out;
  out.bounds.max_label_bytes = 6;
  out.bounds.max_identifier_bytes = 8;
  out.bounds.max_title_bytes = 4;
  out.bounds.max_parentheses = 2;
  return out;
}

/// One `[label](identifier)` in a text; positions are bytes.
struct found_marker {
  std::size_t begin{};
  std::size_t end{};  ///< exclusive
  std::string label;
  std::string identifier;
};

/// All link markers of \p text, in order. Ignores `max_marker_bytes`.
std::vector<found_marker> find_markers(std::string_view text, const citestream::grammar_options& options);

/// How markers are printed.
enum class printing : std::uint8_t {
  keep,
  strip,
  numeric,
  mark_stays,  ///< one byte 0x01 for each marker; white space is kept
  mark_goes,   ///< one byte 0x01 for each marker; blanks before a marker are removed
};

/// The part of a citation that follows from the text alone.
struct printed_citation {
  std::uint32_t number{};
  std::string label;
  std::string identifier;
  std::string marker;
  std::size_t start{};  ///< byte of the printed text
  std::size_t end{};

  friend bool operator==(const printed_citation&, const printed_citation&) = default;
};

struct printed_text {
  std::string text;
  std::vector<printed_citation> citations;
};

/// \p text with its \p markers printed according to \p how.
printed_text print_markers(std::string_view text, const std::vector<found_marker>& markers, printing how);

/// What tells the source of \p identifier from others without any references: the page of a URL, the place
/// that a number or `src_4` names (numbers count from 0 if \p from_zero), or the identifier.
std::string source_of(const std::string& identifier, bool from_zero);

/// Finds the markers and prints them.
printed_text print(std::string_view text, const citestream::grammar_options& options, printing how);

}  // namespace citestream_tests
