#include "event_queue.hpp"

namespace citestream {

void event_queue::add(choice_state& choice, std::optional<std::uint64_t> delta, std::string_view text) {
  choice.reported.text.split(
      text, choice.answer.cites().all(), [&](std::string_view part) { add_text(choice, delta, part); },
      [&](std::size_t index) { add_citation(choice, delta, index); });
}

void event_queue::add_text(const choice_state& choice, std::optional<std::uint64_t> delta,
                           std::string_view text) {
  const std::size_t begin = text_.size();
  text_.append(text);
  entries_.push_back({session_event_type::text, &choice, delta, begin, text_.size(), 0, 0});
}

void event_queue::add_resolved(const choice_state& choice, const citation& record) {
  entries_.push_back({session_event_type::resolved, &choice});
  entries_.back().resolved = std::make_unique<const citation>(record);
}

void event_queue::add_citation(const choice_state& choice, std::optional<std::uint64_t> delta,
                               std::size_t index) {
  const citation& cite = choice.answer.cites().all()[index];
  const std::size_t begin = text_.size();
  text_.append(cite.label);
  const std::size_t label_end = text_.size();
  text_.append(cite.identifier);
  entries_.push_back({session_event_type::citation, &choice, delta, begin, text_.size(), label_end, index});
  entries_.back().finding = cite.finding;
}

void event_queue::added_natives(choice_state& choice) {
  if (!enabled_) return;
  const std::span<const citation> natives = choice.answer.cites().native();
  for (; choice.natives.reported < natives.size(); ++choice.natives.reported)
    add_resolved(choice, natives[choice.natives.reported]);
}

void event_queue::resolved_late(choice_state& choice, std::span<const std::uint32_t> late) {
  if (!enabled_) return;
  for (const std::uint32_t index : late) add_resolved(choice, choice.answer.cites().all()[index]);
}

void event_queue::settled(choice_state& choice, std::size_t first) {
  if (!enabled_) return;
  const citations& cites = choice.answer.cites();
  for (const citation& record : cites.all().subspan(first)) add_resolved(choice, record);
  added_natives(choice);
  if (choice.phase == choice_phase::settled) return;
  add_text(choice, {}, choice.reported.finish_reason);
  entry& end = entries_.back();
  end.type = session_event_type::end;
  end.lists.assign(cites.unresolved().begin(), cites.unresolved().end());
  end.index = end.lists.size();
  end.lists.insert(end.lists.end(), cites.uncited().begin(), cites.uncited().end());
}

bool event_queue::next(session_event& out) {
  if (next_ == entries_.size()) {
    clear();
    return false;
  }
  const entry& one = entries_[next_++];
  out = {};
  out.type = one.type;
  out.choice = one.choice->number;
  out.delta = one.delta;
  out.cites = &one.choice->answer.cites();
  switch (one.type) {
    case session_event_type::text:
      out.text = std::string_view(text_).substr(one.begin, one.end - one.begin);
      break;
    case session_event_type::citation:
      out.label = std::string_view(text_).substr(one.begin, one.label_end - one.begin);
      out.identifier = std::string_view(text_).substr(one.label_end, one.end - one.label_end);
      out.finding = one.finding.get();
      out.record = &out.cites->all()[one.index];
      break;
    case session_event_type::resolved:
      out.record = one.resolved.get();
      break;
    case session_event_type::end:
      out.unresolved = std::span(one.lists).first(one.index);
      out.uncited = std::span(one.lists).subspan(one.index);
      out.egress = one.choice->answer.sent().records();
      out.finish_reason = std::string_view(text_).substr(one.begin, one.end - one.begin);
      break;
  }
  return true;
}

void event_queue::clear() noexcept {
  entries_.clear();
  text_.clear();
  next_ = 0;
}

}  // namespace citestream
