// Renderers disagree about what is code, a link or a URL. This stage does not imitate any of them. It makes
// every sequence inert that some renderer could treat as active:
//
//   <      in front of a letter, `/`, `!` or `?`      a tag, a comment, an autolink
//   ](     unless a relative URL follows              a link, an image
//   ]:     unless a relative URL follows              a link definition
//   ://    //    www.                                 a URL in the text
//   javascript: data: vbscript: file: blob:           a URL that runs code or reads local data
//   http: https: ftp: ws: wss:                        a URL that browsers complete with slashes
//   U+0002  U+0003                                    the text around them: Python-Markdown removes them
//
// A backslash or a character reference in a sequence makes no difference (text_ahead.hpp). In prose a
// sequence is changed by a backslash, brackets, `&lt;` or a zero-width space, in code by a zero-width space,
// in a formula by a space. Whether a place is prose, code or a formula is guessed (code_guess.hpp); the guess
// affects only the appearance. With `egress_code::exact`, URLs in some code are not changed (exact_code.hpp).
//
// Exceptions are a few tags without attributes, the link that style `html` prints, and allowed URLs
// (allowed_urls.hpp, text_urls.hpp). An allowed URL is written in a rebuilt form, so that neither a part of
// it nor the text after it makes another URL. The URL of a reference must also end where it was compared:
// unless white space follows, perhaps after one `.`, `,` or `)`, a space is inserted (or, in a link, angle
// brackets).
//
// The stage reads the text once, from left to right. plain_size() finds bytes that cannot start anything
// active, and these pass. At any other byte decide() looks at up to max_held bytes ahead, and passes some of
// them, replaces them, or waits for more text. Its result depends only on the text, not on how the text was
// divided. The time is linear: a byte is looked at again only while it is ahead of a decision, so at most
// max_held times, and in ordinary prose once.
#include "egress_stage.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "letters.hpp"
#include "text_urls.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

constexpr std::string_view zero_width = "\u200B";
/// Separates a text from one that follows it: the space ends a URL, and no scheme starts with a zero-width
/// space.
constexpr std::string_view between_texts = " \u200B";
constexpr std::string_view blanks = " \t";
constexpr std::string_view white_space = " \t\n\v\f\r";

/// Tags that only change how text looks, including those that the styles print.
constexpr std::string_view harmless_tags[] = {
    "<br>",       "<br/>",     "<br />",     "<sup>",    "</sup>",
    "<sub>",      "</sub>",    "<b>",        "</b>",     "<i>",
    "</i>",       "<u>",       "</u>",       "<s>",      "</s>",
    "<em>",       "</em>",     "<strong>",   "<kbd>",    "</kbd>",
    "<mark>",     "</mark>",   "<small>",    "</small>", "<del>",
    "</del>",     "</strong>", "<ins>",      "</ins>",   "<details>",
    "</details>", "<summary>", "</summary>", "</a>",     "<sup class=\"unresolved\">",
    "<think>",    "</think>",
};
/// The link to a source that style `html` prints; `0` means any number.
constexpr std::string_view source_link = "<a href=\"#cite-0\" data-citation=\"0\">";

constexpr std::string_view dangerous_schemes[] = {"javascript", "data",  "vbscript", "file", "blob",
                                                  "http",       "https", "ftp",      "ws",   "wss"};
/// Marks after `Data:` that end a label, as in `**Data:** a` or `(data:)`: no renderer makes a URL of them.
constexpr std::string_view label_ends = "*_~)]}\"'`<|";

/// Compares \p text with \p pattern, in which `0` matches one or more digits.
match match_tag(std::string_view text, std::string_view pattern) noexcept {
  std::size_t at = 0;
  for (const char c : pattern) {
    if (at == text.size()) return {likeness::begun, at};
    if (c == '0') {
      const std::size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      if (at == begin) return {};
    } else if (text[at++] != c) {
      return {};
    }
  }
  return {likeness::whole, at};
}

/// What is put between two pieces to separate them invisibly.
std::string_view separator(surroundings here) noexcept {
  return here == surroundings::formula ? " " : zero_width;
}

/// Returns true if \p url in angle brackets, read as a tag, would have attributes with values.
bool could_be_attributes(std::string_view url) noexcept {
  return url.find('=') != std::string_view::npos;
}

std::string joined(std::initializer_list<std::string_view> pieces) {
  std::string out;
  for (const std::string_view one : pieces) out.append(one);
  return out;
}

/// Returns how many bytes at the start of \p before, except its last one, are the same in \p after.
std::size_t unchanged_size(std::string_view before, std::string_view after) noexcept {
  std::size_t same = 0;
  while (same + 1 < before.size() && same < after.size() && before[same] == after[same] &&
         !is_wide(before[same]))
    ++same;
  return same;
}

/// `[inner]`, followed by a separator if it could become the text of a link.
std::string bracketed(std::string_view inner, std::string_view rest) {
  const bool joins = rest.starts_with('(') || rest.starts_with(':');
  return joined({"[", inner, "]", joins ? zero_width : ""});
}

}  // namespace

struct egress_stage::decision {
  /// What is recorded.
  struct finding {
    egress_kind kind{};
    egress_reason reason{};
  };

  std::size_t size{};                      ///< number of bytes decided; 0: more text is needed
  std::optional<std::string> replacement;  ///< nothing: the bytes pass
  std::optional<finding> found;
  bool host_follows{};  ///< the next bytes are the host of a URL that was made inert
  bool is_code{};       ///< the bytes are code that exact_code has read

  static decision wait() { return {}; }
  static decision pass(std::size_t size) { return {size, std::nullopt, std::nullopt}; }
  static decision replace(std::size_t size, std::string replacement) {
    return {size, std::move(replacement), std::nullopt};
  }
};

/// The URL of a link destination.
struct egress_stage::allowed_destination {
  std::optional<allowed_url> url;  ///< nothing: it is not allowed
  std::size_t after{};             ///< the position after it, if there is one
  egress_reason reason{egress_reason::not_allowed};
  bool unknown{};  ///< more text is needed
};

egress_stage::egress_stage(egress_mode mode, egress_code code, std::vector<egress_pattern> allowed,
                           const limits& bounds)
    : mode_(mode),
      code_(code),
      max_records_(bounds.max_egress_records),
      allowed_(std::move(allowed), bounds.max_reference_bytes) {}

void egress_stage::feed(std::string_view text, std::string& out, text_edits& edits) {
  if (state_.undecided && !text.empty()) {
    state_.undecided = false;
    write({}, between_texts, out, edits);
    state_.recent.note(between_texts);
  }
  if (state_.held.empty()) {
    state_.held.append(text.substr(run(text, false, out, edits)));
  } else {
    state_.held.append(text);
    state_.held.erase(0, run(state_.held, false, out, edits));
  }
}

void egress_stage::finish(std::string& out, text_edits& edits) {
  state_.undecided = state_.undecided || !state_.held.empty();
  run(state_.held, true, out, edits);
  state_.held.clear();
}

void egress_stage::append_inert(std::string_view text, std::string& out) {
  struct state_guard {  // sets the text of the stage aside, and restores it also after an exception
    ~state_guard() {
      of.state_ = std::move(state);
      of.recorded_ = recorded;
    }
    egress_stage& of;
    text_state state{std::exchange(of.state_, {})};
    std::uint64_t recorded{std::exchange(of.recorded_, of.max_records_)};  // so nothing is recorded
  };
  const state_guard own{*this};
  text_edits edits;
  run(text, true, out, edits);
}

void egress_stage::append_inert_url(std::string_view url, std::string& out) {
  if (allowed_.find(url)) {
    out.append(url);
    return;
  }
  const std::size_t begin = out.size();
  if (!url.empty() && (url.front() == '/' || url.front() == '\\')) out += '.';
  append_inert(url, out);
  const std::string_view made = std::string_view(out).substr(begin);
  if (kind_of_destination(made, url_place::definition) != destination_kind::other) return;
  const std::size_t colon = out.find(':', begin);
  if (colon != std::string::npos) out.replace(colon, 1, "[:]");
}

void egress_stage::reset() noexcept {
  state_ = {};
  allowed_.reset();
  records_.clear();
  recorded_ = 0;
}

/// Takes \p text as far as it can be decided. \return the number of bytes taken
std::size_t egress_stage::run(std::string_view text, bool last, std::string& out, text_edits& edits) {
  const std::size_t all = text.size();
  while (!text.empty()) {
    const std::size_t plain = state_.exact.in_fence() ? 0 : plain_size(text);
    if (plain > 0) {
      const std::string_view words = text.substr(0, plain);
      out.append(words);
      edits.pass(words);
      state_.recent.note(words);
      state_.guess.read_words(words);
      if (code_ == egress_code::exact) state_.exact.read(words);
      state_.inert_host = state_.inert_host && std::ranges::all_of(words, &is_host_byte);
      text.remove_prefix(plain);
      continue;
    }
    const text_end end = text.size() >= max_held ? text_end::beyond_limit
                         : last                  ? text_end::reached
                                                 : text_end::unknown;
    const decision next = decide({text.substr(0, max_held), end});
    if (next.size == 0) break;
    apply(next, text.substr(0, next.size), out, edits);
    text.remove_prefix(next.size);
  }
  return all - text.size();
}

/// Number of bytes at the start of \p text that start neither anything active nor code.
std::size_t egress_stage::plain_size(std::string_view text) const noexcept {
  static constexpr auto is_mark = [] {
    std::array<bool, 256> marks{};
    for (const char c : std::string_view("<[]:/.\\&`~$\n\r\x02\x03"))
      marks[static_cast<unsigned char>(c)] = true;
    return marks;
  }();
  char before = state_.recent.back(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool plain_dot = c == '.' && !state_.inert_host && lower(before) != 'w';
    if (is_mark[static_cast<unsigned char>(c)] && !plain_dot) return at;
    before = c;
  }
  return text.size();
}

egress_stage::decision egress_stage::decide(const text_ahead& text) {
  if (code_ == egress_code::exact) {
    const bool certain =
        state_.exact.in_fence() || state_.guess.before(text.bytes.front()) == surroundings::prose;
    std::optional<code_piece> code = certain ? state_.exact.next(text) : std::nullopt;
    if (code) {
      decision out = decision::replace(code->size, std::move(code->replacement));
      out.is_code = true;
      return out;
    }
  }
  const std::optional<character> first = text.at(0);
  if (!first) return decision::wait();
  switch (first->value) {
    case '<':
      return decide_tag(text, *first);
    case ']':
      return decide_bracket(text, *first);
    case ':':
      return decide_colon(text, *first);
    case '/':
      return decide_slash(text, *first);
    case '.':
      return decide_dot(text, *first);
    case '\x02':
    case '\x03':
      return decide_control(*first);
    default:
      return decision::pass(first->size);
  }
}

/// Decides about `<`.
egress_stage::decision egress_stage::decide_tag(const text_ahead& text, character first) {
  const std::optional<character> next = text.at(first.size);
  if (!next) return decision::wait();
  if (!is_letter(next->value) && next->value != '/' && next->value != '!' && next->value != '?') {
    return decision::pass(first.size);
  }
  const std::string_view bytes = text.bytes;
  if (bytes[0] == '&' && lower(bytes[1]) == 'l')
    return decision::pass(first.size);  // `&lt;` is inert already
  const match link = match_tag(bytes, source_link);
  if (link.how == likeness::whole) return decision::pass(link.size);
  if (link.how == likeness::begun && text.may_continue()) return decision::wait();
  for (const std::string_view tag : harmless_tags) {
    if (bytes.starts_with(tag)) return decision::pass(tag.size());
    if (tag.starts_with(bytes) && text.may_continue()) return decision::wait();
  }
  const match scheme = match_scheme(bytes.substr(1));
  if (scheme.how == likeness::begun && first.is_plain() && text.may_continue()) return decision::wait();
  const bool autolink = scheme.how == likeness::whole && first.is_plain();
  if (autolink && !allowed_.empty()) {
    const std::size_t end = url_end(bytes, 1 + scheme.size);
    if (end == bytes.size() && text.may_continue()) return decision::wait();
    const auto allowed = allowed_.find(bytes.substr(1, end - 1));
    if (end < bytes.size() && bytes[end] == '>' && allowed && !could_be_attributes(allowed->url)) {
      return decision::replace(end + 1, '<' + allowed->url + '>');
    }
  }
  surroundings here = state_.guess.before('<');
  if (here == surroundings::prose && state_.guess.may_be_formula()) here = surroundings::formula;
  const std::string_view raw = bytes.substr(0, first.size);
  decision out =
      decision::replace(first.size, here == surroundings::prose ? "&lt;" : joined({raw, separator(here)}));
  if (!autolink) out.found = {egress_kind::html, egress_reason::unreadable};
  if (autolink && !is_destination(0)) out.found = {egress_kind::autolink, egress_reason::not_allowed};
  return out;
}

/// Decides about `]`.
egress_stage::decision egress_stage::decide_bracket(const text_ahead& text, character first) {
  const std::optional<character> next = text.at(first.size);
  if (!next) return decision::wait();
  if (!next->is_plain() || (next->value != '(' && next->value != ':')) return decision::pass(first.size);
  return decide_destination(text, first.size, next->value == ':');
}

/// Looks for an allowed URL at the position \p url. \p bracket: 1 if it is in angle brackets, else 0.
egress_stage::allowed_destination egress_stage::find_allowed(const text_ahead& text, std::size_t url,
                                                             std::size_t bracket) const {
  const std::string_view bytes = text.bytes;
  allowed_destination out;
  const match scheme = match_scheme(bytes.substr(url));
  out.unknown = scheme.how == likeness::begun && text.may_continue();
  if (scheme.how != likeness::whole || allowed_.empty()) return out;
  const std::size_t end = url_end(bytes, url + scheme.size);
  out.after = end + bracket;
  out.unknown = out.after >= bytes.size() && text.may_continue();
  if (out.after >= bytes.size() && text.end == text_end::beyond_limit) {
    out.reason = egress_reason::too_long;
  } else if (!out.unknown && (bracket == 0 || bytes.substr(end).starts_with('>'))) {
    out.url = allowed_.find(bytes.substr(url, end - url));
  }
  return out;
}

/// Decides about `](` or `]:`. \p second: the position of its second character.
egress_stage::decision egress_stage::decide_destination(const text_ahead& text, std::size_t second,
                                                        bool definition) {
  const std::string_view bytes = text.bytes;
  std::size_t begin = text.skip(definition ? blanks : white_space, second + 1);
  if (definition && begin < bytes.size() &&
      is_line_break(bytes[begin])) {  // the destination may be on the next line
    begin += bytes.substr(begin).starts_with("\r\n") ? 2U : 1U;
    begin = text.skip(" \t>", begin);
    if (begin < bytes.size() && is_line_break(bytes[begin])) return decision::pass(second + 1);
  }
  if (begin == bytes.size() && text.may_continue()) return decision::wait();
  const std::string_view destination = bytes.substr(begin);
  const bool footnote = definition && state_.recent.ends_in_footnote();
  const url_place place = footnote     ? url_place::footnote
                          : definition ? url_place::definition
                                       : url_place::link;
  destination_kind kind =
      destination.empty() ? destination_kind::other : kind_of_destination(destination, place);
  if (kind == destination_kind::unknown && text.may_continue()) return decision::wait();
  if (kind == destination_kind::unknown && text.end == text_end::reached) kind = destination_kind::relative;
  if (kind == destination_kind::relative) return decision::pass(second + 1);

  const std::size_t bracket = destination.starts_with('<') ? 1 : 0;
  const allowed_destination found = find_allowed(text, begin + bracket, bracket);
  if (found.unknown) return decision::wait();
  if (found.url) {
    const char next = found.after < bytes.size() ? bytes[found.after] : '\n';
    if (is_space(next) || (next == ')' && !definition))
      return write_destination(text, bytes.substr(0, second + 1), *found.url, found.after);
  }
  const surroundings here = state_.guess.before(']');
  const std::string_view between = here == surroundings::prose ? "\\" : separator(here);
  decision out =
      decision::replace(second + 1, joined({bytes.substr(0, second), between, bytes.substr(second, 1)}));
  const egress_kind link = (state_.images & 1U) != 0 ? egress_kind::image : egress_kind::link;
  out.found = {definition ? egress_kind::definition : link, found.reason};
  return out;
}

/// Writes an allowed URL after \p opening (`](` or `]:`). \p after: the position after the URL as it was
/// received; `)`, white space or the end of the text follows.
egress_stage::decision egress_stage::write_destination(const text_ahead& text, std::string_view opening,
                                                       const allowed_url& allowed, std::size_t after) {
  if (opening.ends_with(':')) return decision::replace(after, joined({opening, " ", allowed.url}));
  if (!text.bytes.substr(after).starts_with(')') || allowed.by == allowed_by::pattern) {
    return decision::replace(after, joined({opening, allowed.url}));
  }
  const url_ending ending = ending_at(text, after + 1);
  if (ending == url_ending::unknown) return decision::wait();
  if (ending == url_ending::certain) return decision::replace(after + 1, joined({opening, allowed.url, ")"}));
  if (could_be_attributes(allowed.url)) {
    return decision::replace(after + 1, joined({opening, allowed.url, ") "}));
  }
  return decision::replace(after + 1, joined({opening, "<", allowed.url, ">)"}));
}

/// Decides on U+0002 and U+0003. Python-Markdown removes them, so they could separate the halves of a tag.
egress_stage::decision egress_stage::decide_control(character first) {
  decision out = decision::replace(first.size, "\uFFFD");
  out.found = {egress_kind::html, egress_reason::unreadable};
  return out;
}

/// Decides about `:`.
egress_stage::decision egress_stage::decide_colon(const text_ahead& text, character first) {
  const std::optional<character> next = text.at(first.size);
  if (!next) return decision::wait();
  if (next->value == '/') {
    const std::optional<character> third = text.at(first.size + next->size);
    if (!third) return decision::wait();
    if (third->value == '/') return decide_url(text, first.size + next->size, third->size);
  }
  const auto precedes = [&](std::string_view one) { return state_.recent.ends_in_scheme(one); };
  const bool ends_label = next->is_plain() && label_ends.find(next->value) != std::string_view::npos;
  const bool scheme =
      !next->is_plain_space() && !ends_label && std::ranges::any_of(dangerous_schemes, precedes);
  if (!scheme) return decision::pass(first.size);
  const surroundings here = state_.guess.before(':');
  decision out = decision::replace(first.size, joined({separator(here), ":"}));
  if (here == surroundings::prose) out.replacement = bracketed(":", text.bytes.substr(first.size));
  if (!is_recorded(state_.recent.scheme_size())) out.found = {egress_kind::url, egress_reason::not_allowed};
  return out;
}

/// Decides about `://`. \p slash: the position of its last slash, which has \p size bytes.
egress_stage::decision egress_stage::decide_url(const text_ahead& text, std::size_t slash, std::size_t size) {
  const std::size_t host = slash + size;
  const bool plain = host == std::string_view("://").size();
  const bool web = state_.recent.ends_in_scheme("http") || state_.recent.ends_in_scheme("https");
  egress_reason reason = egress_reason::not_allowed;
  if (web && plain && !allowed_.empty()) {
    const std::size_t end = url_end(text.bytes, host);
    if (end == text.bytes.size() && text.may_continue()) return decision::wait();
    if (end == text.bytes.size() && text.end == text_end::beyond_limit) reason = egress_reason::too_long;
    std::string_view url = text.bytes.substr(0, end);  // without its scheme, which has passed
    url = url.substr(0, url.find_last_not_of(closing_marks) + 1);
    const std::string scheme = state_.recent.ends_in_scheme("https") ? "https" : "http";
    const auto allowed =
        reason == egress_reason::too_long ? std::nullopt : allowed_.find(scheme + std::string(url));
    if (allowed) {
      // With exact code, a backtick that follows must not become a part of the URL.
      const bool may_go_on = allowed->by == allowed_by::pattern && code_ == egress_code::inert;
      const url_ending ending = may_go_on ? url_ending::certain : ending_at(text, url.size());
      if (ending == url_ending::unknown) return decision::wait();
      return decision::replace(url.size(),
                               allowed->url.substr(scheme.size()) + (ending == url_ending::open ? " " : ""));
    }
  }
  if (host == text.bytes.size() && text.may_continue()) return decision::wait();
  const surroundings here = state_.guess.before(':');
  decision out = decision::replace(slash, joined({":/", separator(here)}));
  if (here == surroundings::prose) out = decision::replace(host, bracketed("://", text.bytes.substr(host)));
  out.host_follows = here == surroundings::prose;
  if (!is_recorded(state_.recent.scheme_size())) out.found = {egress_kind::url, reason};
  return out;
}

/// Decides about `/`.
egress_stage::decision egress_stage::decide_slash(const text_ahead& text, character first) {
  constexpr std::size_t longest = 80;  // maximum number of slashes that are looked at
  std::size_t size = first.size;
  std::optional<character> next = text.at(size);
  while (next && next->value == '/' && size < longest) {
    size += next->size;
    next = text.at(size);
  }
  if (!next) return decision::wait();
  if (size == first.size || next->is_plain_space()) return decision::pass(size);
  const surroundings here = state_.guess.before('/');
  decision out = decision::replace(first.size, joined({text.bytes.substr(0, first.size), separator(here)}));
  if (!is_recorded(0)) out.found = {egress_kind::url, egress_reason::not_allowed};
  return out;
}

/// Decides about `.`.
egress_stage::decision egress_stage::decide_dot(const text_ahead& text, character first) {
  const bool www = state_.recent.ends_in_www();
  if (!www && !state_.inert_host) return decision::pass(first.size);
  const std::optional<character> next = text.at(first.size);
  if (!next) return decision::wait();
  const bool host_goes_on = next->value == '\0' || is_host_byte(next->value);
  if (!host_goes_on && (!www || is_alphanumeric(state_.recent.back(4)))) return decision::pass(first.size);
  const surroundings here = state_.guess.before('.');
  if (!www && here != surroundings::prose) return decision::pass(first.size);
  decision out = decision::replace(first.size, joined({separator(here), "."}));
  if (here == surroundings::prose) out.replacement = bracketed(".", text.bytes.substr(first.size));
  out.host_follows = here == surroundings::prose;
  if (!state_.inert_host && !is_recorded(3)) out.found = {egress_kind::url, egress_reason::not_allowed};
  return out;
}

/// Returns true if what starts \p size characters ago follows `](` or `]:`, directly or after a few blanks
/// and the `>` of a block quote. Then it is the destination of a link that has been recorded already.
bool egress_stage::is_destination(std::size_t size) const noexcept {
  const recent_text& recent = state_.recent;
  const auto skipped = [](char c) { return is_space(c) || c == '>'; };
  while (size + 2 < recent_text::kept && skipped(recent.back(size + 1))) ++size;
  if (size + 2 > recent_text::kept) return false;
  const char mark = recent.back(size + 1);
  return (mark == '(' || mark == ':') && recent.back(size + 2) == ']';
}

/// Returns true if the URL that starts \p size characters ago was recorded with the `<`, `](` or `]:` before
/// it.
bool egress_stage::is_recorded(std::size_t size) const noexcept {
  return (size < recent_text::kept && state_.recent.back(size + 1) == '<') || is_destination(size);
}

/// Writes \p after instead of \p before. In mode `report`, writes \p before.
void egress_stage::write(std::string_view before, std::string_view after, std::string& out,
                         text_edits& edits) const {
  const bool unchanged = mode_ == egress_mode::report || before == after;
  out.append(unchanged ? before : after);
  // A citation may end with the `]` of `](` or `]:`, so the edit starts at the first byte that changes.
  const std::size_t same = unchanged ? before.size() : unchanged_size(before, after);
  edits.pass(before.substr(0, same));
  if (!unchanged) edits.replace(before.substr(same), after.substr(same));
}

/// Applies a decision about \p bytes.
void egress_stage::apply(const decision& decided, std::string_view bytes, std::string& out,
                         text_edits& edits) {
  if (decided.found && recorded_++ < max_records_)
    records_.push_back({decided.found->kind, decided.found->reason, edits.output()});
  write(bytes, decided.replacement ? std::string_view(*decided.replacement) : bytes, out, edits);
  state_.inert_host = decided.host_follows;
  if (!decided.is_code) state_.guess.read(bytes);
  if (!decided.is_code && code_ == egress_code::exact) state_.exact.read(bytes);
  const text_ahead read{bytes, text_end::reached};  // the decoded characters
  for (std::size_t at = 0; at < bytes.size();) {
    const std::optional<character> one = read.at(at);
    if (!one) break;
    if (one->value == '[') state_.images = state_.images << 1U | (state_.recent.back(1) == '!' ? 1U : 0U);
    if (one->value == ']') state_.images >>= 1U;
    state_.recent.note(*one);
    at += one->size;
  }
}

}  // namespace citestream
