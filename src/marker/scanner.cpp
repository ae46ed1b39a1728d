// How the scanner works.
//
// Every byte goes to the code lexer, which knows whether it is code or escaped, and then to the recognisers
// of the grammars that are on: to an active one in any case, to another one if it can start its marker. An
// active recogniser reports the first byte of a marker that may still be incomplete (`from`). A complete
// marker waits until no recogniser can find one that starts earlier, or a longer one at the same place. Text
// is held back from the first byte of all these markers on.
//
// The title of a link may turn out to be text, which may contain markers. From its first byte on, the text is
// therefore read twice: `now` reads it as a title, `as_text` as text. If the title fails, `as_text` replaces
// `now`. There are never more than two readings, so the cost stays linear.
//
// Invariants: given <= hold() <= cursor <= end(). Bytes before `given` have been returned and never change.
// At most max_marker_bytes are held back; when one more comes, all of them are returned as text.
//
// Three shortcuts skip this work if its result is known, and return the same result. give_idle() and pass()
// take text in which no marker can start. skip() takes bytes that only make an incomplete marker longer.
#include "scanner.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include "lexer.hpp"
#include "text_window.hpp"

namespace citestream {

namespace {

/// A complete marker that is not final: one that starts earlier, or a longer one, may still replace it.
struct found_marker {
  marker_match match;
  const grammar* recognised_by{};
};

/// Complete markers that are not final, by position, without overlaps. Keeps its capacity.
class waiting_markers {
 public:
  using iterator = std::vector<found_marker>::iterator;

  [[nodiscard]] bool empty() const noexcept { return removed_ == all_.size(); }
  [[nodiscard]] const found_marker& front() const noexcept { return all_[removed_]; }
  [[nodiscard]] iterator begin() noexcept { return all_.begin() + static_cast<std::ptrdiff_t>(removed_); }
  [[nodiscard]] iterator end() noexcept { return all_.end(); }

  /// Replaces the markers `[first, last)` by \p one.
  void replace(iterator first, iterator last, const found_marker& one) {
    all_.insert(all_.erase(first, last), one);
  }
  /// Removes the first marker. Memory is moved only when half of it is unused, so that removing markers one
  /// by one stays linear.
  void pop_front() noexcept {
    ++removed_;
    if (removed_ == all_.size()) return clear();
    if (removed_ < 32 || 2 * removed_ < all_.size()) return;
    all_.erase(all_.begin(), begin());
    removed_ = 0;
  }
  void clear() noexcept {
    all_.clear();
    removed_ = 0;
  }

 private:
  std::vector<found_marker> all_;
  std::size_t removed_{};
};

/// One way of reading the text up to some byte: code, the memory of each grammar, markers that are not final.
struct reading {
  code_lexer code;
  std::vector<recogniser_state> recognisers;  ///< one for each grammar, in order
  waiting_markers waiting;

  void reset() noexcept {
    code = {};
    forget();
  }
  void forget() noexcept {
    for (auto& one : recognisers) one.reset();
    waiting.clear();
  }
  /// The first byte that must be held back.
  [[nodiscard]] std::uint64_t first_held() const noexcept {
    std::uint64_t first = waiting.empty() ? no_position : waiting.front().match.marker.begin;
    for (const auto& one : recognisers) first = std::min(first, one.from);
    return first;
  }
  /// Returns true if no marker is incomplete. A byte that starts none can then only change what is code.
  [[nodiscard]] bool idle() const noexcept {
    for (const auto& one : recognisers) {
      if (one.active || one.from != no_position) return false;
    }
    return waiting.empty();
  }
};

/// What a byte can do if no marker is incomplete.
enum class effect : std::uint8_t {
  none,
  code,   ///< start or end code, a line or an escape
  start,  ///< start a marker
};

/// Indexed by byte. Numbers, because grammars see them (grammar::skip).
using effect_table = std::array<std::uint8_t, 256>;

effect_table effects_of(const std::vector<const grammar*>& grammars) {
  effect_table all{};
  const auto set = [&all](char byte, effect what) {
    all[static_cast<unsigned char>(byte)] = static_cast<std::uint8_t>(what);
  };
  for (const char c : std::string_view("\n\r`\\!")) set(c, effect::code);
  for (const grammar* one : grammars) {
    for (const char c : one->starts) set(c, effect::start);
  }
  return all;
}

/// What the scanner has to look at next.
enum class activity : std::uint8_t {
  marker,  ///< every byte: a marker is incomplete, or the text is read both ways
  code,    ///< bytes that can start a marker or change what is code
  plain,   ///< as `code`, but bytes without effect are skipped
};

/// How far the text has come.
enum class text_phase : std::uint8_t {
  open,      ///< more bytes may follow
  finished,  ///< finish() has been called
  read,      ///< incomplete markers have been ended, see take_end()
};

}  // namespace

struct marker_scanner::impl {
  scanner_options options;
  effect_table effects;
  reading now;
  reading as_text;  ///< reads the bytes since `reread` as text; valid while `forked`
  bool forked{};
  char last{};  ///< the byte before the cursor, while there is a raw part

  text_window window;
  activity active{activity::code};
  text_phase phase{};
  std::size_t reserved{};  ///< bytes held by a later stage: see marker_scanner::reserve()
  std::uint64_t abandoned{};

  explicit impl(scanner_options o) : options(std::move(o)), effects(effects_of(options.grammars)) {
    now.recognisers.resize(options.grammars.size());
    as_text.recognisers.resize(options.grammars.size());
  }

  [[nodiscard]] bool starts_with(std::size_t grammar, char byte) const noexcept {
    return options.grammars[grammar]->starts.find(byte) != std::string_view::npos;
  }
  [[nodiscard]] bool idle() const noexcept { return active != activity::marker; }
  /// The first byte that must be held back, or `cursor`. Never before `given`.
  [[nodiscard]] std::uint64_t hold() const noexcept {
    const std::uint64_t first = forked ? std::min(now.first_held(), as_text.first_held()) : now.first_held();
    return std::max(std::min(first, window.cursor), window.given);
  }

  [[nodiscard]] bool cites_only(const reading& in, text_range& text) const noexcept;
  [[nodiscard]] std::string_view cited() const noexcept;
  [[nodiscard]] bool holds(std::size_t bytes) const noexcept;
  [[nodiscard]] effect effect_of(char byte) const noexcept {
    return static_cast<effect>(effects[static_cast<unsigned char>(byte)]);
  }
  [[nodiscard]] std::size_t bound() const noexcept {
    return std::max<std::size_t>(options.markers.bounds.max_marker_bytes, 1);
  }
  [[nodiscard]] activity after_text() const noexcept {
    return now.code.plain() ? activity::plain : activity::code;
  }
  bool give_idle(marker_token& out) noexcept;
  bool read_until_token(marker_token& out);
  bool skip();
  bool read_byte(marker_token& out);
  step take(reading& in, char byte);
  step take_raw(reading& in, char byte);
  lexed_byte lex(reading& in, char byte, std::uint64_t position);
  void take_text(reading& in, char byte);
  void fork(char byte, std::uint64_t position);
  void take_end(reading& in);
  void give_to(reading& in, std::size_t index, const lexed_byte& byte);
  void add_complete(reading& in, const marker_match& match, const grammar* recognised_by);
  [[nodiscard]] std::ptrdiff_t rank(const grammar* one) const noexcept;
  bool give_marker(marker_token& out);
  bool give_text(std::uint64_t to, marker_token& out);
};

/// The place of a grammar in the table. Grammars that are not in it come last, in the order given.
std::ptrdiff_t marker_scanner::impl::rank(const grammar* one) const noexcept {
  const auto table = grammars();
  const auto known = std::find(table.begin(), table.end(), one);
  if (known != table.end()) return known - table.begin();
  const auto own = std::find(options.grammars.begin(), options.grammars.end(), one);
  return static_cast<std::ptrdiff_t>(table.size()) + (own - options.grammars.begin());
}

/// Returns true if the only marker that can start at the first held byte is one with cited text, and moves
/// the beginning of \p text to that of the cited text.
bool marker_scanner::impl::cites_only(const reading& in, text_range& text) const noexcept {
  const std::uint64_t first = hold();
  if (!in.waiting.empty() && in.waiting.front().match.marker.begin == first) {
    const text_range there = in.waiting.front().match.cited;
    if (there.begin == there.end) return false;
    text.begin = std::min(text.begin, there.begin);
  }
  for (const auto& one : in.recognisers) {
    if (one.from != first) continue;
    if (one.cited == no_position) return false;
    text.begin = std::min(text.begin, one.cited);
  }
  return true;
}

std::string_view marker_scanner::impl::cited() const noexcept {
  text_range text{window.cursor, window.cursor};
  const bool sure = hold() < window.cursor && cites_only(now, text) && (!forked || cites_only(as_text, text));
  return sure ? window.slice(text) : std::string_view();
}

/// Returns true if at least \p bytes are held back. Bytes that a later stage holds do not count if cited text
/// follows them, because that stage can send them then.
bool marker_scanner::impl::holds(std::size_t bytes) const noexcept {
  const std::uint64_t own = window.cursor - hold();
  return own >= bytes || (own + reserved >= bytes && cited().empty());
}

/// Shortcut: returns the text up to the next byte that may start a marker. Most text takes only this path. If
/// a later stage holds so much that the limit may be reached, read_byte() must count.
inline bool marker_scanner::impl::give_idle(marker_token& out) noexcept {
  const std::string_view bytes = window.unread();
  const char* const end = bytes.data() + bytes.size();
  const char* at = bytes.data();
  const bool counted = reserved >= bound();
  for (;;) {
    if (active == activity::plain) {
      const char* const start = at;
      while (at != end && effect_of(*at) == effect::none) ++at;
      if (at != start) now.code.take_plain();
    }
    if (at == end || effect_of(*at) == effect::start || counted) break;
    now.code.take(*at);
    ++at;
    active = after_text();
  }
  window.cursor += static_cast<std::uint64_t>(at - bytes.data());
  if (window.given == window.cursor) return false;
  out = {};
  out.text = window.slice(window.given, window.cursor);
  out.code = active != activity::plain && now.code.in_code();
  window.given = window.cursor;
  if (at == end) window.let_go();
  return true;
}

/// Adds a complete marker. Of overlapping markers the one that starts first wins, then the longest, then the
/// one whose grammar comes first in the table.
void marker_scanner::impl::add_complete(reading& in, const marker_match& match,
                                        const grammar* recognised_by) {
  const text_range place = match.marker;
  // They are sorted and do not overlap, so the overlapping ones are the last that start before its end.
  const auto is_before = [&](const found_marker& one) { return one.match.marker.begin < place.end; };
  const auto after = std::partition_point(in.waiting.begin(), in.waiting.end(), is_before);
  auto first = after;
  while (first != in.waiting.begin() && std::prev(first)->match.marker.end > place.begin) {
    const found_marker& one = *--first;
    const text_range there = one.match.marker;
    if (there.begin < place.begin) return;
    if (there.begin == place.begin && there.end > place.end) return;
    if (there == place && rank(one.recognised_by) < rank(recognised_by)) return;
  }
  in.waiting.replace(first, after, {match, recognised_by});
}

void marker_scanner::impl::give_to(reading& in, std::size_t index, const lexed_byte& byte) {
  auto& state = in.recognisers[index];
  const grammar* one = options.grammars[index];
  if (!state.active && (byte.literal || byte.end || !starts_with(index, byte.byte))) return;
  marker_match match;
  if (one->advance(*one, state, byte, options.markers, match) == step::complete) add_complete(in, match, one);
}

/// Gives a byte of a raw part to the grammar that owns the part, and then to the others.
step marker_scanner::impl::take_raw(reading& in, char byte) {
  lexed_byte raw;
  raw.byte = byte;
  raw.position = window.cursor;
  raw.after_bang = in.code.after_bang();
  std::size_t owner = 0;
  while (!in.recognisers[owner].raw) ++owner;
  const grammar* one = options.grammars[owner];
  marker_match match;
  const step done = one->advance(*one, in.recognisers[owner], raw, options.markers, match);
  if (done == step::retry || done == step::rewind) return done;
  if (done == step::complete) add_complete(in, match, one);
  // A marker may start inside a raw part that fails. If the part is read both ways, `as_text` finds it.
  const bool starts = !in.recognisers[owner].reread;
  for (std::size_t i = 0; i < in.recognisers.size(); ++i) {
    if (i != owner && (starts || in.recognisers[i].active)) give_to(in, i, raw);
  }
  in.code.take_raw(byte);
  return step::none;
}

lexed_byte marker_scanner::impl::lex(reading& in, char byte, std::uint64_t position) {
  lexed_byte text;
  text.byte = byte;
  text.position = position;
  text.after_bang = in.code.after_bang();
  text.line_start = in.code.line_start();
  text.literal = in.code.take(byte);
  text.bytes_before_close = in.code.bytes_before_close();
  return text;
}

/// Gives a byte of text to every grammar that wants it.
void marker_scanner::impl::take_text(reading& in, char byte) {
  const lexed_byte text = lex(in, byte, window.cursor);
  for (std::size_t i = 0; i < in.recognisers.size(); ++i) give_to(in, i, text);
}

/// Ends the text: each incomplete marker becomes complete as it is, or fails.
void marker_scanner::impl::take_end(reading& in) {
  lexed_byte end_of_text;
  end_of_text.position = window.cursor;
  end_of_text.end = true;
  for (std::size_t i = 0; i < in.recognisers.size(); ++i) {
    give_to(in, i, end_of_text);
    in.recognisers[i].reset();
  }
}

/// Reads a byte in one of the two readings. \return rewind if it must be read in the other one.
step marker_scanner::impl::take(reading& in, char byte) {
  const bool raw = std::any_of(in.recognisers.begin(), in.recognisers.end(), [](auto& r) { return r.raw; });
  const step done = raw ? take_raw(in, byte) : step::retry;
  if (done == step::retry) take_text(in, byte);
  return done == step::rewind ? done : step::none;
}

/// Starts reading both ways if the byte at \p position began a raw part that is read again as text if it
/// fails. The same byte may have ended another such part.
void marker_scanner::impl::fork(char byte, std::uint64_t position) {
  const auto rereads = [](const recogniser_state& one) { return one.reread; };
  if (std::none_of(now.recognisers.begin(), now.recognisers.end(), rereads)) return;
  as_text = now;
  forked = true;
  const lexed_byte text = lex(as_text, byte, position);
  for (std::size_t i = 0; i < as_text.recognisers.size(); ++i) {
    auto& one = as_text.recognisers[i];
    if (!one.reread) continue;  // it has already had the byte
    one.phase = 0;
    one.raw = one.reread = false;
    give_to(as_text, i, text);
  }
}

/// Shortcut: takes bytes that only make the incomplete marker longer, as most bytes in a marker do. Returns
/// false if there are none. read_byte() would have the same effect for each of them.
bool marker_scanner::impl::skip() {
  if (forked || !now.waiting.empty()) return false;
  std::size_t owner = options.grammars.size();
  for (std::size_t i = 0; i < now.recognisers.size(); ++i) {
    const auto& one = now.recognisers[i];
    if (!one.active && one.from == no_position) continue;
    if (owner != options.grammars.size()) return false;  // two may be incomplete: both need each byte
    owner = i;
  }
  if (owner == options.grammars.size() || options.grammars[owner]->skip == nullptr) return false;
  auto& state = now.recognisers[owner];
  const std::uint64_t held = window.cursor - hold() + reserved;
  if ((!state.raw && !now.code.plain()) || held >= bound()) return false;

  const std::string_view bytes = window.unread().substr(0, bound() - held);
  const std::size_t taken =
      options.grammars[owner]->skip(state, bytes, window.cursor, effects, options.markers);
  if (taken == 0) return false;
  now.code.take_plain();
  last = bytes[taken - 1];
  window.cursor += taken;
  return true;
}

/// Reads the byte at the cursor. \return true if the limit was reached and all held text must be returned
bool marker_scanner::impl::read_byte(marker_token& out) {
  const char byte = window.next();
  const auto rereads = [](const recogniser_state& r) { return r.reread; };
  auto& states = now.recognisers;
  const bool at_bound = holds(bound());
  const code_lexer before = now.code;

  if (take(now, byte) == step::rewind) {
    std::swap(now, as_text);
    forked = false;
    fork(last, window.cursor - 1);
    return false;  // the byte is read again, as text
  }
  if (forked && std::none_of(states.begin(), states.end(), rereads)) forked = false;
  if (forked) {
    if (take(as_text, byte) == step::rewind) take_text(as_text, byte);
  } else {
    fork(byte, window.cursor);
  }
  last = byte;
  ++window.cursor;
  if (!at_bound || !holds(bound() + 1)) return false;

  --window.cursor;  // one byte too many: all held text is returned, and the byte is read again
  now.forget();
  now.code = before;
  forked = false;
  reserved = 0;
  ++abandoned;
  if (!give_text(window.cursor, out)) out = {};  // only a later stage held text
  out.abandoned = true;
  return true;
}

bool marker_scanner::impl::give_text(std::uint64_t to, marker_token& out) {
  if (window.given >= to) return false;
  out = {};
  out.kind = token_kind::text;
  out.text = window.slice(window.given, to);
  // While the text is read both ways, only `as_text` can find a marker next.
  out.code = to == window.cursor && (forked ? as_text : now).code.in_code();
  window.given = to;
  return true;
}

/// Returns the text before the first complete marker, then the marker, once nothing can replace it.
bool marker_scanner::impl::give_marker(marker_token& out) {
  if (now.waiting.empty() || forked) return false;
  const marker_match match = now.waiting.front().match;
  for (const auto& one : now.recognisers) {
    if (one.from <= match.marker.begin) return false;
  }
  if (match.marker.begin < window.given) {  // never happens, but no byte may be returned twice
    now.waiting.pop_front();
    return false;
  }
  if (give_text(match.marker.begin, out)) return true;
  out = {};
  out.kind = token_kind::marker;
  out.text = window.slice(match.marker);
  out.fields = {window.slice(match.label), window.slice(match.identifier), window.slice(match.cited),
                match.role};
  out.recognised_by = now.waiting.front().recognised_by;
  window.given = match.marker.end;
  now.waiting.pop_front();
  for (std::size_t i = 0; i < now.recognisers.size(); ++i) {
    auto& state = now.recognisers[i];
    if (options.grammars[i]->forget != nullptr) {
      options.grammars[i]->forget(state, window.given);
    } else if (state.from < window.given) {
      state.reset();
    }
  }
  return true;
}

/// Reads until there is a token.
bool marker_scanner::impl::read_until_token(marker_token& out) {
  for (;;) {
    if (idle() ? give_idle(out) : give_marker(out)) return true;
    if (window.cursor == window.end()) break;
    // Text in front of a possible marker is returned first: the caller may call reserve() before the marker.
    if (effect_of(window.next()) != effect::none && give_text(hold(), out)) return true;
    if (idle() || !skip()) {
      active = activity::marker;
      if (read_byte(out)) return true;
      if (!forked && now.idle()) {
        active = after_text();
        continue;
      }
    }
    const std::uint64_t held = hold();
    if (held < window.cursor && give_text(held, out)) return true;
  }
  if (phase == text_phase::finished) {
    if (forked) std::swap(now, as_text);  // a title without an end is text and may contain markers
    forked = false;
    active = activity::marker;
    phase = text_phase::read;
    take_end(now);
    return read_until_token(out);
  }
  if (give_text(phase == text_phase::read ? window.end() : hold(), out)) return true;
  window.keep_rest();
  return false;
}

marker_scanner::marker_scanner(scanner_options options) : impl_(std::make_unique<impl>(std::move(options))) {}
marker_scanner::~marker_scanner() = default;
marker_scanner::marker_scanner(marker_scanner&&) noexcept = default;
marker_scanner& marker_scanner::operator=(marker_scanner&&) noexcept = default;

marker_scanner marker_scanner::fresh() const {
  return marker_scanner(impl_->options);
}

void marker_scanner::feed(std::string_view delta) {
  impl_->window.feed(delta);
}

[[gnu::hot]] bool marker_scanner::pass(std::string_view delta, std::size_t reserved) noexcept {
  impl& s = *impl_;
  if (s.active != activity::plain || !s.window.empty()) return false;
  for (const char byte : delta) {
    if (s.effect_of(byte) != effect::none) return false;
  }
  s.now.code.take_plain();
  s.window.pass(delta.size());
  s.reserved = reserved;
  return true;
}

bool marker_scanner::next(marker_token& out) {
  impl& s = *impl_;
  if (s.idle()) {
    if (s.window.empty() && s.phase == text_phase::open) return false;
    if (s.give_idle(out)) return true;
  }
  return s.read_until_token(out);
}

void marker_scanner::finish() noexcept {
  if (impl_->phase == text_phase::open) impl_->phase = text_phase::finished;
}
void marker_scanner::reserve(std::size_t bytes) noexcept {
  impl_->reserved = bytes;
}
std::size_t marker_scanner::held() const noexcept {
  return impl_->window.held();
}
std::string_view marker_scanner::cited() const noexcept {
  return impl_->cited();
}
std::uint64_t marker_scanner::abandoned() const noexcept {
  return impl_->abandoned;
}

void marker_scanner::reset() noexcept {
  impl& s = *impl_;
  s.now.reset();
  s.as_text.reset();
  s.forked = false;
  s.window.reset();
  s.active = activity::code;
  s.phase = text_phase::open;
  s.reserved = 0;
  s.abandoned = 0;
}

}  // namespace citestream
