/// \file
/// The texts of an answer, as they arrive and as they are sent.
///
/// Most answers have one text. If texts alternate, each has its own scanner, claim tracker and style. The
/// current text is the one that arrives. All of them are sent as one text.
#pragma once

#include <citestream/base/offsets.hpp>
#include <citestream/session/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/wide_index.hpp"
#include "cite/claim.hpp"
#include "found_citations.hpp"
#include "marker/scanner.hpp"
#include "sent_text.hpp"
#include "style/styled_text.hpp"
#include "text_parts.hpp"

namespace citestream {

/// A received text: the claims in it and its positions.
struct incoming_text {
  /// \p all: gets all text; may be null.
  incoming_text(bool reported, kept_text* all) noexcept;
  incoming_text(const incoming_text&) = delete;
  incoming_text& operator=(const incoming_text&) = delete;

  /// From now on, indexes the characters outside ASCII. A text without citations needs no index.
  void keep_places();
  /// Converts a position to all units. Returns nothing if it is unknown.
  [[nodiscard]] std::optional<text_offset> place(std::uint64_t position, offset_unit unit) const noexcept;
  void reset() noexcept;

  claim_tracker claims;  ///< refers to `wide`
  wide_index wide;
  bool wants_places;  ///< positions are reported, in records or typed events
};

/// One text of an answer.
struct answer_text {
  answer_text(marker_scanner scans, styled_text prints, bool places_reported, kept_text* kept);

  /// Number of bytes that the scanner and the style hold back.
  [[nodiscard]] std::size_t held() const noexcept {
    return styled.unchanged() ? 0 : scanner.held() + styled.held();
  }
  void reset() noexcept;

  marker_scanner scanner;
  incoming_text received;
  styled_text styled;
  markerless_citations markerless;
  unplaced_citations unplaced;  ///< not recorded yet
  bool interrupted{};           ///< another text interrupts it, and it may continue later
};

/// The texts of one answer, and positions in them. Positions in one text are counted from its own start,
/// those in the answer in the order in which text arrives.
class answer_texts {
 public:
  /// \p spec: the dialect that decides what the options do not; may be null. \p kept: gets all received text;
  /// may be null. \p output: the sent text, made from the styled text
  answer_texts(const session_options& options, const dialect* spec, kept_text* kept, sent_text& output);
  answer_texts(const answer_texts&) = delete;
  answer_texts& operator=(const answer_texts&) = delete;

  /// The text that arrives.
  [[nodiscard]] answer_text& current() noexcept { return *current_; }
  [[nodiscard]] const answer_text& current() const noexcept { return *current_; }

  /// Number of bytes held back now, of the current text and of what is sent.
  [[nodiscard]] std::size_t held() const noexcept { return current_->held() + output_.held(); }

  /// Returns true if any text has been received, even if it is undecided.
  [[nodiscard]] bool begun() const noexcept {
    return current_->scanner.held() > 0 || received_end() != text_offset{};
  }

  /// Number of bytes held back now, of all texts.
  [[nodiscard]] std::size_t held_in_all() const noexcept;

  /// Number and bytes of the citations whose positions may still change, of all texts.
  [[nodiscard]] std::pair<std::size_t, std::size_t> unplaced() const noexcept;

  /// Returns false if the current text must end instead of being suspended: the style keeps text unchanged,
  /// so nothing is held, or a limit is reached.
  [[nodiscard]] bool may_interrupt() const noexcept;
  /// Suspends the current text. A new one, or one that is not suspended, becomes the current text.
  /// \return the number of the suspended text
  std::size_t interrupt();
  /// Returns true if a text is suspended. At most 64 are.
  [[nodiscard]] bool any_interrupted() const noexcept;
  /// Makes a suspended text the current one. It continues after the end of the current text.
  void resume(std::size_t number);

  /// The end of the text received so far, in the answer.
  [[nodiscard]] text_offset received_end() const noexcept;
  /// The end of the sent text.
  [[nodiscard]] text_offset sent_end() const noexcept;
  /// Returns true if the sent text is the received text.
  [[nodiscard]] bool unedited() const noexcept;
  /// How many times held text was released because the limit was reached, in the texts that have not ended.
  [[nodiscard]] std::uint64_t abandoned() const noexcept;

  /// Converts a position in the received text of the answer to all units. Nothing if it is unknown: text
  /// outside ASCII is indexed only from the first citation or incoming_text::keep_places() on, and only up to
  /// a maximum number of such characters.
  [[nodiscard]] std::optional<text_offset> received_place(std::uint64_t position,
                                                          offset_unit unit) const noexcept;
  /// Converts a position from the received to the sent text of the answer. Positions after received_end()
  /// become the end of the text. A position inside a replacement becomes its start (`before`) or its end
  /// (`after`). At the border of two texts, `before` means the start of the second and `after` the end of
  /// the first.
  [[nodiscard]] std::uint64_t sent_position(std::uint64_t position, offset_unit unit,
                                            edit_side side) const noexcept;
  /// Converts such a position to all units. Returns nothing if it is unknown.
  [[nodiscard]] std::optional<text_offset> sent_place(std::uint64_t position, offset_unit unit,
                                                      edit_side side) const noexcept;
  /// Converts a span of the current text to the answer, in the styled text.
  [[nodiscard]] text_span styled_span(const text_span& own) const noexcept;
  /// Converts such a span in the received text. Returns nothing if another text interrupts it.
  [[nodiscard]] std::optional<text_span> received_span(const text_span& own) const noexcept;

  /// Prepares for another answer; keeps the memory of the first text.
  void reset() noexcept;

 private:
  [[nodiscard]] std::size_t free_text();
  void switch_to(std::size_t number);
  /// The end of the styled text, in the answer.
  [[nodiscard]] text_offset styled_end() const noexcept;
  [[nodiscard]] text_part part() const noexcept;
  [[nodiscard]] text_part part_at(std::uint64_t received, offset_unit unit, edit_side side) const noexcept;
  template <typename Position, typename... Unit>
  [[nodiscard]] Position to_sent(const text_part& in, Position own, edit_side side,
                                 Unit... unit) const noexcept;

  std::vector<std::unique_ptr<answer_text>> texts_;  ///< in the order of text_part::text; never empty
  answer_text* current_;
  std::unique_ptr<text_parts> parts_;  ///< null: no text was interrupted
  sent_text& output_;
};

}  // namespace citestream
