#include "choice.hpp"

#include <algorithm>
#include <utility>

namespace citestream {

void choice_annotations::note_sent(const std::set<std::string>& sent, std::size_t max_bytes) {
  for (const std::string& page : sent) {
    if (page.size() > max_bytes - page_bytes_) return;
    if (pages.insert(page).second) page_bytes_ += page.size();
  }
}

void choice_state::restart(std::uint32_t number) noexcept {
  choice = number;
  text.reset();
  own_event.reset();
  phase = choice_phase::open;
  finish_expected = true;
  references = reference_state::unknown;
  record_due = false;
  annotations = {};
  unit.id = {};
  unit.received = unit.sent = {};
  unit.first_citation = 0;
  unit.ended = false;
  unit.repeats.reset();
  unit.annotations = {};
  ended.clear();
  rest.clear();
  tally = {};
  reported = {};
  finish_reason.clear();
}

void choice_state::count_resolved() noexcept {
  const std::span<const citation> all = text.cites().all();
  for (; tally.counted < all.size(); ++tally.counted) {
    ++(all[tally.counted].status == citation_status::resolved ? tally.resolved : tally.unresolved);
  }
}

text_unit choice_state::unit_of(std::size_t index) const noexcept {
  if (index >= unit.first_citation) return unit.id;
  const auto later =
      std::upper_bound(ended.begin(), ended.end(), index,
                       [](std::size_t at, const unit_text& one) { return at < one.first_citation; });
  return (later - 1)->id;  // the first text has the first citation
}

void choice_state::begin_unit(text_unit id) {
  const text_offset received = text.received();
  if (received != unit.received) {
    ended.push_back(std::exchange(unit, {}));
    unit.received = received;
    unit.sent = text.released_end();
    unit.first_citation = text.cites().all().size();
    text.begin_text();
  }
  unit.id = id;
}

}  // namespace citestream
