/// \file
/// What a session is to do. Shared freely between sessions and threads once set.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/offsets.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/dialect/dialect.hpp>
#include <citestream/egress/egress.hpp>
#include <citestream/marker/grammar.hpp>
#include <citestream/marker/pattern.hpp>
#include <citestream/style/style.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace citestream {

/// Whether citations are added to the stream.
enum class additions : std::uint8_t {
  automatic,  ///< unless the style leaves the text as it came: then only what the egress guard found is
  always,
  never,
};

/// What a session is to do. What is pointed to outlives every session made from it.
struct session_options {
  const citestream::style* style{&strip_style};  ///< how citations are printed; never null
  /// What citations look like; empty: as the dialect says (\ref dialect::grammars), and `link` for text
  /// without a dialect. Where `references` are given without `provenance`, a dialect of a general form is
  /// read with those of `rag` besides.
  std::vector<const grammar*> grammars;
  std::vector<marker_pattern> patterns;               ///< further ones, beside those
  identifier_kind identifiers{identifier_kind::any};  ///< a marker with another one is text
  offset_unit offsets{offset_unit::utf16};            ///< of positions in JSON that leaves
  const citestream::dialect* dialect{};               ///< null: recognised from the payload
  additions add{additions::automatic};                ///< what the stream is given besides its text
  /// A link to a cited file, with `{file_id}`, `{page}`, `{title}`: files then become annotations too.
  std::string file_url;
  /// References known before the stream starts; they count for every choice.
  std::vector<reference> references;
  /// The request went through \ref add_provenance, whose registry is in `references`: `ref` is on beside the
  /// other grammars, and what is added has a summary by key.
  bool provenance{};
  /// Where references are known before the first text: a marker that prose may look like (`link`, `numeric`,
  /// `source`) and that means none of them stays text, in its place, and is no citation. One that means at
  /// least one of them (`[1, 9]`) is a citation as a whole.
  bool only_known{};
  /// What becomes of addresses in the text that are neither a reference's, known by then, nor allowed. Where
  /// it is enforced, labels, identifiers and markers in records are inert in the same way, until a reference
  /// is found to be meant. Only texts of answers are looked at: not reasoning, tool calls, or what passes
  /// unread. The list that a style prints has references' addresses only.
  egress_mode egress{egress_mode::off};
  std::vector<egress_pattern> egress_allowed;  ///< beside those of references
  bool typed_events{};                         ///< session::next() is going to be called
  limits bounds{};                             ///< of every stage
};

}  // namespace citestream
