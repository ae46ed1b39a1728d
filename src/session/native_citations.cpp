// How citations of the provider get into the record.
//
// They arrive before, inside or after the text that they are about, with positions in the received text, and
// often several times. They are kept as they are until the choice is settled; then place_natives() converts
// the positions through the map of the text (answer_texts::sent_place()) and adds the citations in the order
// of the text. A citation whose place is not known any more is kept without one.
//
// Cost: sorting, and one pass over each text that is kept, to find the claims of citations that only have a
// point.
#include "native_citations.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/compact_sort.hpp"
#include "choice.hpp"
#include "cite/claim.hpp"

namespace citestream {

namespace {

/// Maximum size of a citation in memory, without its strings.
constexpr std::size_t citation_size = 256;

/// Finds the claims before positions of one text after the other. Hostile positions could
/// make it read one text again and again, so it reads at most \p budget bytes in all.
class claim_finder {
 public:
  explicit claim_finder(std::uint64_t budget) noexcept : budget_(budget) {}

  /// The claim before byte \p position of the sent text of \p text; nothing if there is no budget.
  std::optional<text_span> before(std::uint64_t position, const choice_text& text) {
    const std::string_view sent = text.repeats.sent().text();
    if (text_ != &text || position < read_) {
      tracker_.reset();
      text_ = &text;
      read_ = 0;
    }
    const std::size_t end = std::min<std::size_t>(position, sent.size());
    if (end - read_ > budget_) return std::nullopt;
    budget_ -= end - read_;
    tracker_.text(sent.substr(read_, end - read_));
    read_ = end;
    const text_span claim = tracker_.claim();
    tracker_.marker({});  // a citation ends its claim
    return text_span{text.start.printed + claim.start, text.start.printed + claim.end};
  }

 private:
  claim_tracker tracker_;
  const choice_text* text_{};
  std::size_t read_{};
  std::uint64_t budget_;
};

/// The text with this id, or, because some servers count the parts of an item differently, the first of its
/// item. May be null.
const choice_text* find_unit(text_unit id, const choice_state& choice) noexcept {
  if (const choice_text* const same = choice.units.find(id)) return same;
  const auto at = choice.units.earlier.lower_bound({{id.item, 0}, 0});
  if (at != choice.units.earlier.end() && at->second.id.item == id.item) return &at->second;
  return choice.units.current.id.item == id.item ? &choice.units.current : nullptr;
}

/// The last text before the one with this id; null if this is the first.
const choice_text* find_before(text_unit id, const choice_state& choice) noexcept {
  const auto next = choice.units.earlier.lower_bound({id, 0});
  const choice_text* const earlier =
      next == choice.units.earlier.begin() ? nullptr : &std::prev(next)->second;
  const choice_text& now = choice.units.current;
  const bool later = earlier == nullptr || earlier->id < now.id;
  return choice.has_text() && now.id < id && later ? &now : earlier;
}

/// The text that a citation is about. A citation of a whole text may be in a block of its own after it.
const choice_text* find_cited(const received_citation& found, const choice_state& choice) noexcept {
  const choice_text* const named = find_unit(found.unit, choice);
  const bool empty = named == nullptr || (named == &choice.units.current && !choice.has_text());
  if (empty && found.anchor == citation_anchor::block) {
    if (const choice_text* const before = find_before(found.unit, choice)) return before;
  }
  return named != nullptr ? named : find_unit(found.arrived_in, choice);
}

/// The place of a citation in both texts of its choice.
struct both_places {
  text_span sent;
  text_range received;
};

/// The place of a citation that has positions.
std::optional<both_places> places_of(received_citation& found, const choice_state& choice,
                                     const choice_text& text) {
  if (!text.has_places()) return std::nullopt;
  const offset_unit in = found.counted_in;
  if (!found.quote.empty()) {
    const auto quoted = find_quote(found.start, found.end, found.quote, in, text.repeats.received());
    if (!quoted) return std::nullopt;
    found.end += *quoted - found.start;
    found.start = *quoted;
  }
  const std::uint64_t last = choice.end_of(text).received.in(in);
  const text_part part = text.part_at(found.start, in, edit_side::before);
  const edit_side side = end_side(found.start, found.end);
  // Between two parts is another text, which is not cited.
  if (part.start.received != text.part_at(found.end, in, side).start.received) return std::nullopt;
  const std::uint64_t begin_of_part = part.start.received.in(in);
  const auto in_choice = [&](std::uint64_t position) {
    return begin_of_part + std::min(position - part.own.received.in(in), last - begin_of_part);
  };
  const std::uint64_t first = in_choice(found.start);
  const std::uint64_t after = in_choice(found.end);
  const auto start = choice.answer.texts().sent_place(first, in, edit_side::before);
  const auto end = choice.answer.texts().sent_place(after, in, side);
  const auto begin = choice.answer.texts().received_place(first, in);
  const auto until = choice.answer.texts().received_place(after, in);
  if (!start || !end || !begin || !until) return std::nullopt;
  return both_places{{*start, end->utf8 < start->utf8 ? *start : *end}, {begin->utf8, until->utf8}};
}

/// The received words that a citation of a span or of a whole text supports, for the check of its claim.
std::string_view cited_words(const received_citation& found, const choice_state& choice,
                             const choice_text& text) {
  if (found.anchor == citation_anchor::block) {
    const std::uint64_t last = choice.end_of(text).received.utf8;
    return choice.answer.received_text(text.start.received.utf8, last, offset_unit::utf8);
  }
  const text_part part = text.part_at(found.start, found.counted_in, edit_side::before);
  const offset_unit in = found.counted_in;
  return choice.answer.received_text(part.in_answer(found.start, in), part.in_answer(found.end, in), in);
}

/// The words of a claim in the sent text of \p text, which keeps it.
std::string_view sent_words(const text_span& claim, const choice_text& text) {
  const std::string_view sent = text.repeats.sent().text();
  if (claim.start.utf8 < text.start.printed.utf8 || claim.end.utf8 - text.start.printed.utf8 > sent.size())
    return {};
  return sent.substr(claim.start.utf8 - text.start.printed.utf8, claim.end.utf8 - claim.start.utf8);
}

/// The place of a citation that is about \p text, which may be null. Nothing if it has none.
std::optional<both_places> resolve_place(received_citation& found, const choice_state& choice,
                                         const choice_text* text) {
  if (text == nullptr || found.anchor == citation_anchor::none) return std::nullopt;
  if (found.anchor != citation_anchor::block) return places_of(found, choice, *text);
  if (text->continued()) return std::nullopt;
  return both_places{{text->start.printed, choice.end_of(*text).printed}, {}};
}

/// Sets the claim of a citation with a place, and its words. A marker or a point supports the text before it.
void set_claim(const received_citation& found, const choice_state& choice, const choice_text& text,
               claim_finder& claims, placed_citation& out) {
  out.claim = out.place;
  if (found.anchor != citation_anchor::marker && found.anchor != citation_anchor::point) {
    out.words = cited_words(found, choice, text);
    return;
  }
  out.claim.end = out.place.start;
  if (!text.repeats.on() || text.continued()) return;
  const std::uint64_t start = out.place.start.utf8;
  out.claim = claims.before(start - std::min(start, text.start.printed.utf8), text).value_or(out.claim);
  out.words = sent_words(out.claim, text);
}

/// Returns the citation without its place.
placed_citation without_place(const received_citation& found) {
  placed_citation out;
  out.set_traits(found);
  out.reference = found.reference;
  out.json = found.json;
  return out;
}

/// Adds one citation.
void add_placed(received_citation& found, choice_state& choice, claim_finder& claims) {
  placed_citation out = without_place(found);
  if (found.anchor != citation_anchor::none && found.anchor != citation_anchor::block)
    out.unit = found.counted_in;
  const choice_text* const text = find_cited(found, choice);
  const std::optional<both_places> places = resolve_place(found, choice, text);
  if (places || (found.named && text != nullptr && text->id == found.unit))
    out.path = text->path(*choice.read_as);
  if (places) {
    out.place = places->sent;
    out.received = places->received;
    set_claim(found, choice, *text, claims, out);
  } else {
    out.anchor = citation_anchor::none;
  }
  choice.answer.add_native(out);
}

}  // namespace

void native_citations::add(const native_citation& found, std::uint32_t reference, text_unit now,
                           std::size_t max_bytes, bool with_json) {
  const text_unit unit = found.unit == last_text ? now : found.unit;
  const std::size_t size = citation_size + (with_json ? found.json.size() : 0) + found.quote.size();
  if (cited_.size() <= reference) cited_.resize(reference + 1);
  citing& cited = cited_[reference];
  cited = std::max(cited, found.anchor == citation_anchor::none ? citing::yes : citing::at_a_place);
  if (size > max_bytes - bytes_) return;
  if (!seen_.emplace(place(unit, found.start, found.end, reference), taken_ + all_.size()).second) return;
  bytes_ += size;
  received_citation& made = all_.emplace_back();
  made.set_traits(found);
  made.unit = unit;
  made.named = found.unit != last_text;
  made.arrived_in = now;
  made.counted_in = found.counted_in;
  made.start = found.start;
  made.end = found.end;
  made.reference = reference;
  made.order = all_.size();
  if (with_json) made.json.assign(found.json);
  made.quote.assign(found.quote);
}

std::vector<received_citation> native_citations::take() {
  taken_ += static_cast<std::uint32_t>(all_.size());
  std::erase_if(all_, [this](const received_citation& one) {
    return one.anchor == citation_anchor::none && cited_[one.reference] == citing::at_a_place;
  });
  compact_sort(all_, std::ranges::less{}, [](const received_citation& one) {
    return std::tuple(one.unit, one.start, one.end, one.order);
  });
  const auto place_of = [](const received_citation& one) {
    return std::tuple(one.anchor, one.unit, one.start, one.end);
  };
  for (std::size_t i = 0; i < all_.size(); ++i) {  // the citation that it joins may have been ignored
    received_citation& one = all_[i];
    const bool same = i > 0 && place_of(all_[i - 1]) == place_of(one);
    one.joins = same && (one.joins || one.anchor != citation_anchor::none);
  }
  return std::exchange(all_, {});
}

void expect_natives(choice_state& choice) {
  const choice_text& text = choice.units.current;
  choice.natives.each_in(text.id, [&](received_citation found) {
    const bool spans = found.anchor == citation_anchor::marker || found.anchor == citation_anchor::claim;
    const auto places = spans ? places_of(found, choice, text) : std::nullopt;
    if (!places) return;
    placed_citation one = without_place(found);
    one.received = places->received;
    choice.answer.expect_native(one, text.first_citation);
  });
}

std::vector<std::uint32_t> place_natives(choice_state& choice) {
  claim_finder claims(4 * choice.answer.texts().sent_end().utf8 + 4096);
  for (received_citation& found : choice.natives.take()) add_placed(found, choice, claims);
  return choice.answer.resolve_late();
}

}  // namespace citestream
