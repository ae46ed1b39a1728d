/// \file
/// Options of a session. Once set, they can be shared by any number of sessions and threads.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/offsets.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/cite/claim_check.hpp>
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
  automatic,  ///< if the style changes the text; otherwise only egress records are added
  always,
  never,
};

/// Whether the claims of citations are compared with the references that they cite.
enum class check_mode : std::uint8_t {
  off,
  report,  ///< the record of each citation has a verdict (\ref citation::finding); the text does not change
};

/// What a style prints for a citation that matches no reference. Ignored if no reference was known before the
/// text, or if the style prints nothing. A citation that is dropped or marked has number 0 until a reference
/// for it arrives.
enum class unresolved_print : std::uint8_t {
  keep,  ///< what it prints for any other citation
  drop,  ///< nothing
  mark,  ///< \ref style::unresolved, such as `[?]`
};

/// Options of a session. Objects that they point to must outlive every session made from them.
struct session_options {
  /// How citations are printed. Null: in the style of the dialect (\ref marker_rules::style), else `strip`.
  const citestream::style* style{};
  /// The grammars to use. Empty: those of the dialect (\ref dialect::grammars), and `link` for text without a
  /// dialect. If `references` are given, other than those of \ref add_provenance,
  /// \ref marker_rules::for_references are used too.
  std::vector<const grammar*> grammars;
  std::vector<marker_pattern> patterns;               ///< additional grammars
  identifier_kind identifiers{identifier_kind::any};  ///< a marker with any other identifier is text
  offset_unit offsets{offset_unit::utf16};            ///< unit of positions in JSON that is written
  const citestream::dialect* dialect{};               ///< null: recognised from the payload
  /// Dialects to try before the built-in ones, in this order. Not used if `dialect` is set.
  std::vector<const citestream::dialect*> dialects;
  additions add{additions::automatic};  ///< whether citations are added to the stream
  /// Link to a cited file, with `{file_id}`, `{page}`, `{title}`. If set, files become annotations too.
  std::string file_url;
  /// References known before the stream starts. They apply to every choice.
  std::vector<reference> references;
  /// The request went through \ref add_provenance, and `references` holds its sources. The grammar `ref` is
  /// then on as well, and a summary by key is added.
  bool provenance{};
  /// If references are known before the first text: a marker that could also be ordinary prose (`link`,
  /// `numeric`, `source`) and that cites none of them remains text. A marker that cites at least one of them
  /// (`[1, 9]`) is a citation as a whole.
  bool only_known{};
  /// What happens to a URL in the text that is neither allowed nor the URL of a reference known so far. With
  /// `enforce`, URLs are also made inert in the style's list and in the records (labels, identifiers,
  /// markers). Only the text of answers is checked: not reasoning, tool calls, or events that pass through
  /// unchanged.
  egress_mode egress{egress_mode::off};
  egress_code egress_on_code{egress_code::inert};       ///< what happens to code if egress is enforced
  std::vector<egress_pattern> egress_allowed;           ///< in addition to those of references
  bool typed_events{};                                  ///< set this to call session::next()
  unresolved_print unresolved{unresolved_print::keep};  ///< what is printed for citations without a reference
  bool repair{};  ///< corrupted identifiers are matched with references: see \ref match_kind::repaired
  check_mode check{check_mode::off};  ///< whether claims are compared with their references
  const claim_check* checker{};       ///< what compares them; null: nothing is compared, whatever `check` is
  verdict_thresholds thresholds{};    ///< when a checked claim is supported, and when it is not found
  limits bounds{};                    ///< limits of all stages

  /// Leaves answers unchanged, except for \ref egress.
  void keep_answers() noexcept {
    style = &keep_style;
    add = additions::never;
  }
};

}  // namespace citestream
