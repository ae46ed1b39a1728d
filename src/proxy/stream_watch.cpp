#include "stream_watch.hpp"

#include <algorithm>

namespace citestream {
namespace {

/// A model's name stands in the first event, which several reads may bring.
constexpr int looks_for_model = 4;
constexpr std::size_t looked_at_bytes = 4096;

/// What a record takes besides its strings: twice itself, since vectors grow by doubling, and its place in
/// the tables of identifiers.
constexpr std::uint64_t record_bytes = 2 * sizeof(citation) + 128;
constexpr std::size_t part_bytes = 1024;

}  // namespace

stream_watch::stream_watch(const session& rewriter, request_facts& seen, proxy_metrics& counters)
    : rewriter_(rewriter), seen_(seen), counters_(counters) {}

stream_watch::~stream_watch() {
  if (held_since_ != clock::time_point{}) end_hold(clock::now());
  count_events(false);
  seen_.running = nullptr;
  seen_.rewriting = rewriter_.statistics();
  counters_.count_citations(rewriter_);
}

void stream_watch::rewritten(std::string_view bytes, const status& result, clock::time_point when) {
  if (bytes.empty()) return;
  came_ = when;
  if (seen_.model.empty() && looked_for_model_ < looks_for_model) {
    ++looked_for_model_;
    seen_.model = model_in(bytes.substr(0, looked_at_bytes));
  }
  const session_statistics now = rewriter_.statistics();
  const std::uint64_t passed = now.passed_through - seen_.rewriting.passed_through;
  if (passed != 0) {
    const auto why = static_cast<std::size_t>(result.code);
    counters_.passed[passed_reason(why) == passed_reason(0) ? 0 : why] += passed;
  }
  seen_.rewriting.passed_through = now.passed_through;
  if (held_since_ == clock::time_point{} && now.held != 0) held_since_ = when;
  if (held_since_ != clock::time_point{} && now.held == 0) end_hold(when);
}

void stream_watch::sent(clock::time_point when, bool taken) {
  count_events(taken);
  const auto added = when - came_;
  // Where they released nothing, nothing was sent since.
  const bool any = came_ != clock::time_point{} && added >= clock::duration::zero();
  if (!any) return;
  counters_.added.observe(added);
  seen_.added_max = std::max(seen_.added_max, added);
  came_ = {};
}

void stream_watch::count_events(bool taken) {
  const std::uint64_t events = rewriter_.statistics().events;
  (taken ? counters_.events_sent : counters_.events_dropped) += events - counted_events_;
  counted_events_ = events;
}

void stream_watch::end_hold(clock::time_point when) {
  const auto held = when - held_since_;
  counters_.hold.observe(held);
  seen_.hold_max = std::max(seen_.hold_max, held);
  held_since_ = {};
}

void unread_records::count_new() {
  counted_.resize(rewriter_.choices());
  for (std::size_t place = 0; place < counted_.size(); ++place) {
    const auto all = rewriter_.cites(place).all();
    for (std::size_t& i = counted_[place]; i < all.size(); ++i) {
      // The identifier is kept twice: in the record and in the table of identifiers.
      made_ += record_bytes + all[i].label.size() + 2 * all[i].identifier.size() + all[i].marker.size();
    }
  }
}

void unread_records::note_written(std::uint64_t written, std::uint64_t unacknowledged) noexcept {
  if (unacknowledged == 0) {
    read_ = made_;
    return;
  }
  if (written < unacknowledged || written - unacknowledged < mark_written_) return;
  read_ = std::max(read_, mark_made_);
  mark_written_ = written;
  mark_made_ = made_;
}

std::string_view take_part(std::string_view& bytes) noexcept {
  std::size_t end = bytes.size();
  if (end > part_bytes) end = std::min(bytes.find('\n', part_bytes), end - 1) + 1;
  if (bytes.substr(end).starts_with("\r\n")) end += 2;
  if (bytes.substr(end).starts_with('\n')) ++end;
  const std::string_view part = bytes.substr(0, end);
  bytes.remove_prefix(end);
  return part;
}

}  // namespace citestream
