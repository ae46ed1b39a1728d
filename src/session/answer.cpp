#include <citestream/cite/claim.hpp>
#include <citestream/marker/scanner.hpp>
#include <citestream/session/answer.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "grammars.hpp"
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
  if (options.provenance && std::find(on.begin(), on.end(), &ref_grammar) == on.end()) {
    out.grammars.push_back(&ref_grammar);
  }
  for (const marker_pattern& one : options.patterns) out.grammars.push_back(&one.as_grammar());
  return out;
}

// What is cited without a marker, and where: `position` in the input.
struct markerless {
  std::uint64_t position{};
  std::string key;
};

constexpr grammar no_grammar{};

// Places in a list count from 1 in text, but for Cohere's, and from 0 where no marker stands in it.
std::int64_t first_of(const marker_token& token) noexcept {
  const bool tag = token.from == &tag_grammar && token.text.starts_with("<co");
  return tag || token.from == &no_grammar ? 0 : 1;
}

// Markers that prose may look like. The others are written by nobody but a model that was told to.
bool may_be_prose(const grammar* found) noexcept {
  return found == &link_grammar || found == &numeric_grammar || found == &source_grammar;
}

}  // namespace

struct answer::impl {
  explicit impl(const session_options& options)
      : printed(options.style),
        only_known(options.only_known),
        patterns(options.patterns),
        scanner(options_for_scanner(options)),
        space(printed->space, options.bounds.max_marker_bytes),
        cites(options.bounds),
        max_list_bytes(options.bounds.max_list_bytes) {}

  [[nodiscard]] bool untouched() const noexcept { return printed->space == spacing::untouched; }

  void push(std::string_view delta, std::string& out);
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
  std::uint64_t abandoned{};  // by scanners of earlier answers
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
  if (!only_known || !known_beforehand || !may_be_prose(token.from)) return false;
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

void answer::impl::take_marker(const marker_token& token, std::string& out) {
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
    cites.add(token.fields.label, keys[i], token.text, number, {start, output.position()}, claim,
              first_of(token));
  }
}

// The same where the text passes as it is.
void answer::impl::note_marker(const marker_token& token) {
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
    cites.add(token.fields.label, keys[i], token.text, number, {start, output.position()}, claim,
              first_of(token));
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
void answer::impl::push(std::string_view delta, std::string& out) {
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

answer::answer(const session_options& options) : impl_(std::make_unique<impl>(options)) {}
answer::~answer() = default;
answer::answer(answer&&) noexcept = default;
answer& answer::operator=(answer&&) noexcept = default;

// A delta that nothing can happen to, as nearly all are, takes a short way: it begins no marker, ends no line
// and comes where nothing is due.
void answer::push(std::string_view delta, std::string& out) {
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
  a.settled = false;
}

void answer::finish(std::string& out) {
  impl& a = *impl_;
  a.settled = false;
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
}

bool answer::add_reference(const reference& ref) {
  return impl_->cites.add_reference(ref);
}
void answer::resolve() {
  impl_->cites.resolve();
}
const citations& answer::cites() const noexcept {
  return impl_->cites;
}

std::size_t answer::placed() const noexcept {
  return impl_->space.undecided() ? impl_->group : impl_->cites.all().size();
}

std::size_t answer::held() const noexcept {
  return impl_->untouched() ? 0 : impl_->scanner.held() + impl_->space.held();
}

bool answer::waiting() const noexcept {
  return held() > 0 || !impl_->cited.empty();
}

std::size_t answer::held_max() const noexcept {
  return impl_->held_max;
}

std::uint64_t answer::abandoned() const noexcept {
  if (impl_->untouched()) return 0;
  return impl_->abandoned + impl_->scanner.abandoned() + impl_->space.abandoned();
}

text_offset answer::position() const noexcept {
  return impl_->output.position();
}

void answer::reset() noexcept {
  impl& a = *impl_;
  a.scanner.reset();
  a.space.reset();
  a.cites.reset();
  a.output.reset();
  a.forget_cited();
  a.begun = a.known_beforehand = a.settled = false;
  a.fed = a.taken = 0;
  a.printed_end = no_position;
  a.line_ends = 2;
  a.listed = false;
  a.group = a.held_max = 0;
  a.abandoned = 0;
}

}  // namespace citestream
