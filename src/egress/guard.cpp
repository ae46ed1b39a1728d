#include "guard.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "letters.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

// What a byte in the middle of a line may be.
constexpr unsigned begins = 1;     // something may begin with it
constexpr unsigned may_begin = 2;  // behind certain bytes
constexpr unsigned not_ascii = 4;
constexpr unsigned pipe = 64;

constexpr std::array<std::uint8_t, 256> make_kinds() {
  std::array<std::uint8_t, 256> out{};
  for (const char c : std::string_view("\n\r\\`![]<:&")) out[static_cast<unsigned char>(c)] = begins;
  for (const char c : std::string_view("./")) out[static_cast<unsigned char>(c)] = may_begin;
  for (const char c : std::string_view("*_~"))
    out[static_cast<unsigned char>(c)] = static_cast<std::uint8_t>(emphasis_of(c));
  out['|'] = pipe;
  for (std::size_t c = 0x80; c < out.size(); ++c) out[c] = not_ascii;
  return out;
}
constexpr std::array<std::uint8_t, 256> kinds = make_kinds();

unsigned kind_of(char c) noexcept {
  return kinds[static_cast<unsigned char>(c)];
}

// Bytes from `at` on that nothing can begin with, whatever they stand behind. `seen`: what they may be.
std::size_t skip_plain(std::string_view text, std::size_t at, unsigned& seen) noexcept {
  constexpr unsigned any = begins | may_begin;
  const char* const from = text.data();
  for (; text.size() - at >= 4; at += 4) {
    const unsigned four =
        kind_of(from[at]) | kind_of(from[at + 1]) | kind_of(from[at + 2]) | kind_of(from[at + 3]);
    if ((four & any) != 0) break;
    seen |= four;
  }
  for (; at < text.size() && (kind_of(from[at]) & any) == 0; ++at) seen |= kind_of(from[at]);
  return at;
}

// What no host goes on behind.
bool ends_authority(char c) noexcept {
  constexpr std::string_view ends = "/()[]<>";
  return is_space(c) || ends.find(c) != std::string_view::npos;
}

}  // namespace

egress_guard::egress_guard(egress_mode mode, std::vector<egress_pattern> allowed, const limits& bounds)
    : mode_(mode),
      bounds_(bounds),
      bound_(std::max<std::size_t>(bounds.max_marker_bytes, 16)),
      book_(std::move(allowed), bounds.max_reference_bytes),
      map_(bounds.max_egress_records) {}

void egress_guard::feed(std::string_view text, std::string& out) {
  unsigned seen = 0;
  if (calm_ && skip_plain(text, 0, seen) == text.size()) {  // as nearly always
    note_emphasis(text, seen, left_.back(1));
    out.append(text);
    pass_position(text, seen);
    left_.note(text);
    return;
  }
  if (mode_ == egress_mode::report) out.append(text);
  write_to(out);
  run(text);
  keep_tail();
}

void egress_guard::write_to(std::string& out) {
  discard_.clear();
  out_ = mode_ == egress_mode::report ? &discard_ : &out;
  out_start_ = out_->size();
}

void egress_guard::finish(std::string& out) {
  write_to(out);
  address_left_ = false;
  settle(egress_reason::unfinished);
  if (!openers_.empty()) {
    overflowed_ = true;
    lose_brackets();
  }
  flush_label();
  resumed_ = true;
  keep_tail();
}

void egress_guard::pass_mark(std::string& out) {
  if (state_ != state::close || openers_.size() != 1 || openers_.front().lead) return;
  write_to(out);
  close_text();
  mark_left_ = true;
  keep_tail();
}

void egress_guard::keep_tail() {
  left_.note(std::string_view(*out_).substr(out_start_));
  out_start_ = out_->size();
  calm_ = at_rest() && openers_.empty() && !in_attribute() && !blocks_.in_fence() && blocks_.info() == 0;
}

// The last byte of the output, for 1; the one before it, for 2; 0 before its start.
char egress_guard::back(std::size_t count) const noexcept {
  if (count <= label_.size()) return label_[label_.size() - count];
  count -= label_.size();
  const std::size_t left = out_->size() - out_start_;
  if (count <= left) return (*out_)[out_->size() - count];
  count -= left;
  return left_.back(count);
}

void egress_guard::run(std::string_view text) {
  while (!text.empty()) {
    unsigned seen = 0;
    const std::size_t plain = state_ == state::plain  ? plain_run(text, seen)
                              : state_ == state::span ? code_run(text, seen)
                                                      : 0;
    if (plain > 0) {
      if (state_ == state::plain) note_emphasis(text.substr(0, plain), seen, back(1));
      sink().append(text, 0, plain);
      pass_position(text.substr(0, plain), seen);
      text.remove_prefix(plain);
      if (text.empty()) return;
    }
    step(text.front());
    text.remove_prefix(1);
  }
}

// Nothing is under way outside brackets and fences.
inline bool egress_guard::at_rest() const noexcept {
  const bool begun = state_ != state::plain || escaped_ || authority_ || resumed_ || going_ || mark_left_;
  return !begun && (blocks_.in_fence() || !blocks_.busy());
}

// How many bytes from the start of `text` nothing can begin in. `seen`: what they may be.
std::size_t egress_guard::plain_run(std::string_view text, unsigned& seen) const noexcept {
  if (!at_rest()) return 0;
  if (!openers_.empty()) text = text.substr(0, room());
  if (in_attribute()) text = text.substr(0, text.find('"'));
  if (!openers_.empty() && text.starts_with('^')) return 0;
  if (blocks_.info() != 0) text = text.substr(0, text.find('|'));
  if (paragraph_.code_depth != 0) text = text.substr(0, text.find_first_of("|*_~"));
  if (blocks_.in_fence()) {
    seen = not_ascii;
    if (!blocks_.in_fence_text()) return 0;
    text = text.substr(0, text.find('\n'));
    return std::min(text.size(), text.find('\r'));
  }
  std::size_t at = skip_plain(text, 0, seen);
  while (at < text.size() && kind_of(text[at]) == may_begin) {
    const char before = lower(at > 0 ? text[at - 1] : back(1));
    if (text[at] == '.' ? before == 'w' : before == ':' || before == '/' || before == '\\') break;
    at = skip_plain(text, at + 1, seen);
  }
  return at;
}

// The same for code that may turn out to be none, of which nothing is withheld yet.
std::size_t egress_guard::code_run(std::string_view text, unsigned& seen) const noexcept {
  if (!pending_.empty() || closing_ != 0 || resumed_ || blocks_.busy()) return 0;
  if (!openers_.empty()) text = text.substr(0, room());
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const unsigned kind = kind_of(text[at]);
    if ((kind & (begins | may_begin | paragraph_.emphasis)) != 0 || text[at] == '|') break;
    seen |= kind;
  }
  return at;
}

// Bytes that an open bracket may still withhold.
inline std::size_t egress_guard::room() const noexcept {
  return bound_ - std::min(bound_, label_.size());
}

inline void egress_guard::pass_position(std::string_view text, unsigned seen) noexcept {
  (seen & not_ascii) != 0 ? map_.pass(text) : map_.pass_ascii(text.size());
}

// Emphasis may have begun in `text`, behind `before`. `seen`: what its bytes may be.
void egress_guard::note_emphasis(std::string_view text, unsigned seen, char before) noexcept {
  constexpr unsigned underscore = emphasis_of('_');
  if ((seen & pipe) != 0) blocks_.note_pipe();
  paragraph_.emphasis |= seen & emphasis_any & ~underscore;
  if ((seen & underscore) == 0 || (paragraph_.emphasis & underscore) != 0) return;
  for (const char c : text) {  // in a word it begins nothing
    if (c == '_' && !is_alphanumeric(before)) paragraph_.emphasis |= underscore;
    before = c;
  }
}

// Some count a backslash and a character of four bytes behind it as less than they are, and lose track.
void egress_guard::part_escape() {
  std::size_t slashes = 0;
  while (slashes < last_bytes::kept && back(slashes + 1) == '\\') ++slashes;
  if (slashes == last_bytes::kept) {
    change({}, " ");
  } else if (slashes % 2 != 0) {
    change({}, "\\");
  }
}

void egress_guard::put(char c) {
  if (static_cast<unsigned char>(c) >= 0xF0 && back(1) == '\\') part_escape();
  if (c == '`' && blocks_.info() == '`') blocks_.no_fence();
  if (c == '|') blocks_.note_pipe();
  sink().push_back(c);
  map_.pass(c);
  blocks_.note(c);
}

void egress_guard::pass(std::string_view text) {
  note_emphasis(text, emphasis_any, back(1));
  for (const char c : text) put(c);
}

void egress_guard::change(std::string_view raw, std::string_view made) {
  sink().append(made);
  map_.change(raw, made);
  if (!made.empty()) blocks_.note_other();
}

// What comes next must not become a part of an address that was let through.
void egress_guard::part_address() {
  if (std::exchange(address_, false)) change({}, " ");
}

void egress_guard::begin(state to, char c) {
  state_ = to;
  pending_.assign(1, c);
}

void egress_guard::pass_pending() {
  state_ = state::plain;
  pass(pending_);
  pending_.clear();
}

void egress_guard::record(egress_kind kind, egress_reason why, const position_map::mark& at) {
  map_.record(kind, why, mode_ == egress_mode::report ? at.in : at.out);
}

// What was pending is read again, as text that nothing of is pending.
void egress_guard::refeed(std::string_view rest, bool settling) {
  const std::string again(rest);
  state_ = state::plain;
  pending_.clear();
  const bool before = std::exchange(settling_, settling_ || settling);
  for (const char c : again) step(c);
  settling_ = before;
}

void egress_guard::step(char c) {
  if (full()) overflow();
  if (resumed_) resume(c);
  if (going_) go_on(c);
  if (std::exchange(mark_left_, false) && c == '(') change({}, "\\");
  // A line that opens a fence ends whatever is open in it.
  if (blocks_.info() != 0 && is_line_end(c) && state_ != state::run) settle(egress_reason::unfinished);
  switch (state_) {
    case state::plain:
      return plain(c);
    case state::run:
      return in_run(c);
    case state::span:
      return in_span(c);
    case state::bang:
      return in_bang(c);
    case state::close:
      return in_close(c);
    case state::destination:
      return in_destination(c);
    case state::definition:
      return in_definition(c);
    case state::tag:
      return in_tag(c);
    case state::colon:
      return in_colon(c);
    case state::dot:
      return in_dot(c);
    case state::url:
      return in_url(c);
    case state::entity:
      return in_entity(c);
  }
}

void egress_guard::plain(char c) {
  const bool escaped = std::exchange(escaped_, false);
  if (blocks_.in_fence()) {
    const bool inside = blocks_.fence_byte(c);
    if (inside || is_line_end(c)) {
      sink().push_back(c);
      map_.pass(c);
      return;
    }
  }
  // As code outside brackets ends there for some.
  if (paragraph_.code_depth != 0 &&
      (is_line_end(c) || c == '|' || (paragraph_.emphasis & emphasis_of(c)) != 0))
    end_code_in_bracket();
  if (is_line_end(c)) return line_end(c);
  if (blocks_.leaves_quote(c)) part_from_quote();
  // The one host without a dot that some find there is `localhost`.
  if (std::exchange(bare_, user_ && c == '@') && lower(c) == 'l') change({}, " ");
  if (authority_ && ends_authority(c) && !(user_ && (c == '<' || c == '>'))) {
    host_end_ = map_.out().utf8;  // what ends it may yet go
    end_authority();
  }
  if (plain_mark(c, escaped)) return;
  note_emphasis({&c, 1}, emphasis_of(c), back(1));
  put(c);
}

// A slash, behind which there may be a host: a colon has left, what stood between is gone.
void egress_guard::slash() {
  const std::size_t at = back(1) == '\\' ? 2 : 1;
  slashes_out_ = back(at) == ':' || (back(at) == '/' && (back(at + 1) == ':' || back(at + 2) == ':'));
  if (slashes_out_) return begin(state::colon, '/');
  // Some find a host behind two slashes, if it has a dot; not in a word.
  if (back(1) == '/' && !is_alphanumeric(back(2))) authority_ = unsaid_ = bare_ = user_ = true;
  put('/');
}

// What may begin with `c`. \return whether it is taken
bool egress_guard::plain_mark(char c, bool escaped) {
  switch (c) {
    case '^':
      if (!openers_.empty() && back(1) == '[') openers_.back().quoted = paragraph_.attribute_seen = true;
      return false;
    case '"':
      if (in_attribute()) change("\"", "&quot;");
      return in_attribute();
    case '\\':
      put(c);
      escaped_ = !escaped;
      return true;
    case '`':
      if (escaped) blocks_.taint();
      if (!escaped) begin_run(c);
      return !escaped;
    case '~':
      if (blocks_.busy()) begin_run(c);
      return state_ == state::run;
    case '!':
      if (!escaped) begin(state::bang, c);
      return !escaped;
    case '[':
    case ']':
      label_open_ = label_open_ && escaped;
      if (escaped) {
        ++paragraph_.escapes;
        if (!openers_.empty() && openers_.back().quoted) blocks_.start_again();  // as if that ended its label
      } else if (c == '[') {
        open(false);
      } else {
        begin(state::close, c);
      }
      return !escaped;
    case '<':
      begin(state::tag, c);
      return true;
    case '&':
      begin(state::entity, c);
      return true;
    case ':':
      slashes_out_ = false;
      begin(state::colon, c);
      return true;
    case '/':
      slash();
      return true;
    case '.': {
      const bool www = lower(back(1)) == 'w' && lower(back(2)) == 'w' && lower(back(3)) == 'w';
      if (authority_ || www) begin(state::dot, c);
      return authority_ || www;
    }
    default:
      return false;
  }
}

void egress_guard::line_end(char c) {
  // One with that before it, whatever stood between them.
  const bool second = c == '\n' && back(1) == '\r';
  sink().push_back(c);
  map_.pass(c);
  if (!second) end_line();
}

// Beyond the end of a line.
void egress_guard::end_line() {
  end_authority();
  const bool blank = blocks_.here().blank;
  if (!blocks_.end_line()) return;
  paragraph_ = {};
  flush_label();
  if (blank) overflowed_ = false;
}

// A line goes on with a quote in which there is a list, less marked. Some lose bytes behind such lines, so
// the quote ends before it, with a line that is blank for all.
void egress_guard::part_from_quote() {
  std::size_t size = 0;
  while (size < last_bytes::kept && (back(size + 1) == '>' || back(size + 1) == ' ')) ++size;
  std::string between = "\n\n";
  if (is_line_end(back(size + 1)) &&
      (size > 0 || back(1) == '\n')) {  // what the line begins with comes again
    between = "\n";
    for (; size > 0; --size) between += back(size);
  }
  for (const char c : between) {
    const bool second = c == '\n' && back(1) == '\r';
    sink().push_back(c);
    map_.change({}, {&c, 1});
    if (c != '\n') blocks_.note(c);
    if (c == '\n' && !second) end_line();
  }
}

// Whether what has left ends with what may be the start of an entity.
bool egress_guard::in_entity_out() const noexcept {
  std::size_t at = 1;
  while (at <= longest_entity && (is_alphanumeric(back(at)) || back(at) == '#')) ++at;
  return back(at) == '&';
}

void egress_guard::end_authority() noexcept {
  authority_ = unsaid_ = bare_ = user_ = false;
}

// Whether what has left ends in a host behind two slashes.
bool egress_guard::in_host_out() const noexcept {
  return authority_ || map_.out().utf8 == host_end_;
}

// The first byte behind what has left as if it were the end, or behind what is gone: it must not go on with
// anything there.
void egress_guard::resume(char c) {
  resumed_ = false;
  const char last = back(1);
  if (state_ == state::span && closing_ == span_ && c == '`') {
    state_ = state::plain;
    change({}, " ");
  }
  if (state_ != state::plain || blocks_.in_fence()) return;
  const bool bracket = last == ']' && back(2) != '\\' && (c == '(' || c == ':' || c == '[');
  const bool tag =
      (last == '<' && (is_letter(c) || c == '/' || c == '!' || c == '?')) || (last == '/' && back(2) == '<');
  const bool dot = last == '.' && is_host_byte(c);
  const bool address = !is_space(c) && address_left_;
  const bool entity = (is_alphanumeric(c) || c == '#' || c == ';') && in_entity_out();
  const bool host = !ends_authority(c) && in_host_out();
  const bool chat = last == ':' && behind_chat(2);
  const bool kind = (last == '!' && c == '[') || (last == '[' && c == '^');
  if (bracket) {
    ++paragraph_.escapes;
    change({}, "\\");
  } else if (kind || tag || dot || address || entity || host || (chat && !is_blank(c)) ||
             (last == '`' && c == '`')) {
    end_authority();
    change({}, " ");
  }
}

// As much is withheld as may be. What was changed in an open bracket counts too: it may have left nothing.
inline bool egress_guard::full() const noexcept {
  if (label_.size() + pending_.size() >= bound_) return true;
  return !openers_.empty() && map_.changes_since(openers_.front().where) >= bound_;
}

void egress_guard::overflow() {
  ++abandoned_;
  settle(egress_reason::too_long);
  if (!openers_.empty()) {
    overflowed_ = true;
    lose_brackets();
  }
  flush_label();
  resumed_ = true;
}

// What is pending ends here, whatever it is.
void egress_guard::settle(egress_reason why) {
  const bool before = std::exchange(settling_, true);
  while (!pending_.empty()) settle_one(why);
  settling_ = before;
}

void egress_guard::settle_one(egress_reason why) {
  switch (state_) {
    case state::plain:
    case state::run:
      pending_.clear();
      return;
    case state::span:
      return closing_ == span_ ? pass_span() : fail_span();
    case state::bang:
      return pass_pending();
    case state::entity:
      return why == egress_reason::unfinished ? pass_pending() : fail_entity();
    case state::close:
      return close_text();
    case state::destination:
      return fail_destination(why);
    case state::definition:
      if (why != egress_reason::unfinished || reader_.take('\n', pending_.size()) != reading::done)
        return vanish(why);
      address_left_ = true;
      return end_definition();
    case state::tag:
      return pending_.size() > (pending_.starts_with("</") ? 2 : 1) ? fail_tag(why, true) : pass_pending();
    case state::colon:
      return slashes_whole() ? defang(why) : pass_pending();
    case state::dot:
      change(".", "[.]");
      state_ = state::plain;
      pending_.clear();
      return;
    case state::url: {
      const bool bracket = std::exchange(bracket_, false);
      if (bracket) pending_.pop_back();
      const bool left = end_url(why == egress_reason::unfinished, bracket ? ']' : '\n');
      if (!bracket) return;
      address_ = left && bracket_tells();
      step(']');
      return;
    }
  }
}

bool egress_guard::placed(const text_offset& position) const noexcept {
  if (mode_ == egress_mode::report) return true;
  const text_offset& known = openers_.empty() ? map_.in() : openers_.front().where.in;
  return position.utf8 <= known.utf8;
}

text_offset egress_guard::place(const text_offset& position) const noexcept {
  return mode_ == egress_mode::report ? position : map_.place(position);
}

void egress_guard::forget(std::span<const text_offset> kept) {
  map_.forget(kept, openers_.empty() ? ~std::size_t{} : openers_.front().where.edits);
}

void egress_guard::inert(std::string_view text, std::string& out) {
  constexpr std::string_view marks = "[]<:&./\\`~!";
  if (text.find_first_of(marks) == std::string_view::npos) {
    out.append(text);
    return;
  }
  egress_guard other(egress_mode::enforce, {}, bounds_);
  std::swap(other.book_, book_);
  other.feed(text, out);
  other.finish(out);
  std::swap(other.book_, book_);
}

void egress_guard::inert_address(std::string_view address, std::string& out) {
  if (book_.allows_destination(address)) {
    out.append(address);
    return;
  }
  const std::size_t start = out.size();
  inert(address, out);
  // More than text is made of: what names a host without a scheme, and any scheme.
  const std::string_view made = std::string_view(out).substr(start);
  const auto slash = [](char c) { return c == '/' || c == '\\'; };
  const std::size_t scheme = std::min(made.find(':'), made.size());
  if (made.size() > 1 && slash(made[0]) && slash(made[1])) {
    out.insert(start + 2, "]").insert(start, "[");
  } else if (scheme < made.size() && is_letter(made.front()) &&
             std::ranges::all_of(made.substr(0, scheme), &is_scheme_byte)) {
    out.insert(start + scheme + 1, "]").insert(start + scheme, "[");
  }
}

text_offset egress_guard::position() const noexcept {
  if (mode_ == egress_mode::report) {
    text_offset at = map_.in();
    at.advance(pending_);
    return at;
  }
  text_offset at = map_.out();
  at.advance(pending_);
  return at;
}

void egress_guard::reset() noexcept {
  book_.reset();
  map_.reset();
  blocks_.reset();
  state_ = state::plain;
  pending_.clear();
  label_.clear();
  openers_.clear();
  escaped_ = slashes_out_ = bracket_ = settling_ = overflowed_ = resumed_ = address_ = address_left_ = false;
  end_authority();
  label_open_ = mark_left_ = going_ = false;
  paragraph_ = {};
  host_end_ = no_host;
  abandoned_ = 0;
  calm_ = false;
  left_.clear();
  url_.clear();
}

}  // namespace citestream
