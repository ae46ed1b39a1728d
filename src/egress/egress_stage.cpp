// Renderers disagree about what is code, a link or an address. This stage does not imitate any of them. It
// makes every sequence inert that can be active anywhere, and lets through only what it has rebuilt.
//
// These are active, wherever they are and however they are escaped:
//   <      in front of a letter, `/`, `!` or `?`      a tag, a comment, an autolink
//   ](     unless a relative destination follows      a link, an image
//   ]:     unless a relative destination follows      a definition
//   ://    //    www.                                 an address in the text
//   javascript: data: vbscript: file: blob:           an address that runs or reads something
//
// Each is split into two pieces: in prose by a backslash, brackets or `&lt;`, in code by a zero-width space,
// in a formula by a blank. Which of the three applies is a guess (code_guess.hpp) that affects only the
// looks.
//
// A few tags without attributes are allowed, and the addresses that allowed_addresses knows. These are
// rebuilt, with a slash after the host, so that the text after them cannot extend the host. An address that
// must be equal to a reference's gets white space after it and after the marks that close it.
//
// The stage reads the text once, from left to right. plain_size() skips bytes that cannot start anything
// active. decide() looks at up to max_held bytes that follow and passes some of them, replaces them, or
// requests more text. The result depends on those bytes and on earlier text, not on how they arrived. Each
// byte is looked at a small number of times, because the byte that ends a destination or an address does not
// start another one.
#include "egress_stage.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "letters.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

constexpr std::string_view zero_width = "\u200B";
constexpr std::string_view blanks = " \t";
constexpr std::string_view white_space = " \t\n\v\f\r";

/// Tags that only change how text looks, including those that the styles print.
constexpr std::string_view harmless_tags[] = {
    "<br>",  "<br/>",  "<br />",    "<sup>",      "</sup>",    "<sub>",      "</sub>", "<b>",    "</b>",
    "<i>",   "</i>",   "<u>",       "</u>",       "<s>",       "</s>",       "<em>",   "</em>",  "<strong>",
    "<kbd>", "</kbd>", "<mark>",    "</mark>",    "<small>",   "</small>",   "<del>",  "</del>", "</strong>",
    "<ins>", "</ins>", "<details>", "</details>", "<summary>", "</summary>", "</a>",
};
/// The link to a source that style `html` prints; `0` means any number.
constexpr std::string_view source_link = "<a href=\"#cite-0\" data-citation=\"0\">";

constexpr std::string_view dangerous_schemes[] = {"javascript", "data", "vbscript", "file", "blob"};

/// Compares \p text with \p pattern, in which `0` means one or more digits. `begun`: \p text ends inside the
/// pattern.
enum class likeness : std::uint8_t { none, begun, whole };
struct match {
  likeness how{};
  std::size_t size{};
};
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

/// Compares \p text with `http://` and `https://`. `begun`: \p text ends inside the scheme.
match match_scheme(std::string_view text) noexcept {
  match found;
  for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")}) {
    std::size_t same = 0;
    while (same < scheme.size() && same < text.size() && lower(text[same]) == scheme[same]) ++same;
    if (same == scheme.size()) return {likeness::whole, same};
    if (same == text.size()) found = {likeness::begun, same};
  }
  return found;
}

bool is_address_byte(char c) noexcept {
  constexpr std::string_view marks = "-._~:/?#@!$&'*+,;=%";
  return is_alphanumeric(c) || marks.find(c) != std::string_view::npos;
}

/// Returns true if \p text, which starts with `&`, starts with a character reference.
bool is_reference(std::string_view text) noexcept {
  std::size_t at = text.substr(1).starts_with('#') ? 2 : 1;
  const std::size_t begin = at;
  while (at < text.size() && is_alphanumeric(text[at])) ++at;
  return at > begin && at < text.size() && text[at] == ';';
}

/// The end of the address that continues at \p at. Parentheses in it are balanced.
std::size_t address_end(std::string_view text, std::size_t at) noexcept {
  if (at < text.size() && text[at] == '[') {  // an IPv6 address
    at = std::min(text.find_first_not_of("0123456789abcdefABCDEF:", at + 1), text.size());
    if (at < text.size() && text[at] == ']') ++at;
  }
  for (std::size_t open = 0; at < text.size(); ++at) {
    if (text[at] == '(') {
      ++open;
    } else if (text[at] == ')') {
      if (open-- == 0) return at;
    } else if (!is_address_byte(text[at]) || (text[at] == '&' && is_reference(text.substr(at)))) {
      return at;
    }
  }
  return at;
}

/// Marks at the end of a sentence, which renderers do not count as part of an address.
constexpr std::string_view closing_marks = ".,:!?*_~')";

/// Where a text that starts like a link destination leads.
enum class leads : std::uint8_t { nowhere_else, away, unknown };

/// Browsers ignore control characters and white space in front of an address and line ends and tabs in it,
/// and they treat `\` like `/`. Renderers decode `&` and `\`. If the text before any of these is relative,
/// the address is. Some renderers skip all white space of Unicode in front of the destination of a link, so
/// what is not ASCII there is skipped too.
leads destination_leads(std::string_view text, bool definition) noexcept {
  constexpr std::size_t longest = 64;
  const std::string_view seen = text.substr(0, longest);
  const auto in_head = [](char c) { return is_scheme_byte(c) || is_wide(c); };
  const auto skipped = [definition](char c) { return !definition && (is_wide(c) || is_space(c)); };
  const auto start = std::find_if_not(seen.begin(), seen.end(), skipped);
  const auto stop = std::find_if_not(start, seen.end(), in_head);
  if (stop == seen.end()) return seen.size() == longest ? leads::away : leads::unknown;
  const std::string_view rest = seen.substr(static_cast<std::size_t>(stop - seen.begin()));
  const auto turns = [](char c) {
    return c == '&' || c == '\\' || c == '<' || c == 0x7F || (c >= 0 && c < ' ');
  };
  if (rest.front() == '/') {
    const bool first = std::all_of(start, stop, &is_wide);
    if (!first) return leads::nowhere_else;
    if (rest.size() == 1) return leads::unknown;
    return rest[1] == '/' || turns(rest[1]) ? leads::away : leads::nowhere_else;
  }
  if (definition && is_line_end(rest.front())) return leads::nowhere_else;
  return rest.front() == ':' || turns(rest.front()) ? leads::away : leads::nowhere_else;
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

/// `[inner]`, followed by a separator if it could become the text of a link.
std::string bracketed(std::string_view inner, std::string_view rest) {
  const bool joins = rest.starts_with('(') || rest.starts_with(':');
  return joined({"[", inner, "]", joins ? zero_width : ""});
}

/// Whether the address ends here for every renderer (`forced`): white space follows, perhaps after one mark
/// that no renderer counts as part of an address.
enum class ending : std::uint8_t { open, forced, unknown };

ending is_forced(const text_ahead& text, std::size_t at) noexcept {
  const std::string_view rest = text.bytes.substr(std::min(at, text.bytes.size()));
  const std::size_t mark = rest.starts_with('.') || rest.starts_with(',') || rest.starts_with(')') ? 1 : 0;
  const std::optional<character> next = text.at(at + mark);
  if (!next) return text.end == text_end::bound ? ending::open : ending::unknown;
  return is_space(next->value) ? ending::forced : ending::open;
}

}  // namespace

struct egress_stage::decision {
  struct finding {
    egress_kind kind{};
    egress_reason reason{};
  };

  std::size_t size{};               ///< how many bytes it is about; 0: more text is needed
  std::optional<std::string> made;  ///< what replaces them; nothing: they pass
  std::optional<finding> found;
  bool host_follows{};  ///< the next bytes are the host of an address that was made inert
  bool is_code{};       ///< these bytes are code and stay as they are

  static decision wait() { return {}; }
  static decision pass(std::size_t size) { return {size, std::nullopt, std::nullopt}; }
  static decision replace(std::size_t size, std::string made) {
    return {size, std::move(made), std::nullopt};
  }
};

egress_stage::egress_stage(egress_mode mode, egress_code code, std::vector<egress_pattern> allowed,
                           const limits& bounds)
    : mode_(mode),
      code_(code),
      max_records_(bounds.max_egress_records),
      allowed_(std::move(allowed), bounds.max_reference_bytes) {}

void egress_stage::feed(std::string_view text, std::string& out, text_edits& edits) {
  if (mode_ == egress_mode::report) {
    out.append(text);
    edits.pass(text);
    unused_.clear();
  }
  std::string& made = mode_ == egress_mode::report ? unused_ : out;
  text_edits& noted = mode_ == egress_mode::report ? reported_ : edits;
  if (place_.held.empty()) {
    place_.held.append(text.substr(run(text, false, made, noted)));
  } else {
    place_.held.append(text);
    place_.held.erase(0, run(place_.held, false, made, noted));
  }
}

void egress_stage::finish(std::string& out, text_edits& edits) {
  unused_.clear();
  const bool reports = mode_ == egress_mode::report;
  run(place_.held, true, reports ? unused_ : out, reports ? reported_ : edits);
  place_ = {};
}

void egress_stage::inert(std::string_view text, std::string& out) {
  place own = std::exchange(place_, {});
  const std::uint64_t recorded = std::exchange(recorded_, max_records_);
  text_edits edits;
  run(text, true, out, edits);
  place_ = std::move(own);
  recorded_ = recorded;
}

void egress_stage::inert_address(std::string_view address, std::string& out) {
  if (allowed_.find(address)) {
    out.append(address);
    return;
  }
  const std::size_t begin = out.size();
  if (!address.empty() && (address.front() == '/' || address.front() == '\\')) out += '.';
  inert(address, out);
  if (destination_leads(std::string_view(out).substr(begin), false) != leads::away) return;
  const std::size_t colon = out.find(':', begin);
  if (colon != std::string::npos) out.replace(colon, 1, "[:]");
}

void egress_stage::reset() noexcept {
  place_ = {};
  allowed_.reset();
  records_.clear();
  recorded_ = 0;
  reported_.reset();
}

/// Takes \p text as far as it can be decided. \return the number of bytes taken
std::size_t egress_stage::run(std::string_view text, bool last, std::string& out, text_edits& edits) {
  const std::size_t all = text.size();
  while (!text.empty()) {
    const std::size_t plain = place_.exact.in_fence() ? 0 : plain_size(text);
    if (plain > 0) {
      const std::string_view words = text.substr(0, plain);
      out.append(words);
      edits.pass(words);
      place_.recent.note(words);
      place_.guess.read_words(words);
      if (code_ == egress_code::exact) place_.exact.read(words);
      place_.inert_host = place_.inert_host && std::all_of(words.begin(), words.end(), &is_host_byte);
      text.remove_prefix(plain);
      continue;
    }
    const text_end end = text.size() >= max_held ? text_end::bound
                         : last                  ? text_end::text
                                                 : text_end::unknown;
    const decision made = decide({text.substr(0, max_held), end});
    if (made.size == 0) break;
    apply(made, text.substr(0, made.size), out, edits);
    text.remove_prefix(made.size);
  }
  return all - text.size();
}

/// Number of bytes at the start of \p text that start neither anything active nor code.
std::size_t egress_stage::plain_size(std::string_view text) const noexcept {
  static constexpr auto is_mark = [] {
    std::array<bool, 256> marks{};
    for (const char c : std::string_view("<[]:/.\\&`~$\n\r")) marks[static_cast<unsigned char>(c)] = true;
    return marks;
  }();
  char before = place_.recent.back(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool dot = c == '.' && !place_.inert_host && lower(before) != 'w';
    if (is_mark[static_cast<unsigned char>(c)] && !dot) return at;
    before = c;
  }
  return text.size();
}

egress_stage::decision egress_stage::decide(const text_ahead& text) {
  if (code_ == egress_code::exact) {
    const bool certain =
        place_.exact.in_fence() || place_.guess.before(text.bytes.front()) == surroundings::prose;
    std::optional<code_piece> code = certain ? place_.exact.next(text) : std::nullopt;
    if (code) {
      decision out = decision::replace(code->size, std::move(code->made));
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
    default:
      return decision::pass(first->size);
  }
}

/// Decides on `<`.
egress_stage::decision egress_stage::decide_tag(const text_ahead& text, character first) {
  const std::optional<character> next = text.at(first.size);
  if (!next) return decision::wait();
  if (!is_letter(next->value) && next->value != '/' && next->value != '!' && next->value != '?') {
    return decision::pass(first.size);
  }
  const std::string_view bytes = text.bytes;
  if (lower(bytes[1]) == 'l' && lower(bytes[0]) == '&')
    return decision::pass(first.size);  // `&lt;` is inert already
  const bool waits = text.end == text_end::unknown;
  const match link = match_tag(bytes, source_link);
  if (link.how == likeness::whole) return decision::pass(link.size);
  if (link.how == likeness::begun && waits) return decision::wait();
  for (const std::string_view tag : harmless_tags) {
    if (bytes.starts_with(tag)) return decision::pass(tag.size());
    if (tag.starts_with(bytes) && waits) return decision::wait();
  }
  const match scheme = match_scheme(bytes.substr(1));
  if (scheme.how == likeness::begun && waits && first.is_plain()) return decision::wait();
  const bool address = scheme.how == likeness::whole && first.is_plain();
  if (address && !allowed_.empty()) {
    const std::size_t end = address_end(bytes, 1 + scheme.size);
    if (end == bytes.size() && waits) return decision::wait();
    const auto allowed = allowed_.find(bytes.substr(1, end - 1));
    if (end < bytes.size() && bytes[end] == '>' && allowed && !could_be_attributes(allowed->url)) {
      return decision::replace(end + 1, '<' + allowed->url + '>');
    }
  }
  const surroundings here = place_.guess.before('<');
  const std::string_view raw = bytes.substr(0, first.size);
  decision out =
      decision::replace(first.size, here == surroundings::prose ? "&lt;" : joined({raw, separator(here)}));
  out.found = {address ? egress_kind::autolink : egress_kind::html,
               address ? egress_reason::not_allowed : egress_reason::unreadable};
  return out;
}

/// Decides on `]`.
egress_stage::decision egress_stage::decide_bracket(const text_ahead& text, character first) {
  const std::optional<character> next = text.at(first.size);
  if (!next) return decision::wait();
  if (!next->is_plain() || (next->value != '(' && next->value != ':')) return decision::pass(first.size);
  return decide_destination(text, first.size, next->value == ':');
}

/// Decides on `](` or `]:`. \p mark: the position of the second character.
egress_stage::decision egress_stage::decide_destination(const text_ahead& text, std::size_t mark,
                                                        bool definition) {
  const std::string_view bytes = text.bytes;
  const bool waits = text.end == text_end::unknown;
  std::size_t begin = text.skip(definition ? blanks : white_space, mark + 1);
  if (definition && begin < bytes.size() &&
      is_line_end(bytes[begin])) {  // the address may be on the next line
    begin += bytes.substr(begin).starts_with("\r\n") ? 2U : 1U;
    begin = text.skip(" \t>", begin);
    if (begin < bytes.size() && is_line_end(bytes[begin])) return decision::pass(mark + 1);
  }
  if (begin == bytes.size() && waits) return decision::wait();
  const std::string_view destination = bytes.substr(begin);
  leads where = destination.empty() ? leads::away : destination_leads(destination, definition);
  if (where == leads::unknown && waits) return decision::wait();
  if (where == leads::unknown && text.end == text_end::text) where = leads::nowhere_else;
  if (where == leads::nowhere_else) return decision::pass(mark + 1);

  const bool angle = destination.starts_with('<');
  const match scheme = match_scheme(destination.substr(angle ? 1 : 0));
  if (scheme.how == likeness::begun && waits) return decision::wait();
  egress_reason reason = egress_reason::not_allowed;
  if (scheme.how == likeness::whole && !allowed_.empty()) {
    const std::size_t address = begin + (angle ? 1 : 0);
    const std::size_t end = address_end(bytes, address + scheme.size);
    const std::size_t after = end + (angle ? 1 : 0);
    if (after >= bytes.size() && waits) return decision::wait();
    const bool cut = after >= bytes.size() && text.end == text_end::bound;
    if (cut) reason = egress_reason::too_long;
    const bool closed = !cut && (!angle || bytes.substr(end).starts_with('>'));
    const auto allowed = closed ? allowed_.find(bytes.substr(address, end - address)) : std::nullopt;
    const char next = after < bytes.size() ? bytes[after] : '\n';
    if (allowed && (is_space(next) || (next == ')' && !definition))) {
      const std::string_view opening = bytes.substr(0, mark + 1);
      if (definition) return decision::replace(after, joined({opening, " ", allowed->url}));
      if (next != ')' || allowed->by == allowed_by::pattern) {
        return decision::replace(after, joined({opening, allowed->url}));
      }
      const ending forced = is_forced(text, after + 1);
      if (forced == ending::unknown) return decision::wait();
      if (forced == ending::forced) return decision::replace(after + 1, joined({opening, allowed->url, ")"}));
      if (!could_be_attributes(allowed->url)) {
        return decision::replace(after + 1, joined({opening, "<", allowed->url, ">)"}));
      }
      return decision::replace(after + 1, joined({opening, allowed->url, ") "}));
    }
  }
  const surroundings here = place_.guess.before(']');
  const std::string_view between = here == surroundings::prose ? "\\" : separator(here);
  decision out = decision::replace(mark + 1, joined({bytes.substr(0, mark), between, bytes.substr(mark, 1)}));
  const egress_kind link = (place_.images & 1U) != 0 ? egress_kind::image : egress_kind::link;
  out.found = {definition ? egress_kind::definition : link, reason};
  return out;
}

/// Decides on `:`.
egress_stage::decision egress_stage::decide_colon(const text_ahead& text, character first) {
  const std::optional<character> next = text.at(first.size);
  if (!next) return decision::wait();
  if (next->value == '/') {
    const std::optional<character> third = text.at(first.size + next->size);
    if (!third) return decision::wait();
    if (third->value == '/') return decide_address(text, first.size + next->size, third->size);
  }
  const auto precedes = [&](std::string_view one) { return place_.recent.ends_in_scheme(one); };
  const bool scheme = !is_space(next->value) &&
                      std::any_of(std::begin(dangerous_schemes), std::end(dangerous_schemes), precedes);
  if (!scheme) return decision::pass(first.size);
  const surroundings here = place_.guess.before(':');
  decision out = decision::replace(first.size, joined({separator(here), ":"}));
  if (here == surroundings::prose) out.made = bracketed(":", text.bytes.substr(first.size));
  if (!follows_mark(place_.recent.scheme_size())) out.found = {egress_kind::url, egress_reason::not_allowed};
  return out;
}

/// Decides on `://`. \p slash: the position of its last slash, which has \p size bytes.
egress_stage::decision egress_stage::decide_address(const text_ahead& text, std::size_t slash,
                                                    std::size_t size) {
  const std::size_t mark = slash + size;
  const bool web = place_.recent.ends_in_scheme("http") || place_.recent.ends_in_scheme("https");
  egress_reason reason = egress_reason::not_allowed;
  if (web && mark == 3 && !allowed_.empty()) {
    const std::size_t end = address_end(text.bytes, mark);
    if (end == text.bytes.size() && text.end == text_end::unknown) return decision::wait();
    if (end == text.bytes.size() && text.end == text_end::bound) reason = egress_reason::too_long;
    std::string_view address = text.bytes.substr(0, end);
    address = address.substr(0, address.find_last_not_of(closing_marks) + 1);
    const std::string scheme = place_.recent.ends_in_scheme("https") ? "https" : "http";
    const auto allowed =
        reason == egress_reason::too_long ? std::nullopt : allowed_.find(scheme + std::string(address));
    if (allowed) {
      // With exact code, a backtick that follows must not become a part of the address.
      const bool ends_anywhere = allowed->by == allowed_by::pattern && code_ == egress_code::inert;
      const ending forced = ends_anywhere ? ending::forced : is_forced(text, address.size());
      if (forced == ending::unknown) return decision::wait();
      return decision::replace(address.size(),
                               allowed->url.substr(scheme.size()) + (forced == ending::open ? " " : ""));
    }
  }
  if (mark == text.bytes.size() && text.end == text_end::unknown) return decision::wait();
  const surroundings here = place_.guess.before(':');
  decision out = decision::replace(slash, joined({":/", separator(here)}));
  if (here == surroundings::prose) out = decision::replace(mark, bracketed("://", text.bytes.substr(mark)));
  out.host_follows = here == surroundings::prose;
  if (!follows_mark(place_.recent.scheme_size())) out.found = {egress_kind::url, reason};
  return out;
}

/// Decides on `/`.
egress_stage::decision egress_stage::decide_slash(const text_ahead& text, character first) {
  constexpr std::size_t longest = 80;
  std::size_t size = first.size;
  std::optional<character> next = text.at(size);
  while (next && next->value == '/' && size < longest) {
    size += next->size;
    next = text.at(size);
  }
  if (!next) return decision::wait();
  if (size == first.size || is_space(next->value)) return decision::pass(size);
  const surroundings here = place_.guess.before('/');
  decision out = decision::replace(first.size, joined({text.bytes.substr(0, first.size), separator(here)}));
  if (!follows_mark(0)) out.found = {egress_kind::url, egress_reason::not_allowed};
  return out;
}

/// Decides on `.`.
egress_stage::decision egress_stage::decide_dot(const text_ahead& text, character first) {
  const bool www = place_.recent.ends_in_www();
  if (!www && !place_.inert_host) return decision::pass(first.size);
  const std::optional<character> next = text.at(first.size);
  if (!next) return decision::wait();
  const bool host_goes_on = next->value == '\0' || is_host_byte(next->value);
  if (!host_goes_on && (!www || is_alphanumeric(place_.recent.back(4)))) return decision::pass(first.size);
  const surroundings here = place_.guess.before('.');
  if (!www && here != surroundings::prose) return decision::pass(first.size);
  decision out = decision::replace(first.size, joined({separator(here), "."}));
  if (here == surroundings::prose) out.made = bracketed(".", text.bytes.substr(first.size));
  out.host_follows = here == surroundings::prose;
  if (!place_.inert_host && !follows_mark(3)) out.found = {egress_kind::url, egress_reason::not_allowed};
  return out;
}

/// Returns true if `](`, `](<`, `]: ` or `<` is in front of the last \p size characters. What follows was
/// then already recorded together with it.
bool egress_stage::follows_mark(std::size_t size) const noexcept {
  const recent_text& recent = place_.recent;
  if (size + 4 > recent_text::kept) return false;
  const char last = recent.back(size + 1);
  const char second = recent.back(size + 2);
  return last == '<' || (last == '(' && second == ']') ||
         (last == ' ' && second == ':' && recent.back(size + 3) == ']');
}

void egress_stage::apply(const decision& made, std::string_view bytes, std::string& out, text_edits& edits) {
  if (made.found && recorded_++ < max_records_) {
    const text_offset at = mode_ == egress_mode::report ? edits.input() : edits.output();
    records_.push_back({made.found->kind, made.found->reason, at});
  }
  if (made.made && *made.made != bytes) {
    out.append(*made.made);
    mode_ == egress_mode::report ? edits.pass(bytes) : edits.replace(bytes, *made.made);
  } else {
    out.append(bytes);
    edits.pass(bytes);
  }
  place_.inert_host = made.host_follows;
  if (!made.is_code) place_.guess.read(bytes);
  if (!made.is_code && code_ == egress_code::exact) place_.exact.read(bytes);
  const text_ahead read{bytes, text_end::text};
  for (std::size_t at = 0; at < bytes.size();) {
    const std::optional<character> one = read.at(at);
    if (!one) break;
    if (one->value == '[') place_.images = place_.images << 1U | (place_.recent.back(1) == '!' ? 1U : 0U);
    if (one->value == ']') place_.images >>= 1U;
    place_.recent.note(*one);
    at += one->size;
  }
}

}  // namespace citestream
