#include <citestream/session/answer.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cite/claim.hpp"
#include "egress/guard.hpp"
#include "grammars.hpp"
#include "marker/scanner.hpp"
#include "style/spacer.hpp"

namespace citestream {

namespace {

scanner_options options_for_scanner(const session_options& options) {
  scanner_options out;  // as it is: link
  out.markers = {options.identifiers, options.bounds};
  if (!options.grammars.empty()) {
    out.grammars = options.grammars;
  } else if (options.dialect != nullptr && !options.dialect->grammars.empty()) {
    out.grammars.clear();
    append_grammars(*options.dialect, cites_given(options), out.grammars);
  }
  const auto& on = out.grammars;
  for (const grammar* one : grammars()) {
    if (!options.provenance || !one->keyed_by_request) continue;
    if (std::find(on.begin(), on.end(), one) == on.end()) out.grammars.push_back(one);
  }
  for (const marker_pattern& one : options.patterns) out.grammars.push_back(&one.as_grammar());
  return out;
}

// What is cited without a marker, and where: `position` in the input.
struct markerless {
  std::uint64_t position{};
  std::string key;
};

// Citations without a marker count places in a list from 0.
constexpr grammar no_grammar{.first_place = [](std::string_view) noexcept -> std::int64_t { return 0; }};

std::int64_t first_of(const marker_token& token) noexcept {
  return token.from->first_place == nullptr ? 1 : token.from->first_place(token.text);
}

}  // namespace

// What a citation's record says where it leaves as it came.
struct spelling {
  std::size_t index{};
  std::string label;
  std::string identifier;
  std::string marker;
};

struct answer::impl {
  explicit impl(const session_options& options)
      : printed(options.style),
        only_known(options.only_known),
        patterns(options.patterns),
        scanner(options_for_scanner(options)),
        space(printed->space, options.bounds.max_marker_bytes),
        cites(options.bounds),
        max_list_bytes(options.bounds.max_list_bytes),
        guard(options.egress == egress_mode::off
                  ? nullptr
                  : std::make_unique<egress_guard>(options.egress, options.egress_allowed, options.bounds)) {}

  [[nodiscard]] bool untouched() const noexcept { return printed->space == spacing::untouched; }

  void push(std::string_view delta, std::string& out);
  void push_long(std::string_view delta, std::string& out);
  void push_guarded(std::string_view delta, std::string& out);
  void guard_piece(std::string_view delta, std::string& out);
  void feed_guard(std::string& out);
  void place_cites();
  void forget_changes();
  void add_citation(const marker_token& token, std::size_t key, std::uint32_t number, text_span place,
                    text_span claim);
  void spell_safely(std::size_t index, const spelling& raw);
  void spell_resolved();
  void finish(std::string& out);
  void drain(std::string* out);
  void take(const marker_token& token, std::string* out);
  void take_part(const marker_token& part, std::string* out);
  void take_cited(std::uint64_t until, std::string* out);
  void forget_cited() noexcept;
  void take_text(const marker_token& token, std::string& out);
  void take_marker(const marker_token& token, std::string& out);
  text_span take_inner(std::string_view inner, std::string& out);
  void expect_inner(std::string& out);
  void note_output(const std::string& out, std::size_t start);
  void note_end(std::string_view text) noexcept;
  void print(const citation_context& cite, std::string& out);
  bool read_keys(const marker_token& token);
  [[nodiscard]] bool points_nowhere(const marker_token& token) const;
  void note_marker(const marker_token& token);

  const citestream::style* printed;
  bool only_known;
  bool keyed_by_request{true};           // see answer::keyed_by_request()
  bool begun{};                          // text has come
  bool known_beforehand{};               // references had come by then
  std::vector<marker_pattern> patterns;  // own the grammars that the scanner uses
  marker_scanner scanner;
  spacer space;
  citations cites;
  claim_tracker output;  // follows the output text
  std::string rendered;  // reused
  std::size_t max_list_bytes;
  marker_keys keys;
  std::size_t group{};            // index of the first citation of the marker group under way
  std::vector<markerless> cited;  // in order; those before `next_cited` have their place
  std::size_t next_cited{};
  std::size_t cited_bytes{};               // of all their keys
  std::uint64_t fed{};                     // bytes of input that went the long way: see answer::push()
  std::uint64_t taken{};                   // of these, given by the scanner and taken
  std::uint64_t printed_end{no_position};  // where the last thing that the style printed ends
  bool settled{};                          // the next delta may take the short way: see answer::push()
  std::uint8_t line_ends{2};  // at the end of the output, up to 2; its start counts as an empty line
  bool listed{};              // the style's list has left
  std::size_t held_max{};
  std::uint64_t abandoned{};            // by scanners of earlier answers
  std::unique_ptr<egress_guard> guard;  // of what would leave without it; null: nothing is guarded
  std::string unguarded;                // reused
  std::vector<std::size_t> marks;       // where in `unguarded` ends what the style printed; reused
  std::vector<spelling> respelled;      // pending citations whose records were made inert
  std::vector<text_offset> kept;        // reused
  bool quiet{};                         // `settled` for guarded texts, which that is never set for
  std::size_t moved{};                  // citations placed in the guarded text
  text_offset list_size;
};

// Text has been appended to `out` from `start` on.
void answer::impl::note_output(const std::string& out, std::size_t start) {
  const std::string_view text = std::string_view(out).substr(start);
  if (space.lead() > 0) {  // it turned out to stand before the group's markers
    text_offset by;
    by.advance(text.substr(0, space.lead()));
    cites.shift(group, by);
  }
  output.text(text);
  note_end(text);
}

// The output ends in `text` now.
void answer::impl::note_end(std::string_view text) noexcept {
  std::uint8_t ends = 0;
  for (std::size_t at = text.size(); at > 0 && ends < 2; --at) {
    if (text[at - 1] == '\n') {
      ++ends;
    } else if (text[at - 1] != '\r') {
      line_ends = ends;
      return;
    }
  }
  line_ends = static_cast<std::uint8_t>(std::min(line_ends + ends, 2));
}

// Appends what the style prints for one citation.
void answer::impl::print(const citation_context& cite, std::string& out) {
  rendered.clear();
  if (printed->render != nullptr) printed->render(cite, rendered);
  output.marker(rendered);
  if (rendered.empty()) return;
  out.append(rendered);
  note_end(rendered);
  printed_end = output.position().utf8;
  if (&out == &unguarded) marks.push_back(out.size());
}

void answer::impl::take_text(const marker_token& token, std::string& out) {
  std::size_t start = out.size();
  space.text(token.text, token.code, out);
  note_output(out, start);
  if (!token.abandoned) return;
  start = out.size();
  space.flush(out);
  note_output(out, start);
}

// Whether a marker means nothing that is known, though references were known before the text.
bool answer::impl::points_nowhere(const marker_token& token) const {
  if (!only_known || !known_beforehand || !token.from->may_be_prose) return false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (cites.knows(keys[i])) return false;
  }
  return true;
}

// Finds what a marker cites. \return false: it stays text, for it means nothing that is known, or one
// citation more would be too many.
bool answer::impl::read_keys(const marker_token& token) {
  keys.clear();
  if (token.from->keys != nullptr) token.from->keys(token.fields.identifier, keys);
  if (keys.size() == 0) keys.add(token.fields.identifier);
  if (points_nowhere(token)) return false;
  std::size_t bytes = keys.size() * (token.fields.label.size() + token.text.size());
  for (std::size_t i = 0; i < keys.size(); ++i) bytes += keys[i].size();
  return cites.has_room(keys.size(), bytes);
}

// Text that stands inside a marker stays, in front of what is printed. \return where: what the marker
// supports.
text_span answer::impl::take_inner(std::string_view inner, std::string& out) {
  const std::size_t start = out.size();
  space.fixed(inner, out);
  rendered.assign(out, start, out.size() - start - inner.size());
  note_output(rendered, 0);
  const text_offset begin = output.position();
  output.text(inner);
  return {begin, output.position()};
}

// What stands before such text can leave while the marker is still withheld.
void answer::impl::expect_inner(std::string& out) {
  const std::string_view inner = scanner.cited();
  if (inner.empty()) return;
  const std::size_t start = out.size();
  space.expect_fixed(inner, out);
  note_output(out, start);
  scanner.reserve(space.held());
}

void answer::impl::add_citation(const marker_token& token, std::size_t key, std::uint32_t number,
                                text_span place, text_span claim) {
  const auto index =
      cites.add(token.fields.label, keys[key], token.text, number, place, claim, first_of(token));
  keyed_by_request = keyed_by_request && (!index || token.from->keyed_by_request);
  if (guard == nullptr || !guard->enforces() || !index) return;
  const citation& one = cites.all()[*index];
  spelling raw{*index, one.label, one.identifier, one.marker};
  spell_safely(*index, raw);
  const bool changed = one.label != raw.label || one.identifier != raw.identifier || one.marker != raw.marker;
  if (changed) respelled.push_back(std::move(raw));
}

// A record is text, too, that programs show and make links of.
void answer::impl::spell_safely(std::size_t index, const spelling& raw) {
  std::string label;
  std::string identifier;
  std::string marker;
  guard->inert(raw.label, label);
  guard->inert(raw.marker, marker);
  // What is a reference's own stands in the reference as well.
  if (cites.all()[index].match == match_kind::exact) {
    identifier = raw.identifier;
  } else {
    guard->inert_address(raw.identifier, identifier);
  }
  cites.spell(index, label, identifier, marker);
}

// References have come: what they name may leave.
void answer::impl::spell_resolved() {
  const auto decided = [&](const spelling& raw) {
    if (cites.all()[raw.index].status == citation_status::pending) return false;
    spell_safely(raw.index, raw);
    return true;
  };
  std::erase_if(respelled, decided);
}

void answer::impl::take_marker(const marker_token& token, std::string& out) {
  if (token.fields.role == marker_role::claim_start) output.start_claim();
  if (token.fields.role != marker_role::citation) return;
  if (!read_keys(token)) {
    take_text(token, out);
    return;
  }
  text_span supported;
  if (!token.fields.cited.empty()) supported = take_inner(token.fields.cited, out);
  const std::size_t before = out.size();
  const bool joins = space.in_group();
  space.marker(out);
  note_output(out, before);
  if (!joins) group = cites.all().size();
  const text_span claim = token.fields.cited.empty() ? output.claim() : supported;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t number = cites.number_of(keys[i], first_of(token));
    if (printed_end == output.position().utf8) {  // directly behind another one
      out.append(printed->separator);
      output.marker(printed->separator);
    }
    const text_offset start = output.position();
    print({token.fields.label, keys[i], number, cites.best(keys[i], first_of(token))}, out);
    add_citation(token, i, number, {start, output.position()}, claim);
  }
}

// The same where the text passes as it is.
void answer::impl::note_marker(const marker_token& token) {
  if (token.fields.role != marker_role::citation) {
    output.marker(token.text);
    if (token.fields.role == marker_role::claim_start) output.start_claim();
    return;
  }
  if (!read_keys(token)) {
    output.text(token.text);
    return;
  }
  const text_offset start = output.position();
  const std::string_view inner = token.fields.cited;
  const std::size_t before = inner.empty() ? 0 : static_cast<std::size_t>(inner.data() - token.text.data());
  output.text(token.text.substr(0, before));
  const text_offset begin = output.position();
  output.text(inner);
  const text_span claim = inner.empty() ? output.claim() : text_span{begin, output.position()};
  output.marker(token.text.substr(before + inner.size()));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint32_t number = cites.number_of(keys[i], first_of(token));
    add_citation(token, i, number, {start, output.position()}, claim);
  }
}

// `out`: where text goes; null where it has gone already.
void answer::impl::take_part(const marker_token& part, std::string* out) {
  if (out != nullptr) {
    part.kind == token_kind::text ? take_text(part, *out) : take_marker(part, *out);
    scanner.reserve(space.held());
  } else {
    part.kind == token_kind::text ? output.text(part.text) : note_marker(part);
  }
}

// Places what is cited without a marker up to the byte `until` of the input.
void answer::impl::take_cited(std::uint64_t until, std::string* out) {
  while (next_cited < cited.size() && cited[next_cited].position <= until) {
    marker_token none;
    none.kind = token_kind::marker;
    none.fields.identifier = cited[next_cited++].key;
    none.from = &no_grammar;
    take_part(none, out);
  }
  if (next_cited == cited.size()) forget_cited();
}

void answer::impl::forget_cited() noexcept {
  cited.clear();
  next_cited = cited_bytes = 0;
}

// Takes one token, in parts where something is cited inside it: text is parted there; a marker is whole, and
// what was cited inside it stands behind it.
void answer::impl::take(const marker_token& token, std::string* out) {
  if (cited.empty()) {  // as nearly always
    taken += token.text.size();
    take_part(token, out);
    return;
  }
  take_cited(taken, out);
  marker_token part = token;
  while (token.kind == token_kind::text && !cited.empty() &&
         cited[next_cited].position < taken + part.text.size()) {
    const std::string_view rest = part.text;
    const auto size = static_cast<std::size_t>(cited[next_cited].position - taken);
    part.text = rest.substr(0, size);
    part.code = part.abandoned = false;
    take_part(part, out);
    taken += size;
    take_cited(taken, out);
    part = token;
    part.text = rest.substr(size);
  }
  taken += part.text.size();
  take_part(part, out);
}

// Takes what the scanner has.
void answer::impl::drain(std::string* out) {
  for (marker_token token; scanner.next(token);) take(token, out);
  if (!cited.empty()) take_cited(taken, out);
  if (out != nullptr && scanner.held() > 0) expect_inner(*out);
}

// The long way of a delta.
void answer::impl::push_long(std::string_view delta, std::string& out) {
  if (!begun && !delta.empty()) {
    begun = true;
    known_beforehand = !cites.references().empty();
  }
  fed += delta.size();
  scanner.feed(delta);
  settled = begun;
  if (untouched()) {
    out.append(delta);
    drain(nullptr);
  } else {
    drain(&out);
    held_max = std::max(held_max, scanner.held() + space.held());
    settled = settled && line_ends == 0 && space.settled();
  }
  settled = settled && cited.empty();
}

// A guarded text takes the same ways, and then that of the guard. In pieces: what is kept of changes until
// citations have their place is bounded by what came since.
void answer::impl::push_guarded(std::string_view delta, std::string& out) {
  constexpr std::size_t most = 16 * 1024;
  for (; delta.size() > most; delta.remove_prefix(most)) guard_piece(delta.substr(0, most), out);
  guard_piece(delta, out);
}

void answer::impl::feed_guard(std::string& out) {
  const std::string_view text = unguarded;
  std::size_t fed_until = 0;
  for (const std::size_t end : marks) {
    guard->feed(text.substr(fed_until, end - fed_until), out);
    guard->pass_mark(out);
    fed_until = end;
  }
  marks.clear();
  guard->feed(text.substr(fed_until), out);
}

void answer::impl::guard_piece(std::string_view delta, std::string& out) {
  unguarded.clear();
  const std::size_t blanks = quiet ? space.blanks_of(delta) : std::string_view::npos;
  if (blanks == std::string_view::npos || !scanner.pass(delta, blanks)) {
    push_long(delta, unguarded);
    quiet = std::exchange(settled, false);
  } else {
    space.put(delta, blanks, unguarded);
    output.text(unguarded);
  }
  feed_guard(out);
  if (moved < cites.all().size()) place_cites();
  if (guard->changes() > 0) forget_changes();
  held_max = std::max(held_max, guard->held() + (untouched() ? 0 : scanner.held() + space.held()));
}

// The guard changes where text stands.
void answer::impl::place_cites() {
  const std::span<const citation> all = cites.all();
  const std::size_t decided = space.undecided() ? group : all.size();
  for (; moved < decided && guard->placed(all[moved].end); ++moved) {
    const citation& one = all[moved];
    cites.move(moved, {guard->place(one.start), guard->place(one.end)},
               {guard->place(one.claim_start), guard->place(one.claim_end)});
  }
}

// Of changes that citations can no longer ask about nothing is kept.
void answer::impl::forget_changes() {
  constexpr std::size_t few = 64;  // so that it is not done often
  const std::span<const citation> waiting = cites.all().subspan(moved);
  if (guard->changes() < few + 4 * waiting.size()) return;
  const auto ends = output.ends();
  kept.assign(ends.begin(), ends.end());
  for (const citation& one : waiting) {
    for (const text_offset& at : {one.start, one.end, one.claim_start, one.claim_end}) kept.push_back(at);
  }
  guard->forget(kept);
}

inline void answer::impl::push(std::string_view delta, std::string& out) {
  guard == nullptr ? push_long(delta, out) : push_guarded(delta, out);
}

answer::answer(const session_options& options) : impl_(std::make_unique<impl>(options)) {}
answer::~answer() = default;
answer::answer(answer&&) noexcept = default;
answer& answer::operator=(answer&&) noexcept = default;

// A delta that nothing can happen to, as nearly all are, takes a short way: it begins no marker, ends no line
// and comes where nothing is due.
[[gnu::hot]] void answer::push(std::string_view delta, std::string& out) {
  impl& a = *impl_;
  const std::size_t blanks = a.settled ? a.space.blanks_of(delta) : std::string_view::npos;
  if (blanks == std::string_view::npos || !a.scanner.pass(delta, blanks)) return a.push(delta, out);
  const std::size_t start = out.size();
  a.space.put(delta, blanks, out);
  a.output.text({out.data() + start, out.size() - start});
  if (blanks > 0) a.held_max = std::max(a.held_max, blanks);
}

void answer::cite(std::string_view key) {
  impl& a = *impl_;
  if (!a.cites.has_room(a.cited.size() + 1, a.cited_bytes + key.size())) return;
  a.cited_bytes += key.size();
  a.cited.push_back({a.fed, std::string(key)});
  a.settled = a.quiet = false;
}

void answer::finish(std::string& out) {
  impl& a = *impl_;
  if (a.guard == nullptr) return a.finish(out);
  a.unguarded.clear();
  a.finish(a.unguarded);
  a.feed_guard(out);
  a.guard->finish(out);
  a.place_cites();
}

void answer::impl::finish(std::string& out) {
  impl& a = *this;
  a.settled = a.quiet = false;
  a.scanner.finish();
  a.drain(a.untouched() ? nullptr : &out);
  const std::size_t start = out.size();
  a.space.flush(out);
  if (!a.untouched()) a.note_output(out, start);
  a.abandoned += a.scanner.abandoned();
  a.scanner.reset();  // what may still come is a text of its own
}

void answer::append_list(std::string& out) {
  impl& a = *impl_;
  if (a.listed || a.printed->list == nullptr || a.cites.all().empty()) return;
  a.listed = true;
  a.settled = false;
  const std::size_t start = out.size();
  out.append(static_cast<std::size_t>(2 - a.line_ends), '\n');
  const std::size_t list = out.size();
  a.printed->list(a.cites, a.max_list_bytes, out);
  if (out.size() == list) return out.resize(start);
  a.output.text(std::string_view(out).substr(start));
  a.note_end(std::string_view(out).substr(start));
  a.list_size.advance(std::string_view(out).substr(start));
}

bool answer::add_reference(const reference& ref) {
  const bool added = impl_->cites.add_reference(ref);
  if (added && impl_->guard != nullptr) impl_->guard->know(ref);
  return added;
}
void answer::resolve() {
  impl_->cites.resolve();
  if (!impl_->respelled.empty()) impl_->spell_resolved();
}
const citations& answer::cites() const noexcept {
  return impl_->cites;
}

bool answer::keyed_by_request() const noexcept {
  return impl_->keyed_by_request;
}

std::size_t answer::placed() const noexcept {
  if (impl_->guard != nullptr) return impl_->moved;
  return impl_->space.undecided() ? impl_->group : impl_->cites.all().size();
}

std::size_t answer::held() const noexcept {
  const std::size_t guarded = impl_->guard == nullptr ? 0 : impl_->guard->held();
  return guarded + (impl_->untouched() ? 0 : impl_->scanner.held() + impl_->space.held());
}

bool answer::waiting() const noexcept {
  return held() > 0 || !impl_->cited.empty();
}

std::size_t answer::held_max() const noexcept {
  return impl_->held_max;
}

std::uint64_t answer::abandoned() const noexcept {
  const std::uint64_t guarded = impl_->guard == nullptr ? 0 : impl_->guard->abandoned();
  if (impl_->untouched()) return guarded;
  return guarded + impl_->abandoned + impl_->scanner.abandoned() + impl_->space.abandoned();
}

text_offset answer::position() const noexcept {
  if (impl_->guard == nullptr) return impl_->output.position();
  const text_offset& list = impl_->list_size;
  const text_offset text = impl_->guard->position();
  return {text.utf8 + list.utf8, text.utf16 + list.utf16, text.codepoint + list.codepoint};
}

std::span<const egress_record> answer::egress() const noexcept {
  return impl_->guard == nullptr ? std::span<const egress_record>() : impl_->guard->records();
}

std::uint64_t answer::egress_count() const noexcept {
  return impl_->guard == nullptr ? 0 : impl_->guard->recorded();
}

void answer::reset() noexcept {
  impl& a = *impl_;
  a.scanner.reset();
  a.space.reset();
  a.cites.reset();
  a.output.reset();
  a.forget_cited();
  if (a.guard != nullptr) a.guard->reset();
  a.moved = 0;
  a.respelled.clear();
  a.list_size = {};
  a.quiet = false;
  a.keyed_by_request = true;
  a.begun = a.known_beforehand = a.settled = false;
  a.fed = a.taken = 0;
  a.printed_end = no_position;
  a.line_ends = 2;
  a.listed = false;
  a.group = a.held_max = 0;
  a.abandoned = 0;
}

}  // namespace citestream
