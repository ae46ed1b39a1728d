/// \file
/// The text of one answer in a style: runs of text and citations in, printed text and its edits out.
///
/// A marker is printed in three steps, because it may cite several references:
///
///   styled.begin_marker(begin, out);
///   for (each citation) place = styled.print(context, out);
///   styled.end_marker({begin, end});
///
/// Positions given are in the received text; edits() converts them to the styled text.
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/style/style.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text_edits.hpp"
#include "spacer.hpp"

namespace citestream {

class styled_text {
 public:
  styled_text(const style& how, const limits& bounds) noexcept
      : style_(how),
        max_list_bytes_(bounds.max_list_bytes),
        spacer_(how.space, how.render != nullptr, bounds.max_marker_bytes) {}

  /// The style leaves the text as it is; then none of the functions below may be called except list().
  [[nodiscard]] bool unchanged() const noexcept { return style_.space == spacing::untouched; }

  /// Appends what can no longer be removed of \p run and of the text before it.
  /// \param code       the run ends inside code, where no marker can follow directly
  /// \param abandoned  the scanner reached its bound: nothing is buffered after it
  void text(std::string_view run, bool code, bool abandoned, std::string& out);

  /// Nothing is buffered or due: see spacer::blanks_of(), which the next run of text may then use.
  [[nodiscard]] bool settled() const noexcept { return line_ends_ == 0 && spacer_.settled(); }
  [[nodiscard]] std::size_t blanks_of(std::string_view run) const noexcept { return spacer_.blanks_of(run); }
  void put(std::string_view run, std::size_t blanks, std::string& out) { spacer_.put(run, blanks, out); }

  /// Text inside a marker, which is kept. \p opening is what precedes it in the marker.
  void inner(std::string_view text, const text_span& opening, std::string& out);
  /// The text to come either is ordinary or starts with this inner text: appends what is certain by now.
  void expect_inner(std::string_view text, std::string& out);

  /// A marker that cites nothing, which is removed without any other effect.
  void remove(const text_span& received) { spacer_.remove(received); }

  void begin_marker(const text_offset& begin, std::string& out);
  /// Appends what the style prints. \return where that is, from the start of what the marker printed.
  text_span print(const citation_context& cite, std::string& out);
  /// \return where what was printed starts in the styled text; nothing if that is not decided yet.
  std::optional<text_offset> end_marker(const text_span& received);

  /// The text has ended, or is interrupted: appends everything that is buffered.
  void finish(std::string& out);
  /// Appends, once, the list that the style prints after the text, if it has one and anything is cited.
  void list(const citations& from, std::string& out);

  /// From received to styled text.
  [[nodiscard]] const text_edits& edits() const noexcept { return spacer_.edits(); }
  /// The byte of the received text up to which edits() is final.
  [[nodiscard]] std::uint64_t decided() const noexcept { return spacer_.decided(); }
  [[nodiscard]] std::size_t held() const noexcept { return spacer_.held(); }
  [[nodiscard]] std::uint64_t abandoned() const noexcept { return spacer_.abandoned(); }

  void reset() noexcept;

 private:
  void note_end(std::string_view text) noexcept;

  const style& style_;
  std::size_t max_list_bytes_;
  spacer spacer_;
  std::string rendered_;       ///< reused
  text_offset printed_;        ///< size of what the current marker has printed
  text_offset printed_until_;  ///< in the received text: the end of the last marker that printed something
  bool after_citation_{};      ///< the last thing appended was printed for a citation
  bool listed_{};              ///< the list has been appended
  std::uint8_t line_ends_{2};  ///< at the end of the output, at most 2; its start counts as an empty line
};

}  // namespace citestream
