// Addresses in text, tags and autolinks.
#include <algorithm>
#include <utility>

#include "guard.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

// What an address in the text is made of, where it is let through: nothing else begins in it.
bool is_url_byte(char c) noexcept {
  constexpr std::string_view marks = "-._~:/?#@!$&'()*+,;=%";
  return is_word(c) || marks.find(c) != std::string_view::npos;
}

constexpr std::size_t longest_scheme = 16;  // of those that are ever allowed: 5

// Where a tag is gone, what was behind it could become something together with this.
bool joins_what_follows(char before) noexcept {
  constexpr std::string_view marks = "<&#\\]!@`~";
  return marks.find(before) != std::string_view::npos;
}

// What renderers take for the end of a sentence, not of an address (GFM 0.29, 6.9).
bool is_trailing(char c) noexcept {
  constexpr std::string_view marks = "?!.,:;*_~'\")}";
  return marks.find(c) != std::string_view::npos;
}

// Whether all end an address before `trailing`, with `next` behind it: at a bracket or a quote that was not
// opened in it, at emphasis (but in an HTML link, `anchor`), or at one mark at the end of a clause. What some
// keep of it would say something.
bool ends_address(std::string_view trailing, char next, bool anchor) noexcept {
  constexpr std::string_view clause = ".,;?!'";
  if (trailing.front() == ')') return trailing.find('}') == std::string_view::npos;
  if (!is_space(next)) return false;
  if (trailing.front() == '"') return trailing.find_first_of("}\"", 1) == std::string_view::npos;
  if (!anchor) trailing.remove_prefix(std::min(trailing.find_first_not_of('*'), trailing.size()));
  return trailing.empty() ||
         (trailing.size() == 1 && clause.find(trailing.front()) != std::string_view::npos);
}

// Whether an address has nothing behind its host: what follows it could make a user of it.
bool may_be_user(std::string_view address) noexcept {
  const std::size_t slashes = address.find("//");
  return slashes == std::string_view::npos ||
         address.find_first_of("/()[]@", slashes + 2) == std::string_view::npos;
}

// No renderer finds a host that begins with this.
bool begins_no_host(char c) noexcept {
  return is_space(c) || c == '(' || c == '[' || c == '/';
}

// The character that a numeric entity means, or one of the few with a name that addresses are made of.
unsigned value_of(std::string_view entity) noexcept {
  if (entity == "colon" || entity == "sol" || entity == "period" || entity == "commat") return ':';
  if (!entity.starts_with('#')) return 0;
  entity.remove_prefix(1);
  const bool hex = !entity.empty() && lower(entity.front()) == 'x';
  if (hex) entity.remove_prefix(1);
  unsigned out = 0;
  for (const char c : entity) {
    const char digit = lower(c);
    if (!is_digit(c) && !(hex && digit >= 'a' && digit <= 'f')) return 0;
    out = out * (hex ? 16 : 10) + static_cast<unsigned>(is_digit(c) ? c - '0' : digit - 'a' + 10);
    if (out > 0x10FFFF) return 0;
  }
  return out;
}

bool is_of_addresses(unsigned value) noexcept {
  return value < 0x7F && (is_alphanumeric(static_cast<char>(value)) || value == ':' || value == '/' ||
                          value == '.' || value == '@' || value == '-' || value == '_');
}

// Whether some could find the end of the address earlier, and another address behind it.
bool holds_another(std::string_view behind_scheme) noexcept {
  const std::size_t ends = std::min(behind_scheme.find_first_of("()'!;,*"),
                                    std::min(behind_scheme.find(".."), behind_scheme.find("??")));
  if (ends == std::string_view::npos) return false;
  const std::string_view rest = behind_scheme.substr(ends);
  return rest.find("//") != std::string_view::npos || names_www(rest);
}

}  // namespace

void egress_guard::in_tag(char c) {
  const bool begun = pending_.size() > (pending_.starts_with("</") ? 2 : 1);
  if (begun) {
    const reading how = tag_.take(c);
    if (how == reading::failed) {
      fail_tag(is_line_end(c) ? egress_reason::unfinished : egress_reason::unreadable, false);
      step(c);
      return;
    }
    pending_ += c;
    if (how == reading::done) end_tag();
    return;
  }
  if (is_letter(c)) {
    pending_ += c;
    tag_.start();
    if (settling_) fail_tag(egress_reason::unreadable, true);
  } else if (c == '/' && pending_.size() == 1) {
    pending_ += c;
  } else if ((c == '!' || c == '?' || c == '\\') && pending_.size() == 1) {
    fail_tag(egress_reason::unreadable, false);
    step(c);
  } else {
    part_user();
    pass_pending();
    step(c);
  }
}

// Behind an address that ends in its host `<` may be a part of a user's name for some.
void egress_guard::part_user() {
  if (!alone_) address_ = false;
  part_address();
}

// What began as a tag is text.
void egress_guard::fail_tag(egress_reason why, bool settling) {
  record(tag_.autolink() ? egress_kind::autolink : egress_kind::html, why, map_.here());
  change("<", std::exchange(address_, false) ? " &lt;" : "&lt;");
  refeed(std::string_view(pending_).substr(1), settling);
}

void egress_guard::end_tag() {
  if (tag_.autolink()) return end_autolink(std::string_view(pending_).substr(1, pending_.size() - 2));
  tag_verdict verdict = judge_tag(pending_, book_);
  if (verdict == tag_verdict::harmless && in_attribute() && pending_.find('"') != std::string::npos)
    verdict = tag_verdict::tag;
  // Behind a backslash it may be text, and an address in it may go on behind it.
  if (back(1) == '\\' &&
      (pending_.find(':') != std::string::npos || pending_.find("//") != std::string::npos))
    verdict = tag_verdict::text;
  if (verdict == tag_verdict::harmless) {
    const bool raw = opens_raw_block(pending_);
    const bool block = blocks_.busy();
    pass_tag();
    if (raw) blocks_.give_up();
    if (block) blocks_.html();
    return;
  }
  if (verdict == tag_verdict::text || joins_what_follows(back(1))) {
    return fail_tag(egress_reason::unreadable, true);
  }
  record(egress_kind::html, egress_reason::not_allowed, map_.here());
  const std::string raw = std::exchange(pending_, {});
  state_ = state::plain;
  // What comes next must not become a part of the address before.
  change(raw, std::exchange(address_, false) ? " " : "");
  resumed_ = true;
}

// A tag or an autolink leaves as it came.
void egress_guard::pass_tag() {
  part_user();
  if (lower(pending_[1]) == 'a' && !is_alphanumeric(pending_[2])) paragraph_.anchor = true;
  state_ = state::plain;
  note_emphasis(pending_, emphasis_any, back(1));
  sink().append(pending_);
  map_.pass(pending_);
  pending_.clear();
  blocks_.note_other();
}

void egress_guard::end_autolink(std::string_view inside) {
  const bool readable = std::all_of(inside.begin(), inside.end(), &is_url_byte) && may_be_in_angles(inside);
  if (readable && back(1) != '\\' && (is_mail_address(inside) || book_.allows(inside))) {
    return pass_tag();
  }
  if (joins_what_follows(back(1))) return fail_tag(egress_reason::unreadable, true);
  resumed_ = true;
  record(egress_kind::autolink, readable ? egress_reason::not_allowed : egress_reason::unreadable,
         map_.here());
  const std::string text(inside);
  change("<", std::exchange(address_, false) ? " " : "");
  refeed(text, true);
  settle(egress_reason::unreadable);
  change(">", {});
  resumed_ = true;
}

// Whether a colon and two slashes stand there, in part as what has left.
bool egress_guard::slashes_whole() const noexcept {
  const bool slashes = pending_.ends_with('/') && std::count(pending_.begin(), pending_.end(), '/') == 2;
  return slashes || (slashes_out_ && pending_ == "/" && back(1) == '/');
}

// Whether the other scheme that some find an address of mail behind ends `at` bytes before the end of what
// has left.
bool egress_guard::behind_chat(std::size_t at) const noexcept {
  constexpr std::string_view backwards = "ppmx";
  const auto stands = [&](char c) { return lower(back(at++)) == c; };
  return std::all_of(backwards.begin(), backwards.end(), stands);
}

void egress_guard::in_colon(char c) {
  if (pending_ == ":" && !is_blank(c) && behind_chat(1)) {
    record(egress_kind::url, egress_reason::not_allowed, map_.here());
    pending_.clear();
    state_ = state::plain;
    change(":", "[:]");
    return step(c);
  }
  const bool whole = slashes_whole();
  // As defang() writes it.
  if (whole && c == ']' && pending_ == "://" && back(1) == '[') {
    pass_pending();
    step(c);
    return;
  }
  if (whole && !begins_no_host(c)) return begin_url(c);
  const bool more = !whole && (c == '/' || (c == '\\' && !pending_.ends_with('\\')));
  if (more) {
    pending_ += c;
    return;
  }
  const bool backslash = pending_.ends_with('\\');
  pass_pending();
  escaped_ = backslash;
  step(c);
}

void egress_guard::begin_url(char c) {
  const bool plain = pending_ == "://";
  if (!plain || settling_ || book_.empty() || slashes_out_) {
    defang(plain ? egress_reason::not_allowed : egress_reason::unreadable);
    step(c);
    return;
  }
  state_ = state::url;
  bracket_ = false;
  in_url(c);
}

// `://` is pending: it is written so that nobody takes it for that.
void egress_guard::defang(egress_reason why) {
  record(egress_kind::url, why, map_.here());
  const std::string raw = std::exchange(pending_, {});
  state_ = state::plain;
  change(raw, slashes_out_ ? "[/]" : "[://]");
  authority_ = true;
}

void egress_guard::in_dot(char c) {
  // Behind two slashes alone some take signs for a host.
  const bool host = is_host_byte(c) || (user_ && !begins_no_host(c));
  if (authority_ ? host : !begins_no_host(c)) {
    if (!authority_ && !book_.empty() && !settling_) {
      state_ = state::url;
      bracket_ = false;
      return in_url(c);
    }
    if (!authority_ || unsaid_) record(egress_kind::url, egress_reason::not_allowed, map_.here());
    unsaid_ = false;
    authority_ = true;
    state_ = state::plain;
    pending_.clear();
    change(".", "[.]");
  } else {
    pass_pending();
  }
  step(c);
}

// Whether the bracket behind the address would say something, where some read on, or be a part of its host.
bool egress_guard::bracket_tells() const {
  return may_be_user(url_) || !book_.trusts(url_);
}

// An address that may be allowed is withheld up to its end.
void egress_guard::in_url(char c) {
  if (bracket_) {  // behind a bracket that may close a label
    bracket_ = false;
    pending_.pop_back();
    const bool left = end_url(is_space(c) || c == '(', ']');
    address_ = left && (c == '(' || bracket_tells());
    step(']');
    step(c);
    return;
  }
  if (c == ']' && !openers_.empty()) {
    bracket_ = true;
    pending_ += c;
    return;
  }
  if (is_space(c) || c == '<') {
    const bool left = end_url(true, c);
    address_ = left && c == '<';
    alone_ = may_be_user(url_);
    step(c);
    return;
  }
  pending_ += c;
}

// Whether the address in `pending_`, with the scheme before it, may leave. `trailing`: bytes behind it.
bool egress_guard::url_may_leave(std::size_t& trailing) {
  url_.clear();
  if (holds_another(std::string_view(pending_).substr(1)) || holds_quote(0)) return false;
  if (pending_.starts_with('.')) {
    url_ = "http://www";
  } else {
    std::size_t size = 0;
    while (size < longest_scheme && is_scheme_byte(back(size + 1))) ++size;
    for (; size > 0; --size) url_ += back(size);
  }
  url_ += pending_;
  trailing = 0;
  if (std::all_of(url_.begin(), url_.end(), &is_url_byte) && book_.allows(url_)) return true;
  for (; !url_.empty() && is_trailing(url_.back()); url_.pop_back()) ++trailing;
  return std::all_of(url_.begin(), url_.end(), &is_url_byte) && book_.allows(url_);
}

// `whole`: all of the address is known, and `next` behind it. \return whether it was let through
bool egress_guard::end_url(bool whole, char next) {
  std::size_t trailing = 0;
  const bool allowed = whole && url_may_leave(trailing);
  const std::string raw = std::exchange(pending_, {});
  state_ = state::plain;
  if (allowed) {
    const std::string_view behind = std::string_view(raw).substr(raw.size() - trailing);
    pass(std::string_view(raw).substr(0, raw.size() - trailing));
    if (!behind.empty() && !ends_address(behind, next, paragraph_.anchor)) change({}, " ");
    pass(behind);
    // Where some end the address a word begins anew.
    if (raw.find('_') != std::string::npos) paragraph_.emphasis |= emphasis_of('_');
    address_left_ = settling_;
    return true;
  }
  const std::size_t mark = raw.starts_with('.') ? 1 : 3;
  pending_.assign(raw, 0, mark);
  slashes_out_ = false;
  if (mark == 1) {
    record(egress_kind::url, egress_reason::not_allowed, map_.here());
    pending_.clear();
    change(".", "[.]");
    authority_ = true;
  } else {
    defang(egress_reason::not_allowed);
  }
  refeed(std::string_view(raw).substr(mark), true);
  return false;
}

void egress_guard::in_entity(char c) {
  if ((is_alphanumeric(c) || c == '#') && pending_.size() < longest_entity) {
    pending_ += c;
    return;
  }
  const bool harmful = c == ';' && is_of_addresses(value_of(std::string_view(pending_).substr(1)));
  if (!harmful) {
    pass_pending();
    step(c);
    return;
  }
  fail_entity();
  step(c);
}

// What may be an entity is text.
void egress_guard::fail_entity() {
  record(egress_kind::url, egress_reason::unreadable, map_.here());
  const std::string rest = pending_.substr(1);
  change("&", "&amp;");
  refeed(rest, false);
}

}  // namespace citestream
