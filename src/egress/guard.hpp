// The egress guard: the text of an answer in, the same text out with inert addresses, and what was found.
//
// Works on text as it leaves, behind markers and style, so that what it lets through is what renderers see;
// what is put out in the place of something else is chosen so that nothing begins with it and what is beside
// it. Withholds only what may still be part of an image, link, definition, tag or address, and of those no
// more than a bound; the result does not depend on how the text was cut.
//
//   egress_guard guard(mode, patterns, limits);
//   guard.know(reference);
//   guard.feed(text, out);   // any number of times
//   guard.finish(out);
#pragma once

#include <citestream/base/limits.hpp>
#include <citestream/base/reference.hpp>
#include <citestream/egress/egress.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "address_book.hpp"
#include "blocks.hpp"
#include "destinations.hpp"
#include "position_map.hpp"
#include "tags.hpp"

namespace citestream {

// The last bytes that have left.
class last_bytes {
 public:
  static constexpr std::size_t kept = 32;  // at least; longer than a scheme

  void note(std::string_view bytes) noexcept {
    if (bytes.empty()) return;
    if (bytes.size() > kept) bytes.remove_prefix(bytes.size() - kept);
    if (bytes.size() > bytes_.size() - size_) {
      std::memcpy(bytes_.data(), bytes_.data() + size_ - kept, kept);
      size_ = kept;
    }
    std::memcpy(bytes_.data() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  // The last one for 1, and so on; 0 before all.
  [[nodiscard]] char back(std::size_t count) const noexcept {
    return count <= size_ ? bytes_[size_ - count] : '\0';
  }
  void clear() noexcept { size_ = 0; }

 private:
  std::array<char, 128> bytes_{};
  std::size_t size_{};
};

class egress_guard {
 public:
  egress_guard(egress_mode mode, std::vector<egress_pattern> allowed, const limits& bounds);

  // A reference: its address may leave from now on.
  void know(const reference& ref) { book_.know(ref); }
  // Appends what may leave by now.
  void feed(std::string_view text, std::string& out);
  // What was fed ends with what a style printed for a citation: `[1]` leaves at once, and begins no link.
  void pass_mark(std::string& out);
  // The text has ended, or is interrupted: what is withheld leaves, inert where it could be an address.
  void finish(std::string& out);

  [[nodiscard]] std::size_t held() const noexcept {
    return mode_ == egress_mode::report ? 0 : label_.size() + pending_.size();
  }
  // Appends `text` as it would leave now as a text of its own; and an address, so that it is none where it
  // may not leave. Nothing is recorded.
  void inert(std::string_view text, std::string& out);
  void inert_address(std::string_view address, std::string& out);

  [[nodiscard]] bool enforces() const noexcept { return mode_ == egress_mode::enforce; }
  // How often the bound let text go.
  [[nodiscard]] std::uint64_t abandoned() const noexcept { return abandoned_; }
  [[nodiscard]] std::span<const egress_record> records() const noexcept { return map_.records(); }
  [[nodiscard]] std::uint64_t recorded() const noexcept { return map_.recorded(); }

  // Whether it is known where `position` of the text given is in the text that leaves; then place() says it.
  [[nodiscard]] bool placed(const text_offset& position) const noexcept;
  [[nodiscard]] text_offset place(const text_offset& position) const noexcept;
  // How many changes are kept for that, and: it is only going to be asked for `kept` of what is in the text
  // by now.
  [[nodiscard]] std::size_t changes() const noexcept { return map_.changes(); }
  void forget(std::span<const text_offset> kept);
  // The end of the text that has left or is withheld.
  [[nodiscard]] text_offset position() const noexcept;

  // Back to the start of a text; knows no reference any more.
  void reset() noexcept;

 private:
  enum class state : std::uint8_t {
    plain,
    run,          // a run of backticks or tildes
    span,         // behind one: code, if it is closed
    bang,         // `!`
    close,        // `]`
    destination,  // `](`
    definition,   // `]:` behind a bracket at the start of a line
    tag,          // `<`
    colon,        // `:`, `:/`, `://`
    dot,          // `.` behind `www`, or in a host
    url,          // an address that may be allowed
    entity,       // `&`
  };
  // A bracket that is open: all output from the first one on is in `label_`.
  struct opener {
    [[nodiscard]] bool footnote() const noexcept { return quoted && !image; }

    std::size_t at{};  // in `label_`
    bool image{};
    bool quoted{};          // an image, or a footnote: some write the label into an attribute as it is
    bool lead{};            // nothing but marks of blocks before it: a definition may begin there
    char before[2]{};       // the last two bytes before it, the last one first
    bool marked{};          // behind `]:` and white space, or behind so much that nobody knows
    bool begun{};           // what is before it may be the start of an entity or of a host
    std::size_t escapes{};  // of brackets before it
    unsigned emphasis{};    // what may have begun before it
    position_map::mark where;
    block_tracker::line line;
    std::size_t items{};  // of lists, open by then
  };
  // What is known since the last blank line.
  struct paragraph {
    unsigned emphasis{};         // what may have begun it
    std::size_t code_depth{};    // open brackets around a backtick that is not paired; 0 for none
    std::size_t escapes{};       // of brackets
    std::size_t lost_escapes{};  // of them, before the first one that may be open where brackets are lost
    bool anchor{};               // an HTML link
    bool attribute_seen{};       // a bracket of one has opened
    bool brackets_lost{};        // it is not sure any more which are open
  };

  void run(std::string_view text);
  [[nodiscard]] bool at_rest() const noexcept;
  [[nodiscard]] std::size_t plain_run(std::string_view text, unsigned& seen) const noexcept;
  [[nodiscard]] std::size_t code_run(std::string_view text, unsigned& seen) const noexcept;
  [[nodiscard]] std::size_t room() const noexcept;
  void pass_position(std::string_view text, unsigned seen) noexcept;
  void step(char c);
  void plain(char c);
  bool plain_mark(char c, bool escaped);
  void slash();
  void line_end(char c);
  void end_line();
  void part_from_quote();
  void resume(char c);
  [[nodiscard]] bool full() const noexcept;
  void overflow();
  void settle(egress_reason why);
  void settle_one(egress_reason why);
  void refeed(std::string_view rest, bool settling);
  void write_to(std::string& out);
  void keep_tail();

  void note_emphasis(std::string_view text, unsigned seen, char before) noexcept;
  void put(char c);
  void pass(std::string_view text);
  void part_address();
  void part_user();
  void part_escape();
  void pass_pending();
  void change(std::string_view raw, std::string_view made);
  void begin(state to, char c);
  void record(egress_kind kind, egress_reason why, const position_map::mark& at);
  [[nodiscard]] std::string& sink() noexcept { return openers_.empty() ? *out_ : label_; }
  [[nodiscard]] char back(std::size_t count) const noexcept;

  void begin_run(char c);
  void end_run();
  void code_in_bracket();
  void end_code_in_bracket();
  void in_run(char c);
  void in_span(char c);
  void pass_span();
  void fail_span();

  void open(bool image);
  void flush_label();
  void pop();
  [[nodiscard]] bool in_attribute() const noexcept;
  [[nodiscard]] bool holds_quote(std::ptrdiff_t own) const noexcept;
  void lose_brackets() noexcept;
  void lose_code() noexcept;
  [[nodiscard]] bool holds_escapes() const noexcept;
  void close_text();
  void escape_close();
  void change_at(const position_map::mark& where, std::size_t raw, std::size_t made);
  void break_footnote();
  void in_bang(char c);
  void in_close(char c);
  void in_destination(char c);
  void end_link();
  void fail_destination(egress_reason why);
  void break_bracket(egress_kind kind, egress_reason why, bool settling);
  void unlink(std::string_view raw);
  [[nodiscard]] bool joins(const opener& at, std::string_view inner) const noexcept;
  [[nodiscard]] bool may_be_in_angles(std::string_view address) const noexcept;
  [[nodiscard]] bool may_leave(egress_reason& why);
  [[nodiscard]] bool is_sure_link() const noexcept;
  void go_on(char c);

  void in_definition(char c);
  void end_definition();
  void pass_definition();
  void fail_definition(char c, egress_reason why);
  void vanish(egress_reason why);

  void in_tag(char c);
  void end_tag();
  void pass_tag();
  void end_autolink(std::string_view inside);
  void fail_tag(egress_reason why, bool settling);

  [[nodiscard]] bool slashes_whole() const noexcept;
  void in_colon(char c);
  void in_dot(char c);
  void in_url(char c);
  void in_entity(char c);
  void fail_entity();
  [[nodiscard]] bool in_entity_out() const noexcept;
  [[nodiscard]] bool in_host_out() const noexcept;
  [[nodiscard]] bool behind_chat(std::size_t at) const noexcept;
  void end_authority() noexcept;
  void begin_url(char c);
  [[nodiscard]] bool bracket_tells() const;
  bool end_url(bool whole, char next);
  void defang(egress_reason why);
  [[nodiscard]] bool url_may_leave(std::size_t& trailing);

  static constexpr std::size_t longest_entity = 12;  // of those that could be a part of an address

  egress_mode mode_;
  limits bounds_;
  std::size_t bound_;
  address_book book_;
  position_map map_;
  block_tracker blocks_;

  state state_{};
  std::string pending_;  // what came and is not decided on
  std::string label_;    // output behind the first open bracket
  std::vector<opener> openers_;
  destination_reader reader_;
  tag_reader tag_;

  char run_{};  // the run's character
  std::size_t run_length_{};
  bool run_first_{};  // a fence may open there
  bool run_lead_{};
  char run_before_{};
  std::size_t span_{};     // backticks that opened
  std::size_t closing_{};  // backticks that may close
  paragraph paragraph_;
  bool label_open_{};  // a bracket that began a line has left; some read on for `]:`, beyond blank lines

  bool escaped_{};    // behind a backslash that escapes
  bool authority_{};  // in the host of an address that was made inert
  bool bare_{};       // it begins here, behind two slashes and perhaps a user
  bool user_{};       // behind two slashes alone, where a user may stand before the host
  static constexpr std::uint64_t no_host = ~std::uint64_t{};
  std::uint64_t host_end_{no_host};  // where in the text that leaves the last host ended
  bool unsaid_{};                    // that was not reported, for it was not sure to be one
  bool slashes_out_{};               // a part of `://` has left before
  bool address_{};                   // one that was let through ends directly before what is pending
  bool alone_{};                     // nothing is behind the host in it
  bool bracket_{};                   // an address meets `]`
  bool settling_{};                  // nothing is withheld for what may come
  bool overflowed_{};                // an open bracket has left since the last blank line
  bool address_left_{};              // an address that was let through may go on
  bool going_{};                     // a link has left that may be text for some, whose address goes on then
  bool mark_left_{};                 // `]` of such a mark is the last byte
  bool resumed_{};                   // what came before has left as if it were the end
  std::uint64_t abandoned_{};

  std::string* out_{};
  std::size_t out_start_{};
  last_bytes left_;
  bool calm_{};          // what is plain leaves at once
  std::string discard_;  // the output of egress_mode::report
  std::string url_;      // reused
};

}  // namespace citestream
