// White space around markers, while streaming: what may yet be removed is withheld, and nothing else.
//
// Under spacing::tidy the text around a marker is put in order so that it reads on:
//   1. Adjacent markers, with `[ \t]*[,;]?[ \t]*` between them, are one group; what stands between goes.
//   2. A group in parentheses, `([ \t]*` group `[ \t]*)`, takes them along.
//   3. Blanks directly before the group (or its parenthesis) go. If some went and the next character is
//   neither
//      white space nor closing punctuation, one space comes back.
//   4. At the start of a line the blanks after the group go instead.
// Before a group the text that may go is `blanks ( blanks`; after its last marker, `blanks , blanks` or
// `blanks )`.
#pragma once

#include <citestream/style/style.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream {

class spacer {
 public:
  // `bound`: bytes withheld at most.
  spacer(spacing how, std::size_t bound) noexcept : how_(how), bound_(bound > 0 ? bound : 1) {}

  // Text between markers. `code`: it ends inside code, where no marker can follow directly. Appends to `out`
  // what can no longer be removed.
  void text(std::string_view run, bool code, std::string& out);

  // The short way for text without line breaks and backslashes, while settled(): all of it leaves but the
  // blanks at its end. \return how many, or npos where text() has to look. Then put() takes it.
  [[nodiscard]] std::size_t blanks_of(std::string_view run) const noexcept;
  void put(std::string_view run, std::size_t blanks, std::string& out);
  // Whether nothing is due or withheld but blanks.
  [[nodiscard]] bool settled() const noexcept;

  // A marker stands here. Appends nothing but what must stand before it.
  void marker(std::string& out);

  // Text inside a marker, which stands here after it: appended, all of it, with what is withheld before it.
  void fixed(std::string_view text, std::string& out);

  // What comes is text or a fixed one that starts with `text`: appends what is certain by now.
  void expect_fixed(std::string_view text, std::string& out);

  // The answer has ended, or the bound has tripped: appends all that is withheld.
  void flush(std::string& out);

  // Of what the last call of text() or flush() appended, the bytes at its start that stand before the group's
  // markers: an opening parenthesis that turned out to stay, with the blanks before it.
  [[nodiscard]] std::size_t lead() const noexcept { return lead_; }

  // Whether the place of the group's markers is still open: lead() may move them.
  [[nodiscard]] bool undecided() const noexcept { return group_ && parenthesis_; }
  // Whether the last marker is one of a group, so that another may join it.
  [[nodiscard]] bool in_group() const noexcept { return group_; }

  [[nodiscard]] std::size_t held() const noexcept { return before_.size() + after_.size() + partial_.size(); }
  [[nodiscard]] std::uint64_t abandoned() const noexcept { return abandoned_; }

  void reset() noexcept;

 private:
  [[nodiscard]] bool passes(std::string_view run) const noexcept;
  std::size_t group_text(std::string_view run, std::string& out);
  void plain_text(std::string_view run, bool code, std::string& out);
  void hold(std::string_view tail, std::size_t parenthesis, std::string& out);
  void hold_byte(char byte, std::string& out);
  void end_group(std::string& out);
  void settle(std::string& out);
  void wrap_group() noexcept;
  void emit(std::string_view text, std::string& out);
  void note_line(std::string_view text) noexcept;
  [[nodiscard]] bool escaped(std::string_view run, std::size_t at) const noexcept;

  spacing how_;
  std::size_t bound_;
  std::string before_;   // withheld before a marker: `blanks`, or `blanks ( blanks`
  std::string after_;    // withheld after a group's last marker
  std::string partial_;  // a cut code point that decides whether a space comes back
  std::size_t lead_{};
  std::uint64_t abandoned_{};
  bool parenthesis_{};      // `before_` holds a `(`
  bool group_{};            // the last thing was a marker, or what may stand between markers
  bool separator_{};        // `after_` holds a comma or semicolon
  bool inner_blanks_{};     // blanks went between the `(` and the group
  bool gone_{};             // blanks went: a space may come back
  bool eat_{};              // after a group at the start of a line: blanks go
  bool line_start_{true};   // nothing but blanks has been put out on this line
  bool odd_backslashes_{};  // the text before ends in an odd number of backslashes
};

inline std::size_t spacer::blanks_of(std::string_view run) const noexcept {
  constexpr std::size_t unknown = std::string_view::npos;
  std::size_t body = run.size();
  if (how_ == spacing::untouched || how_ == spacing::stays) return body > 0 ? 0 : unknown;
  while (body > 0 && (run[body - 1] == ' ' || run[body - 1] == '\t')) --body;
  const std::size_t blanks = run.size() - body;
  return body == 0 || run[body - 1] == '(' || blanks > bound_ ? unknown : blanks;
}

inline void spacer::put(std::string_view run, std::size_t blanks, std::string& out) {
  if (!before_.empty()) {
    out.append(before_);
    before_.clear();
  }
  const std::size_t body = run.size() - blanks;
  out.append(run.data(), body);
  if (blanks > 0) before_.append(run.data() + body, blanks);
}

}  // namespace citestream
