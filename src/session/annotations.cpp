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

#include <utility>

#include "cite/url.hpp"
#include "dialect/payload_numbers.hpp"
#include "rewrite/json.hpp"
#include "rewrite/splice.hpp"

namespace citestream {

namespace {

/// The object with the page and the positions; missing if `element` is not the annotation of a page.
json_value page_of(json_value element) noexcept {
  return element["type"].string() == "url_citation" ? element["url_citation"] : json_value();
}

std::optional<position_pair> positions_of(json_value page) noexcept {
  return read_positions(page["start_index"], page["end_index"]);
}

/// The normalized URL and the positions as written.
std::string place_of(json_value page) {
  return normalized_url(page["url"].string())
      .append(page["start_index"].raw())
      .append(" ")
      .append(page["end_index"].raw());
}

/// Returns true if `message` has a list of its own, not a copy of the other.
bool lists_differ(const provider_lists& given) noexcept {
  return !given.message.empty() && given.message != given.own;
}

/// One JSON list with the elements of both.
std::string joined(const provider_lists& given) {
  if (!lists_differ(given)) return std::string(given.own);
  if (given.own.empty() || given.own == "null") return std::string(given.message);
  const std::string_view more = given.message.substr(1, given.message.size() - 2);
  const bool none = more.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (none || !given.own.ends_with(']')) return std::string(given.own);
  splicer edits(given.own);
  edits.insert_elements({0, given.own.size()}, more);
  std::string out;
  edits.apply(out);
  return out;
}

void append_element(std::string_view json, std::string& list) {
  if (!list.empty()) list += ',';
  append_in_one_line(json, list);
}

/// Returns an element with its positions in the sent text.
std::string converted(const answer_stages& answer, json_value element) {
  const std::string_view raw = element.raw();
  const json_value page = page_of(element);
  const auto at = positions_of(page);
  if (!at) return std::string(raw);
  const auto start = answer.texts().sent_position(at->start, offset_unit::codepoint, edit_side::before);
  const auto end =
      answer.texts().sent_position(at->end, offset_unit::codepoint, end_side(at->start, at->end));
  if (start == at->start && end == at->end) return std::string(raw);
  splicer edits(raw);
  const auto write = [&](std::string_view name, std::uint64_t position) {
    const byte_range place = page[name].range();
    const std::size_t before = element.range().begin;
    edits.replace({place.begin - before, place.end - before}, std::to_string(position));
  };
  write("start_index", start);
  write("end_index", end);
  std::string out;
  edits.apply(out);
  return out;
}

}  // namespace

/// What merge() has put together so far.
struct annotation_writer::merging {
  std::string ours;
  std::string theirs;
  std::set<std::string> our_pages;
  std::set<std::string> sent_pages;  ///< theirs and ours
  std::set<std::string> seen;        ///< their elements: normalized URL and positions
  bool changed{};                    ///< the result differs from the list in the event
};

/// Returns a JSON list, valid until the next call; missing if `list` is not one.
json_value annotation_writer::parse(std::string_view list) {
  reader_->limit(options_->bounds.max_json_depth);
  const bool parsed = !reader_->parse(list) && reader_->root().is_array();
  return parsed ? reader_->root() : json_value();
}

std::optional<std::string> annotation_writer::hold(choice_state& choice, const provider_lists& given) {
  choice_annotations& state = choice.annotations;
  const std::string list = joined(given);
  const json_value elements = parse(list);
  if (!elements || state.held.size() + list.size() > options_->bounds.max_addition_bytes) return {};
  const std::uint64_t received = choice.answer.texts().received_end().codepoint;
  bool passes = choice.answer.unedited();
  std::set<std::string> pages;
  for (const json_value& element : elements) {
    const json_value page = page_of(element);
    if (!page) continue;
    const auto at = positions_of(page);
    passes = passes && at && at->start < at->end && at->end <= received;
    pages.insert(normalized_url(page["url"].string()));
  }
  // Annotations that only `message` has do not count as sent: clients that read `delta` have not seen them.
  if (passes && !lists_differ(given)) state.note_sent(pages, options_->bounds.max_addition_bytes);
  if (passes || pages.empty()) return {};
  std::string others;
  for (const json_value& element : elements) {
    if (const json_value page = page_of(element); !page) {
      append_element(element.raw(), others);
    } else if (state.places.insert(place_of(page)).second) {
      append_element(element.raw(), state.held);
    }
  }
  return others;
}

/// Adds our annotations of pages that have not been sent.
void annotation_writer::append_ours(const choice_state& choice, merging& into) {
  const citations& cites = choice.answer.cites();
  const std::size_t most = options_->bounds.max_addition_bytes;
  std::size_t written = 0;  // including those of pages sent before, which cost the same work
  std::string json;
  for (std::size_t i = 0; i < cites.all().size() && written < most; ++i) {
    json.clear();
    const std::string link = append_annotation_json(cites, i, options_->file_url, json);
    if (link.empty()) continue;
    written += json.size() + 1;
    std::string url = normalized_url(link);
    if (choice.annotations.pages.contains(url)) continue;
    append_element(json, into.ours);
    into.our_pages.insert(url);
    into.sent_pages.insert(std::move(url));
    into.changed = true;
  }
}

/// Adds the provider's annotations in `list`, except those of pages that we annotate or that were sent
/// before, and repeats.
void annotation_writer::append_theirs(const choice_state& choice, std::string_view list, merging& into) {
  for (const json_value& element : parse(list)) {
    if (const json_value page = page_of(element)) {
      std::string url = normalized_url(page["url"].string());
      const bool known = into.our_pages.contains(url) || choice.annotations.pages.contains(url);
      if (known || !into.seen.insert(place_of(page)).second) {
        into.changed = true;
        continue;
      }
      into.sent_pages.insert(std::move(url));
    }
    const std::string json = converted(choice.answer, element);
    if (json != element.raw()) into.changed = true;
    append_element(json, into.theirs);
  }
}

annotation_list annotation_writer::merge(const choice_state& choice, const provider_lists& given,
                                         bool with_ours) {
  const std::string list = joined(given);
  const bool replaceable = list.empty() || list == "null" || parse(list);
  if (!replaceable) return {};
  merging parts;
  parts.changed = lists_differ(given) && !choice.answer.unedited();
  if (with_ours) append_ours(choice, parts);
  if (!choice.annotations.held.empty()) {
    append_theirs(choice, std::string("[").append(choice.annotations.held).append("]"), parts);
    parts.changed = true;
  }
  append_theirs(choice, list, parts);
  if (!parts.ours.empty()) append_element(parts.ours, parts.theirs);
  return {parts.changed, std::move(parts.theirs), std::move(parts.sent_pages)};
}

}  // namespace citestream
