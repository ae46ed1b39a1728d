/// \file
/// Tidies the white space around markers in a stream of text. Buffers only text that may still be removed.
///
/// With spacing::tidy the text around a marker is tidied:
/// 1. Adjacent markers, with `[ \t]*[,;]?[ \t]*` between them, form a group. The separators are removed.
/// 2. If a group is in parentheses, `([ \t]*` group `[ \t]*)`, these are removed with it.
/// 3. Blanks directly before the group (or its parenthesis) are removed. If there were any, and the next
///    character is neither white space nor closing punctuation, one space is inserted.
/// 4. At the start of a line the blanks after the group are removed instead. The start of a text that
///    continues an answer is not the start of a line: words of both would be joined.
///
/// So only `blanks ( blanks` before a group can be removed, and after its last marker `blanks , blanks` or
/// `blanks )`.
///
/// edits() converts positions from the received text to the styled text. It records what was removed and
/// inserted here, and what the style printed. All of this is next to a marker, so the positions follow from
/// those of the markers and from the sizes of the buffers.
///
/// Two kinds of edits are not final at once. The first is that of a group that may lose its parentheses. The
/// second are those of markers without a citation inside buffered text (`removed_`). decided() is the start
/// of the first such edit.
#pragma once

#include <citestream/cite/citations.hpp>
#include <citestream/style/style.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"
#include "base/text_edits.hpp"

namespace citestream {

/// Tidies the white space of one text.
class spacer {
 public:
  /// \param prints  the style prints something for a marker: its parentheses are not removed
  /// \param bound   maximum number of bytes that are buffered
  /// \param drops   some markers print nothing: groups of these are tidied as with spacing::tidy
  spacer(spacing how, bool prints, std::size_t bound, bool drops) noexcept
      : rules_{.how = drops && how == spacing::kept ? spacing::trimmed : how,
               .drops = drops && prints,
               .may_unwrap = (drops && prints) || (how == spacing::tidy && !prints),
               .keeps_lead = how == spacing::kept},
        bound_(bound > 0 ? bound : 1) {}

  /// Takes text between markers. Appends to \p out what can no longer be removed.
  /// \param code  the run ends inside code, where no marker can follow directly
  void text(std::string_view run, bool code, std::string& out);

  /// Shortcut for text without line breaks and backslashes, while idle(). Returns the number of blanks at
  /// the end of \p run, which put() buffers. Returns npos if the caller must use text() instead.
  [[nodiscard]] std::size_t blanks_of(std::string_view run) const noexcept;
  /// Appends the buffered blanks and \p run without its last \p blanks bytes, and buffers these. If that is
  /// exactly the run, returns true and appends nothing: the caller need not copy it.
  [[nodiscard]] bool put(std::string_view run, std::size_t blanks, std::string& out);
  /// Returns true if blanks_of() and put() would release exactly this run and buffer nothing.
  [[nodiscard]] bool puts_whole(std::string_view run) const noexcept;
  /// Returns true if nothing is pending and nothing but blanks is buffered.
  [[nodiscard]] bool idle() const noexcept;

  /// Starts a marker at \p begin of the received text. Removes the blanks buffered before it, unless the
  /// spacing keeps them and something will be printed. If the group printed nothing so far, they are replaced
  /// by one space, and separators after the markers that printed nothing are removed.
  void begin_marker(const text_offset& begin, bool prints, std::string& out);
  /// Ends that marker, \p received, which was replaced by text of \p size. The caller has appended this text.
  void end_marker(const text_span& received, const text_offset& size);

  /// Removes a marker that cites nothing, as if it had never been there.
  void remove(const text_span& received);

  /// Takes text inside a marker that is kept, such as the claim in `<co>claim</co: 0>`. Appends everything
  /// that is buffered, then this text. \p opening: the part of the marker before it, which is removed.
  void inner(std::string_view text, const text_span& opening, std::string& out);

  /// Announces that the next call may be inner() with a text that starts with \p text, or else text().
  /// Appends what both would append.
  void expect_inner(std::string_view text, std::string& out);

  /// Appends everything that is buffered, at the end of the answer or at the limit.
  void flush(std::string& out);
  /// Another text begins. Markers of the previous text do not affect its white space. Call after flush().
  /// \param continues  it continues an answer: its start is not known to be the start of a line
  void begin_text(bool continues) noexcept {
    pending_ = {};
    written_ = {.line_start = !continues};
  }

  /// The byte of the received text up to which edits() is final.
  [[nodiscard]] std::uint64_t decided() const noexcept;
  /// The size of what was written so far, if all text up to \p received was taken.
  [[nodiscard]] text_offset written(const text_offset& received) const noexcept;

  /// The edits from received to styled text.
  [[nodiscard]] const text_edits& edits() const noexcept { return edits_; }
  [[nodiscard]] std::size_t held() const noexcept { return lead_.size() + trail_.size() + partial_.size(); }
  [[nodiscard]] std::uint64_t abandoned() const noexcept { return abandoned_; }

  void reset() noexcept;

 private:
  /// What the style decides.
  struct spacing_rules {
    spacing how{};
    bool drops{};       ///< the style prints, but not for every marker
    bool may_unwrap{};  ///< parentheses around a group are removed with it
    bool keeps_lead{};  ///< blanks before a marker that prints something are kept
  };
  /// Adjacent markers, and what may be removed with them.
  struct marker_group {
    bool open{};          ///< the last thing was a marker, or text that may separate two markers
    bool dropped{};       ///< nothing is printed for its markers although the style prints
    bool parenthesis{};   ///< `lead_` holds a `(`, which may enclose the group
    bool blanks{};        ///< blanks were removed directly before the group
    bool separator{};     ///< `trail_` holds a comma or semicolon
    text_span undecided;  ///< if `parenthesis`: from after the `(` to the end of the group's last marker
  };
  /// Changes that depend on the next text.
  struct pending_change {
    bool space{};        ///< blanks were removed: a space is inserted unless a closing character follows
    bool drop_blanks{};  ///< a group at the start of a line was removed: blanks after it are removed too
  };
  /// How the text so far ends.
  struct written_text {
    bool line_start{true};   ///< nothing but blanks has been written since the start of the line
    bool odd_backslashes{};  ///< an odd number of backslashes is at its end
  };

  /// The tail of a text that a marker after it would remove: blanks, or `blanks ( blanks`.
  struct removable_tail {
    std::size_t begin{};                              ///< in the text
    std::size_t parenthesis{std::string_view::npos};  ///< position of the `(` in the tail; npos: none
  };

  [[nodiscard]] bool keeps_blanks() const noexcept {
    return rules_.how == spacing::untouched || rules_.how == spacing::kept;
  }
  [[nodiscard]] bool tidies() const noexcept { return rules_.how == spacing::tidy || group_.dropped; }
  void begin_printed(const text_offset& begin, std::string& out);
  [[nodiscard]] bool buffers() const noexcept { return group_.open || held() > 0; }
  std::size_t group_text(std::string_view run, std::string& out);
  [[nodiscard]] removable_tail tail_of(std::string_view run) const noexcept;
  void plain_text(std::string_view run, bool code, std::string& out);
  void keep_blanks_of_lead(std::string& out);
  void hold(std::string_view tail, std::size_t parenthesis, std::string& out);
  void hold_byte(char byte, std::string& out);
  void end_group(std::string& out);
  void release(std::string& out);
  void remove_parentheses();
  void emit(std::string_view text, std::string& out);
  void note_line(std::string_view text) noexcept;
  [[nodiscard]] bool escaped(std::string_view run, std::size_t at) const noexcept;
  void edit(text_offset begin, text_offset end, text_offset size);
  void write_removed(std::uint64_t until);
  [[nodiscard]] text_offset buffered_before(const text_offset& position, std::size_t bytes) const noexcept;
  [[nodiscard]] text_offset buffered_after(const text_offset& position, std::size_t bytes) const noexcept;
  void write_lead(std::string& out);
  void insert_space(std::string& out);
  void write_partial(std::string& out);

  spacing_rules rules_;
  std::size_t bound_;
  text_edits edits_;
  marker_group group_;
  std::vector<text_span> removed_;  ///< markers that cite nothing and are not in `edits_` yet
  std::string lead_;                ///< buffered before a marker: `blanks`, or `blanks ( blanks`
  std::string trail_;               ///< buffered after a group's last marker
  std::string partial_;             ///< the start of a code point that decides whether a space is inserted
  std::uint64_t abandoned_{};
  pending_change pending_;
  written_text written_;
};

inline std::size_t spacer::blanks_of(std::string_view run) const noexcept {
  constexpr std::size_t unknown = std::string_view::npos;
  std::size_t body = run.size();
  if (keeps_blanks()) return body > 0 ? 0 : unknown;
  while (body > 0 && ascii::is_blank(run[body - 1])) --body;
  const std::size_t blanks = run.size() - body;
  return body == 0 || run[body - 1] == '(' || blanks > bound_ ? unknown : blanks;
}

inline bool spacer::puts_whole(std::string_view run) const noexcept {
  if (run.empty() || !lead_.empty()) return false;
  return keeps_blanks() || (!ascii::is_blank(run.back()) && run.back() != '(');
}

inline bool spacer::put(std::string_view run, std::size_t blanks, std::string& out) {
  if (blanks == 0 && lead_.empty()) return true;
  const std::size_t body = run.size() - blanks;
  out.append(lead_).append(run.data(), body);
  lead_.assign(run.data() + body, blanks);
  return false;
}

}  // namespace citestream
