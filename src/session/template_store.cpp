#include "template_store.hpp"

namespace citestream {

/// Gives the event to the cache if all of its choices are open.
void template_store::learn(const event_reading& one, choice_list& choices) {
  const std::vector<choice_event>& found = one.content->choices;
  if (found.size() > event_cache::max_texts) return;
  event_cache::text_bits mirrors_all;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const choice_state* const choice = choices.find(found[i].choice);
    if (choice == nullptr) return;
    mirrors_all[i] = !choice->units.current.repeats.differs();
  }
  for (const auto& choice : choices.all()) {  // learning may replace an entry that a template refers to
    if (!choice->last_event.expected()) make(*choice);
  }
  const learned_event* const known = reader_->learn(one, mirrors_all, choices.all().size());
  for (std::size_t i = 0; known != nullptr && i < found.size(); ++i)
    choices.find(found[i].choice)->last_event.learned(*known, i, found[i]);
}

void template_store::note_parsed(const event_reading& one, bool only_texts, choice_list& choices) {
  // Events with references over the limit must be parsed each time, to count what is dropped.
  const bool dropped = !one.content->references.empty() && choices.dropped_references();
  if (only_texts && !dropped) learn(one, choices);
  for (const auto& choice : choices.all()) {
    if (choice->last_event.expected()) make(*choice);
  }
  kept_.release_current();
}

}  // namespace citestream
