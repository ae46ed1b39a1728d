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
  natives = {};
  unit.id = {};
  unit.name.clear();
  unit.received = unit.sent = unit.received_end = unit.sent_end = {};
  unit.first_citation = 0;
  unit.ended = false;
  unit.repeats.reset();
  unit.annotations = {};
  unit.continued = false;
  ended.clear();
  cited_in.clear();
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

const unit_text* choice_state::find_unit(text_unit id) const noexcept {
  if (unit.id == id) return &unit;
  const auto at = ended.find(id);
  return at == ended.end() ? nullptr : &at->second;
}

const unit_text& choice_state::unit_of(std::size_t index) const noexcept {
  const auto at = index < cited_in.size() ? ended.find(cited_in[index]) : ended.end();
  return at == ended.end() ? unit : at->second;
}

void choice_state::begin_unit(const choice_event& found) {
  const text_offset received = text.received();
  if (received != unit.received || unit.continued) {
    cited_in.resize(text.cites().all().size(), unit.id);
    const text_unit before = unit.id;
    unit.received_end = received;
    unit.sent_end = text.released_end();
    ended.insert_or_assign(before, std::exchange(unit, {}));
  }
  if (auto same = ended.extract(found.unit); same && !found.begins_unit) {
    unit = std::move(same.mapped());
    unit.continued = true;
  }
  unit.id = found.unit;
  if (!unit.continued || !found.item_id.empty()) unit.name.assign(found.item_id);
  unit.received = received;
  unit.sent = text.released_end();
  unit.first_citation = text.cites().all().size();
  unit.ended = false;
  text.begin_text();
}

}  // namespace citestream
