#include "event_queue.hpp"

namespace citestream {

void event_queue::add(choice_state& choice, std::optional<std::uint64_t> delta, std::string_view text) {
  choice.reported.text.split(
      text, choice.answer.cites().all(), [&](std::string_view part) { add_text(choice, delta, part); },
      [&](std::size_t index) {
        add_record(session_event_type::citation, choice, delta, choice.answer.cites().all()[index]);
      });
}

void event_queue::add_text(const choice_state& choice, std::optional<std::uint64_t> delta,
                           std::string_view text) {
  const std::size_t begin = text_.size();
  text_.append(text);
  entries_.push_back({session_event_type::text, &choice, delta, begin, text_.size()});
}

void event_queue::add_record(session_event_type type, const choice_state& choice,
                             std::optional<std::uint64_t> delta, const citation& record) {
  entries_.push_back({type, &choice, delta});
  entries_.back().record = std::make_unique<const citation>(record);
}

void event_queue::added_natives(choice_state& choice) {
  if (!enabled_) return;
  const std::span<const citation> natives = choice.answer.cites().native();
  for (; choice.natives.reported < natives.size(); ++choice.natives.reported)
    add_record(session_event_type::resolved, choice, {}, natives[choice.natives.reported]);
}

void event_queue::resolved_late(choice_state& choice, std::span<const std::uint32_t> late) {
  if (!enabled_) return;
  for (const std::uint32_t index : late)
    add_record(session_event_type::resolved, choice, {}, choice.answer.cites().all()[index]);
}

void event_queue::settled(choice_state& choice, std::size_t first) {
  if (!enabled_) return;
  const citations& cites = choice.answer.cites();
  for (const citation& record : cites.all().subspan(first))
    add_record(session_event_type::resolved, choice, {}, record);
  added_natives(choice);
  if (choice.phase == choice_phase::settled) return;
  add_text(choice, {}, choice.reported.finish_reason);
  entry& end = entries_.back();
  end.type = session_event_type::end;
  end.lists.assign(cites.unresolved().begin(), cites.unresolved().end());
  end.unresolved = end.lists.size();
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
  out.record = one.record.get();
  switch (one.type) {
    case session_event_type::text:
      out.text = std::string_view(text_).substr(one.begin, one.end - one.begin);
      break;
    case session_event_type::citation:
      out.label = out.record->label;
      out.identifier = out.record->identifier;
      out.finding = out.record->finding.get();
      break;
    case session_event_type::resolved:
      break;
    case session_event_type::end:
      out.unresolved = std::span(one.lists).first(one.unresolved);
      out.uncited = std::span(one.lists).subspan(one.unresolved);
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
