// Brackets: links, images and definitions.
#include <algorithm>
#include <functional>
#include <utility>

#include "cite/url.hpp"
#include "guard.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

// What is more than an address in `text` must not become one where the link around it is none.
bool holds_address(std::string_view text) noexcept {
  return text.find("//") != std::string_view::npos || names_www(text) ||
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
  one.image = one.quoted = image;
  paragraph_.attribute_seen = paragraph_.attribute_seen || image;
  one.lead = blocks_.here().lead;
  one.before[0] = back(1);
  one.before[1] = back(2);
  std::size_t at = 1;
  while (at < last_bytes::kept && ((is_blank(back(at)) && back(at) != '\0') || back(at) == '>')) ++at;
  one.marked = at == last_bytes::kept || (back(at) == ':' && back(at + 1) == ']');
  one.begun = in_entity_out() || in_host_out();
  one.escapes = paragraph_.escapes;
  one.emphasis = paragraph_.emphasis;
  one.where = map_.here();
  one.line = blocks_.here();
  one.items = blocks_.items();
  openers_.push_back(one);
  if (image) put('!');
  put('[');
}

void egress_guard::flush_label() {
  label_open_ = label_open_ || (!openers_.empty() && openers_.back().lead);
  openers_.clear();
  out_->append(label_);
  label_.clear();
}

void egress_guard::pop() {
  end_code_in_bracket();
  openers_.pop_back();
  if (openers_.empty()) flush_label();
}

// Whether this may be the label of an image or a footnote. Some write it into an attribute as it is: a quote
// is the end of that.
bool egress_guard::in_attribute() const noexcept {
  const auto is_quoted = [](const opener& one) { return one.quoted; };
  return paragraph_.attribute_seen &&
         (paragraph_.brackets_lost || std::any_of(openers_.begin(), openers_.end(), is_quoted));
}

// Whether there is a quote in what is pending that may stand in such a label: in one of more than `own`,
// which is what is pending itself.
bool egress_guard::holds_quote(std::ptrdiff_t own) const noexcept {
  if (!paragraph_.attribute_seen || pending_.find('"') == std::string::npos) return false;
  const auto is_quoted = [](const opener& one) { return one.quoted; };
  return paragraph_.brackets_lost || paragraph_.code_depth != 0 ||
         std::count_if(openers_.begin(), openers_.end(), is_quoted) > own;
}

// Which brackets are open is not the same for all from here on, up to a blank line.
void egress_guard::lose_brackets() noexcept {
  if (!std::exchange(paragraph_.brackets_lost, true))
    paragraph_.lost_escapes = openers_.empty() ? paragraph_.escapes : openers_.front().escapes;
}

// Nor is it what code is.
void egress_guard::lose_code() noexcept {
  blocks_.taint();
  lose_brackets();
}

// Whether a bracket is escaped behind one that may be open. Some read a label again without the backslashes
// in it.
bool egress_guard::holds_escapes() const noexcept {
  if (paragraph_.brackets_lost) return paragraph_.escapes != paragraph_.lost_escapes;
  return !openers_.empty() && paragraph_.escapes != openers_.back().escapes;
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
  if (holds_escapes()) {
    if (paragraph_.attribute_seen) lose_brackets();  // its label goes on
    escape_close();
  } else {
    put(']');
  }
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
  const bool footnote = (paragraph_.brackets_lost && paragraph_.attribute_seen) ||
                        std::any_of(openers_.begin(), openers_.end(), std::mem_fn(&opener::footnote));
  if (c == ':' && footnote) blocks_.start_again();  // for some the label holds brackets
  // The label of a definition may have begun before a blank line for some.
  if (c == ':' && (openers_.empty() || (lead && settling_))) {
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

// What it would have closed stays open: behind that, one backtick without another makes text of all code.
void egress_guard::escape_close() {
  ++paragraph_.escapes;
  blocks_.taint();
  change("]", "\\]");
}

// The mark at an earlier place, of `raw` bytes, has become one of `made`.
void egress_guard::change_at(const position_map::mark& where, std::size_t raw, std::size_t made) {
  map_.change_at(where, raw, made);
  if (host_end_ != no_host && host_end_ >= where.out.utf8 + raw) host_end_ += made - raw;
}

void egress_guard::break_footnote() {
  if (openers_.empty() || !openers_.back().footnote()) return;
  label_.insert(openers_.back().at, 1, '\\');
  change_at(openers_.back().where, 1, 2);
}

// The bracket that is pending becomes an escaped one; what follows it is text.
void egress_guard::break_bracket(egress_kind kind, egress_reason why, bool settling) {
  record(kind, why, openers_.empty() ? map_.here() : openers_.back().where);
  part_address();
  // Some find the mark of a footnote whether its end is escaped or not.
  if (pending_.starts_with("]:")) break_footnote();
  escape_close();
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

// In a block of HTML an address in angle brackets is a tag, and what is in it may be attributes.
bool egress_guard::may_be_in_angles(std::string_view address) const noexcept {
  return blocks_.is_markdown() || address.find('=') == std::string_view::npos;
}

// Whether the address in `pending_` may leave, and why not.
bool egress_guard::may_leave(egress_reason& why) {
  why = egress_reason::unreadable;
  if (reader_.odd() || holds_address(reader_.rest(pending_))) return false;
  // Where it is no address, what is in angle brackets is a tag.
  const std::string_view address = reader_.address(pending_);
  if (reader_.angle(pending_) && (!is_web_url(address) || !may_be_in_angles(address))) return false;
  if (!read_entities(reader_.address(pending_), url_)) return false;
  why = egress_reason::not_allowed;
  const bool allowed = book_.allows_destination(url_);
  url_.clear();
  return allowed;
}

// Whether everybody finds the link that is pending where it is: nothing in its label ends in another block,
// cell, emphasis or code than it began in, and no more is nested than all count.
bool egress_guard::is_sure_link() const noexcept {
  const opener& at = openers_.back();
  if (paragraph_.code_depth != 0 || paragraph_.brackets_lost || at.footnote()) return false;
  const std::string_view label = std::string_view(label_).substr(at.at + (at.image ? 2 : 1));
  if (pending_.find('|') != std::string::npos) return false;
  std::size_t depth = 0;
  for (const char c : label) {
    if (is_line_end(c) || c == '|' || c == '<' || c == '\\' || (at.emphasis & emphasis_of(c)) != 0)
      return false;
    if (c == '[' && ++depth > 1) return false;
    if (c == '`' && !blocks_.code_counts()) return false;  // code may have begun before it
    if (c == ']' && depth > 0) --depth;
  }
  return true;
}

// A byte behind such a link: what ends no address for some must not go on with it.
void egress_guard::go_on(char c) {
  constexpr std::string_view trailing = ".,;:!?)*_~'\"";
  if (trailing.find(c) != std::string_view::npos) return;
  going_ = false;
  if (!is_space(c)) change({}, " ");
}

void egress_guard::end_link() {
  egress_reason why{};
  const bool image = !openers_.empty() && openers_.back().image;
  const bool allowed = may_leave(why) && !holds_escapes() && !holds_quote(image ? 1 : 0);
  const egress_kind kind = image ? egress_kind::image : egress_kind::link;
  // For some the bracket is open that was taken for text.
  if (openers_.empty()) return break_bracket(kind, why, false);
  if (allowed) {
    // Where the bracket was opened is not the same for all, but where it stands directly before the address.
    const bool whole = book_.allows(std::string_view(label_).substr(openers_.back().at + (image ? 2 : 1)));
    if (whole && pending_.find_first_of("|~") == std::string::npos) address_ = false;
    part_address();
    going_ = is_web_url(reader_.address(pending_)) && !is_sure_link();
    state_ = state::plain;
    pass(pending_);
    pending_.clear();
    // A link holds no link: what is open around it is text, for most.
    const auto is_link = [](const opener& one) { return !one.image; };
    if (!image && std::find_if(openers_.begin(), openers_.end() - 1, is_link) != openers_.end() - 1) {
      lose_code();
      std::erase_if(openers_, is_link);
      openers_.push_back({});
    }
    return pop();
  }
  // What looks like no address is more likely a formula, of which nothing is to be lost.
  if (!image && reader_.address(pending_).find_first_of(":/.&?") == std::string_view::npos)
    return break_bracket(kind, why, false);
  const position_map::mark at = openers_.back().where;
  const std::string raw = std::exchange(pending_, {});
  state_ = state::plain;
  unlink(raw);
  record(kind, why, at);
}

void egress_guard::fail_destination(egress_reason why) {
  // What names no host is none for those, too, who take it for a link.
  if (reader_.complete() && !reader_.odd() && !reader_.angle(pending_) &&
      names_no_host(reader_.address(pending_))) {
    const std::string rest = pending_.substr(1);
    close_text();
    blocks_.taint();
    return refeed(rest, why != egress_reason::unreadable);
  }
  const bool image = !openers_.empty() && openers_.back().image;
  break_bracket(image ? egress_kind::image : egress_kind::link, why, why != egress_reason::unreadable);
}

// Whether what is beside a link could begin something with its label, were the brackets gone.
bool egress_guard::joins(const opener& at, std::string_view inner) const noexcept {
  const char before = at.before[0];
  if (at.line.behind_definition && at.line.blank) return true;                 // it must not become its title
  if (at.line.lead && !inner.empty() && is_digit(inner.front())) return true;  // nor the number of an item
  if (at.marked) return true;  // what is behind it must not become the address
  const bool apart = before == '\0' || is_blank(before);
  if (inner.empty()) return !apart && (at.begun || !is_word(before) || lower(before) == 'w');
  std::size_t first = 0;
  while (first < 3 && first < inner.size() &&
         std::string_view("*_\"'").find(inner[first]) != std::string_view::npos) {
    ++first;
  }
  if (first == inner.size() || !is_word(inner[first])) return true;
  if (apart) return false;
  constexpr std::string_view unsafe = "<&#\\]!/@=`~";
  const bool www = lower(before) == 'w' || (before == '.' && lower(at.before[1]) == 'w');
  return at.begun || www || unsafe.find(before) != std::string_view::npos;
}

// An image becomes its alt text, a link its label.
void egress_guard::unlink(std::string_view raw) {
  part_address();
  const opener at = openers_.back();
  const std::size_t mark = at.image ? 2 : 1;
  const std::string_view inner = std::string_view(label_).substr(at.at + mark);
  const bool empty = inner.empty();
  if (joins(at, inner)) {
    paragraph_.escapes += 2;
    label_.insert(at.at + mark - 1, 1, '\\');
    change_at(at.where, mark, mark + 1);
    change(raw, "\\]");
  } else {
    label_.erase(at.at, mark);
    change_at(at.where, mark, 0);
    change(raw, {});
    resumed_ = true;
    if (empty) blocks_.restore(at.line, at.items);
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
  // Nor all find a definition whose label goes on in another line.
  const bool lines = label_.find_first_of("\r\n", openers_.back().at) != std::string::npos;
  if (lines || holds_quote(0))
    return break_bracket(egress_kind::definition, egress_reason::unreadable, false);
  blocks_.definition();
  if (openers_.back().footnote()) return pass_definition();
  pass_pending();
  pop();
}

// It leaves as text. What a footnote holds is blocks.
void egress_guard::pass_definition() {
  const std::string rest = pending_.substr(1);
  const bool footnote = openers_.back().footnote();
  close_text();
  if (footnote) blocks_.start_again();
  refeed(rest, false);
}

// It is no definition, if that is sure, or a footnote that begins with a bracket or code: an address of no
// host.
void egress_guard::fail_definition(char c, egress_reason why) {
  const bool bracket = c == '[' && (reader_.empty() || reader_.address(pending_) == "!");
  const bool footnote = openers_.back().footnote();
  const bool begins = footnote && !reader_.odd() && (bracket || (c == '`' && reader_.empty()));
  const bool text = reader_.behind_address() && (is_alphanumeric(c) || c == '-');
  // White space that is not ASCII ends the line for some.
  const bool allowed = reader_.behind_address() && is_wide(c) &&
                       reader_.address(pending_).find_first_of(":/\\&.") == std::string_view::npos;
  const bool sure = begins || ((text || allowed) && !reader_.angle(pending_));
  if (!sure && !reader_.nothing()) return break_bracket(egress_kind::definition, why, false);
  if (begins) blocks_.definition();
  if (begins) blocks_.give_up();  // a title that follows may go on beyond a blank line
  if (allowed) {
    blocks_.definition();
    blocks_.taint();
  }
  pass_definition();
}

// A definition leaves nothing.
void egress_guard::vanish(egress_reason why) {
  if (reader_.nothing()) return break_bracket(egress_kind::definition, why, true);
  const opener at = openers_.back();
  // What comes next must not become the address of the definition before.
  if (at.marked) return break_bracket(egress_kind::definition, why, true);
  map_.change(pending_, {});
  pending_.clear();
  state_ = state::plain;
  label_.resize(at.at);
  map_.drop_since(at.where);
  host_end_ = at.begun ? map_.out().utf8 : no_host;
  blocks_.restore(at.line, at.items);
  record(egress_kind::definition, why, at.where);
  pop();
}

}  // namespace citestream
