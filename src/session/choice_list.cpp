// How choices are stored.
//
// Choices usually arrive in the order of their numbers, so find() first looks at the place equal to the
// number; otherwise `by_number_` is searched. After reset() the objects are reused with their capacity,
// unless the next stream needs other grammars or another style. References that belong to all choices are
// also kept in `shared_`, for choices that appear later.
#include "choice_list.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace citestream {

namespace {

/// The index of what a citation of the provider cites, among the references of the choice.
std::optional<std::uint32_t> cited_reference(const native_citation& found, const dialect_event& content,
                                             const choice_state& choice) {
  if (!found.listed) return choice.answer.cites().index_of(content.references[found.reference].ref);
  const std::vector<listed_reference>& listed = choice.units.current.annotations.listed;
  return *found.listed < listed.size() ? listed[*found.listed].reference : std::nullopt;
}

/// The text that a citation at \p unit is in. In the list of a repeat, it is the text repeated.
text_unit cited_unit(text_unit unit, const dialect_event& content, choice_state& choice) noexcept {
  const auto list = std::ranges::find(content.repeats, unit, &text_repeat::unit);
  if (unit == last_text || list == content.repeats.end()) return unit;
  const choice_text* const repeated = choice.units.repeated_by(*list);
  return repeated == nullptr ? unit : repeated->id;
}

}  // namespace

choice_list::choice_list(const session_options& options)
    : options_(&options), given_(cites_given(options)), shared_(options.bounds) {}

/// The place in `by_number_` of the choice \p number, or the one where it would be inserted.
std::vector<std::uint32_t>::const_iterator choice_list::place_of(std::uint32_t number) const noexcept {
  const auto number_of = [&](std::uint32_t place) { return choices_[place]->number; };
  return std::ranges::lower_bound(by_number_, number, {}, number_of);
}

choice_state* choice_list::search(std::uint32_t number) noexcept {
  const auto at = place_of(number);
  return at != by_number_.end() && choices_[*at]->number == number ? choices_[*at].get() : nullptr;
}

template <typename Target>
void choice_list::add_known(Target& to) const {
  for (const reference& ref : options_->references) to.add_reference(ref);
  for (const reference& ref : shared_.references()) to.add_reference(ref);
}

choice_state* choice_list::add_new(std::uint32_t number, const dialect& spec) {
  if (count_ >= options_->bounds.max_choices) return nullptr;
  const std::size_t place = count_;
  if (place == choices_.size()) choices_.emplace_back();
  std::unique_ptr<choice_state>& choice = choices_[place];
  if (choice != nullptr && used_alike(*options_, *choice->read_as, spec)) {
    choice->restart(number, spec);
  } else {
    choice = std::make_unique<choice_state>(number, *options_, spec);
  }
  by_number_.insert(place_of(number), static_cast<std::uint32_t>(place));
  ++count_;
  add_known(choice->answer);
  // References from the request do not tell whether the provider will send some.
  if (given_ || !spec.stream.sends_references || !shared_.references().empty())
    choice->expects.references = false;
  return choice.get();
}

citations choice_list::initial_references() const {
  citations all(options_->bounds);
  add_known(all);
  return all;
}

void choice_list::add_reference(const found_reference& found) {
  const auto add_to = [&](choice_state& choice) {
    choice.answer.add_reference(found.ref);
    choice.expects.references = false;
  };
  if (found.choice) {
    choice_state* const choice = find(*found.choice);
    if (choice != nullptr) add_to(*choice);
    return;
  }
  shared_.add_reference(found.ref);
  for (const auto& choice : all()) add_to(*choice);
}

void choice_list::keep_natives(const dialect_event& content) {
  const bool wanted = options_->typed_events || options_->add != additions::never;
  struct {
    text_unit named, meant;
  } previous{last_text, last_text};  // of the citation before: often the same
  for (native_citation found : content.natives) {
    choice_state* const choice = wanted ? find(found.choice) : nullptr;
    if (choice == nullptr) continue;
    choice->answer.keep_places();
    if (found.unit != previous.named) previous = {found.unit, cited_unit(found.unit, content, *choice)};
    found.unit = previous.meant;
    const auto reference = cited_reference(found, content, *choice);
    // The JSON contains quotes that egress has not checked, so it is not kept.
    const bool with_json = options_->egress != egress_mode::enforce;
    if (reference)
      choice->natives.add(found, *reference, choice->units.current.id, options_->bounds.max_addition_bytes,
                          with_json);
  }
}

void choice_list::reopen() noexcept {
  for (const auto& choice : all()) {
    if (choice->phase == choice_phase::settled) choice->phase = choice_phase::open;
  }
}

bool choice_list::dropped_references() const noexcept {
  const auto drops = [](const auto& one) { return one->answer.cites().dropped_references() > 0; };
  const auto choices = all();
  return shared_.dropped_references() > 0 || std::any_of(choices.begin(), choices.end(), drops);
}

void choice_list::switch_to(const dialect& spec) {
  for (std::unique_ptr<choice_state>& old : std::span(choices_).first(count_)) {
    if (old->phase != choice_phase::open) continue;
    if (used_alike(*options_, *old->read_as, spec)) {
      old->set_dialect(spec);
    } else {
      auto one = std::make_unique<choice_state>(old->number, *options_, spec);
      for (const reference& ref : old->answer.cites().references()) one->answer.add_reference(ref);
      one->last_event = std::move(old->last_event);
      one->natives = std::move(old->natives);
      one->annotations = std::move(old->annotations);
      one->expects = old->expects;
      old = std::move(one);
    }
  }
}

void choice_list::add_to(session_statistics& counts) const noexcept {
  for (const auto& choice : all()) {
    const answer_stages& answer = choice->answer;
    counts.held += answer.texts().held_in_all();
    counts.held_max = std::max<std::uint64_t>(counts.held_max, answer.held_max());
    counts.abandoned += answer.abandoned();
    counts.resolved += choice->tally.resolved;
    counts.unresolved += choice->tally.unresolved;
    counts.native += choice->tally.natives_counted;
    for (std::size_t i = 0; i < counts.verdicts.size(); ++i) counts.verdicts[i] += choice->tally.verdicts[i];
    counts.egress += answer.sent().recorded();
    counts.pending += answer.cites().all().size() - choice->tally.counted;
  }
}

void choice_list::reset() noexcept {
  count_ = 0;
  by_number_.clear();
  shared_.reset();
}

}  // namespace citestream
