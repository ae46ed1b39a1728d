// Where code fences are, as far as every renderer agrees; where they may not, nothing counts as code any
// more.
//
// CommonMark 0.31.2 and what is in use differ in lists, quotes, HTML blocks and definitions. A fence counts
// where it opens and closes in all of them: directly, or in a list item whose lines stand as far in as it
// does. What may be one for some and not for others ends the counting: then all text is guarded, for what is
// written into code by mistake harms nobody, and what is taken for code by mistake does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "letters.hpp"

namespace citestream {

class block_tracker {
 public:
  // Where we are in a line. Small: a place to come back to.
  struct line {
    enum class marker : std::uint8_t { none, digits, delimiter, blanks, item };
    std::uint32_t indent{};    // blanks at the start
    bool blank{true};          // nothing but blanks and tabs
    bool tab{};                // among the blanks at its start
    bool prefix{true};         // nothing but blanks, or `indent` of them and what is not blank
    bool lead{true};           // no letter yet: a definition may still start here
    bool pipe{};               // it holds one
    bool listed{};             // it may begin an item
    bool row{true};            // nothing but what the row below the head of a table is made of
    bool bracket{};            // the last byte was `[`, no letter before it
    bool marked{true};         // nothing but blanks and marks of quotes
    bool item{};               // the last byte may end the mark of an item in a quote
    std::uint32_t quotes{};    // marks that it begins with
    std::uint32_t gap{};       // columns of blanks behind the last of them, or more
    std::uint32_t marks{};     // what may be more of them
    std::uint32_t deepest{};   // most marks of a line since the last blank one
    bool quoted_list{};        // an item may have begun in a quote since then
    bool behind_definition{};  // whose title it may begin with
    bool sibling{};            // an item as far in or farther has ended here
    marker mark{};             // of a list
    std::uint32_t number{};    // of its item; 1 for a bullet
    std::uint32_t width{};     // of the marker
    std::uint32_t blanks{};    // behind it
    std::uint32_t content{};   // where its content stands
    char info{};               // a fence's character: the line opens one, unless backticks forbid it
    std::size_t info_length{};
  };

  // A byte of a line outside fences, not its end.
  void note(char c) {
    if (line_.blank || line_.lead) note_lead(c);
  }
  // Something that is neither blank nor any mark.
  void note_other() { note('='); }
  // The line ends. \return whether inline markup that is open ends for sure
  bool end_line();

  [[nodiscard]] bool in_fence() const noexcept { return fence_ != 0; }
  // A byte inside a fence. \return false: it may stand outside, and is to be guarded
  bool fence_byte(char c);
  [[nodiscard]] bool in_fence_text() const noexcept { return fence_ != 0 && part_ == part::text; }

  // Call before the run is noted: whether a fence may open here.
  [[nodiscard]] bool at_start() const noexcept { return line_.blank && line_.prefix; }
  // A run of three or more at such a place.
  void offer_fence(char c, std::size_t length);
  // A backtick behind such a run: it is no fence after all.
  void no_fence() noexcept {
    line_.info = 0;
    tainted_ = true;
  }
  [[nodiscard]] char info() const noexcept { return line_.info; }

  // Whether a run of backticks here opens code if it is closed on the same line.
  [[nodiscard]] bool code_counts() const noexcept {
    return !tainted_ && !html_ && !ambiguous_ && line_.info == 0;
  }
  // A line with a pipe may be the head of a table, whatever it begins with.
  void note_pipe() noexcept {
    line_.pipe = true;
    if (line_.info != 0) give_up();
  }
  // Whether nobody finds HTML, or code, here.
  [[nodiscard]] bool is_markdown() const noexcept { return !html_ && !ambiguous_; }
  // A run that may be open beyond its line, or in another cell: nothing is code up to a blank line.
  void taint() noexcept { tainted_ = true; }
  // Nothing is code from here on.
  void give_up() noexcept {
    ambiguous_ = true;
    fence_ = 0;
  }
  // HTML at the start of a line may begin a block without Markdown, up to a blank line.
  void html() noexcept { html_ = true; }
  // A definition stands there: a title, which may hold what looks like a fence, could follow it.
  void definition() noexcept { defined_ = odd_ = true; }
  // Whether a blank line that comes may be no end for some.
  [[nodiscard]] bool odd() const noexcept { return odd_; }

  // Whether `c` begins what a line holds that goes on with a quote in which there is a list, less marked.
  [[nodiscard]] bool leaves_quote(char c) const noexcept {
    return line_.quoted_list && line_.marked && line_.quotes < line_.deepest && c != ' ' && !marks_quote(c);
  }
  // What comes is read as if it began the line.
  void start_again() noexcept { line_.lead = listed_ = true; }

  [[nodiscard]] bool busy() const noexcept { return line_.lead; }
  [[nodiscard]] const line& here() const noexcept { return line_; }
  [[nodiscard]] std::size_t items() const noexcept { return items_.size(); }
  // What came since `at`, when there were `items`, is gone.
  void restore(const line& at, std::size_t items) noexcept {
    line_ = at;
    if (items_.size() > items) items_.resize(items);
  }
  void reset() noexcept;

 private:
  // Farther in than this a line is code, not a mark (CommonMark 0.31.2, 4.4).
  static constexpr std::uint32_t most_indent = 3;

  enum class part : std::uint8_t { indent, run, tail, text };

  void note_lead(char c);
  void note_quoted(char c);
  [[nodiscard]] bool marks_quote(char c) const noexcept {
    return c == '>' && line_.marked && line_.gap <= most_indent;
  }
  void begin_content(char c);
  void note_marker(char c);
  void note_item();
  [[nodiscard]] bool opens(std::uint32_t indent);
  [[nodiscard]] bool begin_fence_text();
  [[nodiscard]] bool end_fence_line();

  line line_;
  std::vector<std::uint32_t> items_;  // where the content of open list items stands
  bool blank_before_{true};           // the line before was blank
  bool head_{};                       // the line before may be the head of a table, or an item
  bool titled_{};                     // a title may have gone on beyond a blank line
  bool defined_{};
  bool tainted_{};
  bool listed_{};  // a list may have begun
  bool odd_{};     // since the last blank line there was a definition, or a line that may be code in an item
  bool html_{};
  bool ambiguous_{};

  char fence_{};
  std::size_t fence_length_{};
  std::uint32_t fence_indent_{};
  part part_{};  // of the line inside the fence
  std::uint32_t indent_{};
  bool tab_{};  // among its blanks
  std::size_t run_{};
  bool odd_run_{};  // behind a run: what closes for some only
};

}  // namespace citestream
