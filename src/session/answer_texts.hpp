/// \file
/// The two texts of an answer: the one that arrives and the one that is sent.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/cite/citations.hpp>
#include <citestream/session/options.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "active_grammars.hpp"
#include "base/text_edits.hpp"
#include "base/wide_index.hpp"
#include "cite/claim.hpp"
#include "egress/egress_stage.hpp"
#include "found_citations.hpp"
#include "marker/scanner.hpp"
#include "style/styled_text.hpp"
#include "text_parts.hpp"

namespace citestream {

/// The received text: the claims in it and its positions.
struct incoming_text {
  explicit incoming_text(const session_options& options)
      : wants_places(options.typed_events || options.add != additions::never) {}

  /// From now on, indexes the characters outside ASCII. A text without citations needs no index.
  void keep_places() {
    if (wide.started() || !wants_places) return;
    claims.index(&wide);
    wide.start(claims.position());
  }
  /// Converts a position to all units. Nothing if that is not known.
  [[nodiscard]] std::optional<text_offset> place(std::uint64_t pushed, offset_unit unit) const noexcept {
    const text_offset all = claims.position();
    const std::uint64_t known = std::min(pushed, all.in(unit));
    if (wide.started()) return wide.find(known, unit);
    if (all.utf8 == all.codepoint) return text_offset{known, known, known};
    return std::nullopt;
  }
  void reset() noexcept {
    claims.reset();
    wide.reset();
  }
  /// Another text with the same options, with nothing in it.
  [[nodiscard]] incoming_text fresh() const {
    incoming_text made(*this);
    made.reset();
    if (wide.started()) made.keep_places();
    return made;
  }
  void exchange_with(incoming_text& other) {
    claims.settle();
    other.claims.settle();
    std::swap(claims, other.claims);
    std::swap(wide, other.wide);
    for (incoming_text* const one : {this, &other})
      one->claims.index(one->wide.started() ? &one->wide : nullptr);
  }

  claim_tracker claims;
  wide_index wide;
  bool wants_places;  ///< positions are reported, in records or typed events
};

/// The egress stage with its edits and its input.
struct guarded_text {
  explicit guarded_text(const session_options& options)
      : stage(options.egress, options.egress_on_code, options.egress_allowed, options.bounds) {}

  /// Converts positions from the styled to the sent text.
  [[nodiscard]] text_span place(const text_span& span) const noexcept {
    return {edits.place(span.start, edit_side::before), edits.place(span.end, edit_side::after)};
  }
  void reset() noexcept {
    stage.reset();
    edits.reset();
  }

  egress_stage stage;
  text_edits edits;
  std::string styled;  ///< reused
};

/// The text that is sent: the output of the style, which passes egress if that is on.
struct sent_text {
  sent_text(const session_options& options, const dialect* spoken)
      : styled(style_for(options, spoken), options.bounds, options.unresolved == unresolved_print::drop),
        guard(options.egress == egress_mode::off ? nullptr : std::make_unique<guarded_text>(options)) {}

  /// Returns true if the strings of citations are made inert.
  [[nodiscard]] bool enforced() const noexcept {
    return guard != nullptr && guard->stage.mode() == egress_mode::enforce;
  }
  /// The part that arrives.
  [[nodiscard]] text_part part() const noexcept { return parts == nullptr ? text_part{} : parts->last(); }
  /// The part with a position in the received text: see text_parts::at().
  [[nodiscard]] text_part part_at(std::uint64_t pushed, offset_unit in, bool end) const noexcept {
    return parts == nullptr ? text_part{} : parts->at(pushed, in, end);
  }
  /// Converts a position in the styled text of text \p number to that of the answer: see
  /// text_parts::styled().
  template <typename Position, typename... How>
  [[nodiscard]] Position in_answer(std::size_t number, Position own, How... how) const noexcept {
    return parts == nullptr ? own : parts->styled(number, own, how...);
  }
  /// The same for a span of the current text.
  [[nodiscard]] text_span in_answer(const text_span& span) const noexcept {
    if (parts == nullptr) return span;
    const std::size_t text = parts->last().text;
    const text_offset start = parts->styled(text, span.start, false);
    return {start, span.end == span.start ? start : parts->styled(text, span.end, true)};
  }
  /// Converts a span of the received text of the current text to that of the answer; nothing if another text
  /// interrupts it.
  [[nodiscard]] std::optional<text_span> received_in_answer(const text_span& span) const noexcept {
    return parts == nullptr ? std::optional(span) : parts->received(parts->last().text, span);
  }
  [[nodiscard]] bool unedited() const noexcept {
    return styled.edits().empty() && parts == nullptr && (guard == nullptr || guard->edits.empty());
  }
  /// Appends the list of the style.
  void list(const citations& cites, std::string& out) {
    if (!enforced()) return styled.list(cites, out);
    guard->styled.clear();
    styled.list(cites, guard->styled);
    guard->stage.append_inert(guard->styled, out);
  }
  void reset() noexcept {
    styled.reset();
    parts.reset();
    if (guard != nullptr) guard->reset();
  }

  styled_text styled;                   ///< of the current text
  std::unique_ptr<text_parts> parts;    ///< null: no text was interrupted
  std::unique_ptr<guarded_text> guard;  ///< null if egress is off
};

/// What is kept of a text that is not the current one.
struct set_aside_text {
  marker_scanner scanner;
  incoming_text received;
  styled_text styled;
  markerless_citations markerless;
  unplaced_citations unplaced;
  bool interrupted{};  ///< it may go on; else it has ended, and another text may follow it
};

}  // namespace citestream
