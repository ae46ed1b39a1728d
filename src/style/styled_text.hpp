/// \file
/// Prints the text of one answer in a style: takes runs of text and citations, returns printed text and its
/// edits.
///
/// A marker may cite several references, so it is printed in three steps:
///
/// \code
///   styled.begin_marker(begin, marker, prints, out);
///   for (each citation) place = styled.print(context, how, out);
///   styled.end_marker({begin, end});
/// \endcode
///
/// Positions given are in the received text; edits() converts them to the styled text.
///
/// A style that keeps the text unchanged appends each delta in receive(), before it is scanned, and nothing
/// later. A marker is then printed as itself.
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

/// What is printed for one citation.
enum class citation_print : std::uint8_t {
  rendered,    ///< \ref style::render
  unresolved,  ///< \ref style::unresolved
  nothing,
};

/// The printed text of one answer.
class styled_text {
 public:
  /// \param drops  some markers print nothing although the style prints
  styled_text(const style& how, const limits& bounds, bool drops) noexcept
      : style_(&how),
        max_list_bytes_(bounds.max_list_bytes),
        spacer_(how.space, how.render != nullptr, bounds.max_marker_bytes, drops) {}

  /// Returns true if the style keeps the text unchanged.
  [[nodiscard]] bool unchanged() const noexcept { return style_->space == spacing::untouched; }
  /// Takes a delta before it is scanned. Appends it if the style keeps the text unchanged.
  void receive(std::string_view delta, std::string& out) const {
    if (unchanged()) out.append(delta);
  }

  /// Appends the part of the buffered text and \p run that can no longer be removed.
  /// \param code       the run ends inside code, where no marker can follow directly
  /// \param abandoned  the scanner reached its limit: nothing is buffered after it
  void text(std::string_view run, bool code, bool abandoned, std::string& out);

  /// Returns true if the next run of text may use blanks_of() and put(): nothing but blanks is buffered, no
  /// marker is pending, and the output does not end with a line break. See spacer::blanks_of().
  [[nodiscard]] bool idle() const noexcept { return unchanged() || (line_ends_ == 0 && spacer_.idle()); }
  [[nodiscard]] std::size_t blanks_of(std::string_view run) const noexcept { return spacer_.blanks_of(run); }
  [[nodiscard]] bool put(std::string_view run, std::size_t blanks, std::string& out) {
    return spacer_.put(run, blanks, out);
  }
  [[nodiscard]] bool puts_whole(std::string_view run) const noexcept { return spacer_.puts_whole(run); }

  /// Takes text inside a marker, which is kept. \p opening: the part of the marker before it.
  void inner(std::string_view text, const text_span& opening, std::string& out);
  /// Announces that the following text may start with this inner text: appends what is certain in either
  /// case.
  void expect_inner(std::string_view text, std::string& out);

  /// Removes a marker that cites nothing.
  void remove(const text_span& received) {
    if (!unchanged()) spacer_.remove(received);
  }

  /// Starts \p marker at \p begin. \p prints: anything will be printed for it, if the style prints.
  void begin_marker(const text_offset& begin, std::string_view marker, bool prints, std::string& out);
  /// Appends what is printed. \return its range, relative to the start of what the marker printed
  text_span print(const citation_context& cite, citation_print how, std::string& out);
  /// Ends the marker. \return the start of what was printed, in the styled text; nothing if not decided yet
  std::optional<text_offset> end_marker(const text_span& received);

  /// Ends or interrupts the text: appends everything that is buffered.
  void finish(std::string& out);
  /// Appends the list of the style, once, if it has one and anything is cited.
  void list(const citations& from, std::string& out);

  /// Another text begins: the next list() may append a list again. Call after finish(). \p continues: see
  /// spacer::begin_text().
  void begin_text(bool continues) noexcept {
    spacer_.begin_text(continues);
    printed_until_ = {};
    after_citation_ = listed_ = false;
    line_ends_ = 2;
  }

  /// The edits from received to styled text.
  [[nodiscard]] const text_edits& edits() const noexcept { return spacer_.edits(); }
  /// The byte of the received text up to which edits() is final.
  [[nodiscard]] std::uint64_t decided() const noexcept { return spacer_.decided(); }
  /// See spacer::written().
  [[nodiscard]] text_offset written(const text_offset& received) const noexcept {
    return spacer_.written(received);
  }
  [[nodiscard]] std::size_t held() const noexcept { return spacer_.held(); }
  [[nodiscard]] std::uint64_t abandoned() const noexcept { return spacer_.abandoned(); }

  void reset() noexcept;
  /// Another text in the same style, with nothing in it.
  [[nodiscard]] styled_text fresh() const {
    styled_text made(*this);
    made.reset();
    return made;
  }

 private:
  void note_end(std::string_view text) noexcept;

  const style* style_;
  std::size_t max_list_bytes_;
  spacer spacer_;
  std::string rendered_;       ///< reused
  text_offset printed_;        ///< size of what the current marker has printed
  text_offset printed_until_;  ///< end of the last marker that printed something, in the received text
  bool after_citation_{};      ///< the last thing appended is a citation
  bool listed_{};              ///< the list has been appended
  std::uint8_t line_ends_{2};  ///< at the end of the output, at most 2; the start counts as an empty line
};

}  // namespace citestream
