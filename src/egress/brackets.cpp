// Brackets: links, images and definitions.
#include <algorithm>
#include <utility>

#include "guard.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

// What is more than an address in `text` must not become one where the link around it is none.
bool holds_address(std::string_view text) noexcept {
  return text.find("://") != std::string_view::npos || names_www(text) ||
         text.find('&') != std::string_view::npos;
}

// `&amp;` as everybody reads it. \return false: another entity
bool read_entities(std::string_view address, std::string& out) {
  out.clear();
  while (!address.empty()) {
    const std::size_t at = std::min(address.find('&'), address.size());
    out.append(address, 0, at);
    address.remove_prefix(at);
    if (address.empty()) break;
    constexpr std::string_view amp = "&amp;";
    const bool plain = address.starts_with(amp);
    const auto ends = std::find_if_not(address.begin() + 1, address.end(),
                                       [](char c) { return is_alphanumeric(c) || c == '#'; });
    if (!plain && ends != address.end() && *ends == ';') return false;
    out += '&';
    address.remove_prefix(plain ? amp.size() : 1);
  }
  return true;
}

}  // namespace

void egress_guard::open(bool image) {
  opener one;
  one.at = label_.size();
  one.image = image;
  one.lead = blocks_.here().lead;
  one.before[0] = back(1);
  one.before[1] = back(2);
  std::size_t at = 1;
  while (at < 12 && (is_alphanumeric(back(at)) || back(at) == '#')) ++at;
  one.entity = back(at) == '&';
  one.where = map_.here();
  one.line = blocks_.here();
  openers_.push_back(one);
  if (image) put('!');
  put('[');
}

void egress_guard::flush_label() {
  openers_.clear();
  out_->append(label_);
  label_.clear();
}

void egress_guard::pop() {
  openers_.pop_back();
  if (openers_.empty()) flush_label();
}

void egress_guard::in_bang(char c) {
  state_ = state::plain;
  pending_.clear();
  if (c == '[') return open(true);
  put('!');
  step(c);
}

// A bracket closes, and nothing follows that makes a link of it.
void egress_guard::close_text() {
  part_address();
  state_ = state::plain;
  pending_.clear();
  put(']');
  if (!openers_.empty()) pop();
}

void egress_guard::in_close(char c) {
  if (c == '(' && settling_)
    return break_bracket(egress_kind::link, egress_reason::unreadable, true), step(c);
  if (c == '(') {
    reader_.start(false);
    pending_ += c;
    state_ = state::destination;
    return;
  }
  const bool lead = !openers_.empty() && openers_.back().lead;
  if (c == ':' && ((openers_.empty() && overflowed_) || (lead && settling_))) {
    break_bracket(egress_kind::definition, egress_reason::unreadable, true);
    step(c);
    return;
  }
  if (c == ':' && lead) {
    reader_.start(true);
    pending_ += c;
    state_ = state::definition;
    return;
  }
  close_text();
  step(c);
}

// The bracket that is pending becomes an escaped one; what follows it is text.
void egress_guard::break_bracket(egress_kind kind, egress_reason why, bool settling) {
  record(kind, why, openers_.empty() ? map_.here() : openers_.back().where);
  part_address();
  change("]", "\\]");
  refeed(std::string_view(pending_).substr(1), settling);
}

void egress_guard::in_destination(char c) {
  const reading how = reader_.take(c, pending_.size());
  if (how == reading::failed) {
    fail_destination(egress_reason::unreadable);
    step(c);
    return;
  }
  pending_ += c;
  if (how == reading::done) end_link();
}

// Whether the address in `pending_` may leave, and why not.
bool egress_guard::may_leave(egress_reason& why) {
  why = egress_reason::unreadable;
  if (reader_.odd() || holds_address(reader_.rest(pending_))) return false;
  if (!read_entities(reader_.address(pending_), url_)) return false;
  why = egress_reason::not_allowed;
  const bool allowed = book_.allows_destination(url_);
  url_.clear();
  return allowed;
}

void egress_guard::end_link() {
  egress_reason why{};
  const bool allowed = may_leave(why);
  const bool image = !openers_.empty() && openers_.back().image;
  const egress_kind kind = image ? egress_kind::image : egress_kind::link;
  if (openers_.empty()) {
    if (!allowed) return break_bracket(kind, why, false);
    put(']');
    return refeed(std::string_view(pending_).substr(1), false);
  }
  if (allowed) {
    address_ = false;
    state_ = state::plain;
    pass(pending_);
    pending_.clear();
    openers_.pop_back();
    // A link holds no link: what is open around it is text.
    if (!image) std::erase_if(openers_, [](const opener& one) { return !one.image; });
    if (openers_.empty()) flush_label();
    return;
  }
  const position_map::mark at = openers_.back().where;
  const std::string raw = std::exchange(pending_, {});
  state_ = state::plain;
  unlink(raw);
  record(kind, why, at);
}

void egress_guard::fail_destination(egress_reason why) {
  // What names no host is none for those, too, who take it for a link.
  if (reader_.complete() && !reader_.odd() && names_no_host(reader_.address(pending_))) {
    const std::string rest = pending_.substr(1);
    close_text();
    return refeed(rest, why != egress_reason::unreadable);
  }
  const bool image = !openers_.empty() && openers_.back().image;
  break_bracket(image ? egress_kind::image : egress_kind::link, why, why != egress_reason::unreadable);
}

// Whether what is beside a link could begin something with its label, were the brackets gone.
bool egress_guard::joins(const opener& at, std::string_view inner) const noexcept {
  const char before = at.before[0];
  const bool apart = before == '\0' || is_blank(before);
  if (inner.empty()) return !apart && (at.entity || !is_word(before) || lower(before) == 'w');
  std::size_t first = 0;
  while (first < 3 && first < inner.size() &&
         std::string_view("*_\"'").find(inner[first]) != std::string_view::npos) {
    ++first;
  }
  if (first == inner.size() || !is_word(inner[first])) return true;
  if (apart) return false;
  constexpr std::string_view unsafe = "<&#\\]!/@=`~";
  const bool www = lower(before) == 'w' || (before == '.' && lower(at.before[1]) == 'w');
  return at.entity || www || unsafe.find(before) != std::string_view::npos;
}

// An image becomes its alt text, a link its label.
void egress_guard::unlink(std::string_view raw) {
  part_address();
  const opener at = openers_.back();
  const std::size_t mark = at.image ? 2 : 1;
  const std::string_view inner = std::string_view(label_).substr(at.at + mark);
  const bool empty = inner.empty();
  if (joins(at, inner)) {
    label_.insert(at.at + mark - 1, 1, '\\');
    map_.change_at(at.where, mark, mark + 1);
    change(raw, "\\]");
  } else {
    label_.erase(at.at, mark);
    map_.change_at(at.where, mark, 0);
    change(raw, {});
    if (empty) blocks_.restore(at.line);
  }
  pop();
}

void egress_guard::in_definition(char c) {
  const reading how = reader_.take(c, pending_.size());
  if (how == reading::more) {
    pending_ += c;
    return;
  }
  how == reading::done ? end_definition() : fail_definition(c, egress_reason::unreadable);
  step(c);
}

void egress_guard::end_definition() {
  egress_reason why{};
  if (!may_leave(why)) return vanish(why);
  pass_pending();
  pop();
  blocks_.definition();
}

// It is no definition, if that is sure.
void egress_guard::fail_definition(char c, egress_reason why) {
  const bool text = reader_.behind_address() && (is_word(c) || c == '-');
  const bool hostless = reader_.complete() && !reader_.odd() && names_no_host(reader_.address(pending_));
  if (!text && !hostless && !reader_.nothing()) return break_bracket(egress_kind::definition, why, false);
  const std::string rest = pending_.substr(1);
  close_text();
  refeed(rest, false);
}

// A definition leaves nothing.
void egress_guard::vanish(egress_reason why) {
  if (reader_.nothing()) return break_bracket(egress_kind::definition, why, true);
  const opener at = openers_.back();
  map_.change(pending_, {});
  pending_.clear();
  state_ = state::plain;
  label_.resize(at.at);
  map_.drop_since(at.where);
  blocks_.restore(at.line);
  record(egress_kind::definition, why, at.where);
  pop();
}

}  // namespace citestream
