#include "choice.hpp"

#include <memory>
#include <utility>

namespace citestream {

void choice_annotations::note_sent(const std::set<std::string>& sent, std::size_t max_bytes) {
  for (const std::string& page : sent) {
    if (page.size() > max_bytes - page_bytes_) return;
    if (pages.insert(page).second) page_bytes_ += page.size();
  }
}

void choice_state::restart(std::uint32_t index, const dialect& spec) noexcept {
  number = index;
  answer.reset();
  units.reset();
  set_dialect(spec);
  last_event.reset();
  phase = choice_phase::open;
  expects = {};
  annotations = {};
  natives = {};
  unsent = {};
  tally = {};
  reported = {};
}

void choice_state::count_resolved() noexcept {
  const std::span<const citation> all = answer.cites().all();
  const auto count_verdict = [this](const citation& one) {
    if (one.finding != nullptr) ++tally.verdicts[static_cast<std::size_t>(one.finding->verdict)];
  };
  for (; tally.counted < all.size(); ++tally.counted) {
    ++(all[tally.counted].status == citation_status::resolved ? tally.resolved : tally.unresolved);
    count_verdict(all[tally.counted]);
  }
  const std::span<const citation> native = answer.cites().native();
  for (; tally.natives_counted < native.size(); ++tally.natives_counted)
    count_verdict(native[tally.natives_counted]);
}

void choice_state::count_late(std::span<const std::uint32_t> late) noexcept {
  tally.resolved += late.size();
  tally.unresolved -= late.size();
  for (const std::uint32_t index : late) {
    const auto& finding = answer.cites().all()[index].finding;
    if (finding != nullptr) ++tally.verdicts[static_cast<std::size_t>(finding->verdict)];
  }
}

void choice_state::begin_unit(const unit_mark& mark) {
  const bool once = read_as->own.shows_sources_once;  // the set moves from text to text
  std::set<std::string> shown;
  if (once) shown.swap(units.current.annotations.annotated);
  units.begin(mark, {answer.texts().received_end(), answer.texts().sent_end()}, answer.cites().all().size());
  answer.set_path(units.current.path(*read_as));
  if (once) units.current.annotations.annotated = std::move(shown);
  const std::unique_ptr<interrupted_text> before = std::move(units.current.interrupted);
  if (before == nullptr) return answer.begin_text();
  answer.resume(before->number);
  last_event = std::move(before->last_event);
}

void choice_state::name_unit(const unit_mark& mark) {
  if (mark.name.empty() || units.current.name != nullptr || !units.is_current(mark.id) || has_text()) return;
  units.current.set_name(mark.name);
  answer.set_path(units.current.path(*read_as));
}

bool choice_state::accepts_text() const noexcept {
  return !units.current.ended() && (units.earlier.empty() || has_text());
}

}  // namespace citestream
