/// \file
/// Reference implementation of the grammars: it reads the whole text at once with plain regular expressions.
/// Links and code are found by the link reference.
#pragma once

#include <citestream/marker/grammar.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "marker/link_reference.hpp"

namespace citestream_tests {

using grammar_list = std::vector<const citestream::grammar*>;

/// One marker; positions are bytes.
struct grammar_marker {
  std::size_t begin{};
  std::size_t end{};  ///< exclusive
  std::string label;
  std::vector<std::string> keys;
  std::size_t cited_begin{};  ///< of the text that is kept
  std::size_t cited_end{};    ///< exclusive; equal to `cited_begin` if there is none
  bool silent{};              ///< it is removed and cites nothing
};

/// All markers of \p text. The one that starts first wins, then the longest, then the first in the table.
std::vector<grammar_marker> find_grammar_markers(std::string_view text, const grammar_list& on);

/// Returns true if the reference does not decide about a marker: a link's destination contains the possible
/// start of a marker other than `[`, and may fail; or a marker is the description of an image.
bool is_contested(std::string_view text, const grammar_list& on);

/// One record.
struct grammar_record {
  std::uint32_t number{};
  std::string key;
  std::string label;
  std::string marker;
  std::size_t start{};
  std::size_t end{};
  std::string claim;  ///< if the marker contains text that is kept: the output text that it supports

  friend bool operator==(const grammar_record&, const grammar_record&) = default;
};

struct grammar_output {
  std::string text;
  std::vector<grammar_record> records;

  friend bool operator==(const grammar_output&, const grammar_output&) = default;
};

/// \p text with its markers printed; `strip`, `numeric` and `mark_stays` (0x01, or 0x02 and the label, for
/// each key) only.
grammar_output print_grammars(std::string_view text, const grammar_list& on, printing how);

}  // namespace citestream_tests
