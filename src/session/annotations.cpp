// A provider may annotate its text: `{"type":"url_citation","url_citation":{"url","title","start_index",
// "end_index"}}`. The positions are code points of the text that it sent, not of the text that we send, and
// most annotations are about a page that a marker in the text cites too.
//
// While a choice runs, hold() keeps such annotations back: text at their positions may still change, and a
// marker may cite the same page later. They pass at once if the text so far is sent unchanged. When the
// choice has settled, merge() makes one list. An annotation of a page that we annotate is dropped, because
// ours has the same title and the position of the citation. The positions of all others are converted. Pages
// are compared by normalized URL, also with those sent earlier, so that each appears once.
//
// Annotations of other types, and what is not an annotation, pass unchanged.
#include "annotations.hpp"

#include <algorithm>

#include "cite/url.hpp"
#include "rewrite/json.hpp"

namespace citestream {

namespace {

/// The object with the page and the positions; missing if `element` is not the annotation of a page.
json_value page_of(json_value element) noexcept {
  return element["type"].string() == "url_citation" ? element["url_citation"] : json_value();
}

struct code_points {
  std::uint64_t start{};
  std::uint64_t end{};
};

std::optional<code_points> positions_of(json_value page) noexcept {
  const auto start = page["start_index"].integer();
  const auto end = page["end_index"].integer();
  if (!start || !end || *start < 0 || *end < *start) return std::nullopt;
  return code_points{static_cast<std::uint64_t>(*start), static_cast<std::uint64_t>(*end)};
}

void append_element(std::string_view json, std::string& list) {
  if (!list.empty()) list += ',';
  const std::size_t begin = list.size();
  list.append(json);
  // Line breaks of a payload are between tokens only. Text that is inserted must not contain any.
  std::replace(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end(), '\n', ' ');
}

}  // namespace

/// Returns false if `list` is not a JSON list.
bool annotation_writer::parse(std::string_view list) {
  reader_->limit(options_->bounds.max_json_depth);
  return !reader_->parse(list) && reader_->root().is_array();
}

std::optional<std::string_view> annotation_writer::hold(choice_state& one, std::string_view list) {
  choice_annotations& state = one.annotations;
  if (!parse(list) || state.held.size() + list.size() > options_->bounds.max_addition_bytes) return {};
  const std::uint64_t received = one.text.received().codepoint;
  bool passes = true;
  pages_.clear();
  for (json_value element = reader_->root().first(); element; element = element.next()) {
    const json_value page = page_of(element);
    if (!page) continue;
    const auto at = positions_of(page);
    passes = passes && at && at->start < at->end && at->end <= received;
    normalize_url(page["url"].string(), url_);
    pages_.insert(url_);
  }
  if (pages_.empty()) return {};
  if (!one.text.may_edit() || (passes && one.text.unedited())) {
    note_sent(one);
    return {};
  }
  list_.clear();
  for (json_value element = reader_->root().first(); element; element = element.next()) {
    append_element(element.raw(), page_of(element) ? state.held : list_);
  }
  return list_;
}

/// Writes our annotations of pages that have not been sent to `ours_`.
void annotation_writer::append_ours(const choice_state& one) {
  json_.assign("[");
  append_annotations_json(one.text.cites(), offset_unit::codepoint, options_->file_url, json_,
                          options_->bounds.max_addition_bytes);
  json_ += ']';
  if (!parse(json_)) return;
  for (json_value element = reader_->root().first(); element; element = element.next()) {
    normalize_url(page_of(element)["url"].string(), url_);
    if (one.annotations.pages.contains(url_)) continue;
    append_element(element.raw(), ours_);
    our_pages_.insert(url_);
  }
}

/// Appends an element to `list_` with positions in the sent text. Returns true if that changes it.
bool annotation_writer::append_converted(const answer& text, json_value element) {
  const json_value page = page_of(element);
  const auto at = positions_of(page);
  if (!at) {
    append_element(element.raw(), list_);
    return false;
  }
  const auto start = text.released_position(at->start, offset_unit::codepoint, false);
  const auto end = text.released_position(at->end, offset_unit::codepoint, at->end > at->start);
  if (start == at->start && end == at->end) {
    append_element(element.raw(), list_);
    return false;
  }
  const std::size_t base = element.range().begin;
  byte_range first = page["start_index"].range();
  byte_range second = page["end_index"].range();
  std::string first_value = std::to_string(start);
  std::string second_value = std::to_string(end);
  if (second.begin < first.begin) {
    std::swap(first, second);
    std::swap(first_value, second_value);
  }
  const std::string_view raw = element.raw();
  json_.assign(raw.substr(0, first.begin - base)).append(first_value);
  json_.append(raw.substr(first.end - base, second.begin - first.end)).append(second_value);
  json_.append(raw.substr(second.end - base));
  append_element(json_, list_);
  return true;
}

/// Appends the provider's annotations in `list` to `list_`, except those of pages that we annotate or that
/// were sent before, and repeats. Returns true if the result differs from `list`.
bool annotation_writer::append_theirs(const choice_state& one, std::string_view list) {
  bool changed = false;
  if (!parse(list)) return changed;
  for (json_value element = reader_->root().first(); element; element = element.next()) {
    if (const json_value page = page_of(element)) {
      normalize_url(page["url"].string(), url_);
      const bool known = our_pages_.contains(url_) || one.annotations.pages.contains(url_);
      json_.assign(url_).append(page["start_index"].raw()).append(" ").append(page["end_index"].raw());
      if (known || !seen_.insert(json_).second) {
        changed = true;
        continue;
      }
      pages_.insert(url_);
    }
    if (append_converted(one.text, element)) changed = true;
  }
  return changed;
}

std::optional<std::string_view> annotation_writer::merge(const choice_state& one, std::string_view list,
                                                         bool with_ours) {
  list_.clear();
  ours_.clear();
  pages_.clear();
  our_pages_.clear();
  seen_.clear();
  const bool replaceable = list.empty() || list == "null" || parse(list);
  if (!replaceable) return {};
  if (with_ours) append_ours(one);
  bool changed = !ours_.empty();
  if (!one.annotations.held.empty()) {
    append_theirs(one, std::string("[").append(one.annotations.held).append("]"));
    changed = true;
  }
  if (append_theirs(one, list)) changed = true;
  if (!changed) return {};
  if (!ours_.empty()) append_element(ours_, list_);
  return list_;
}

void annotation_writer::note_sent(choice_state& one) {
  one.annotations.pages.merge(pages_);
  one.annotations.pages.merge(our_pages_);
  if (one.phase == choice_phase::settled) one.annotations.held.clear();
}

}  // namespace citestream
