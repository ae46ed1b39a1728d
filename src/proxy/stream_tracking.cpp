// Three small trackers, fed by response_relay.cpp.
//
// event_gap is a state machine over the bytes that are sent. It knows whether an event is open, because a
// keep-alive comment inside an event would break it, and whether `[DONE]` was sent, which ends the stream.
//
// stream_meter compares the numbers of the session before and after each read. Held text is timed from the
// read that caused it to the read that released it; added latency from a read to the write of its output.
//
// unread_records counts the memory of citation records. The kernel reports how many sent bytes the client has
// not acknowledged; a mark pairs a number of sent bytes with a number of record bytes, and once the client
// has acknowledged the former, the latter count as read. One mark at a time is enough: the count is never too
// low.

#include "stream_tracking.hpp"

#include <citestream/dialect/dialect.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace citestream {
namespace {

/// The first \p wanted in \p bytes, or their end.
const char* find(char wanted, const char* begin, const char* end) noexcept {
  const void* const found = std::memchr(begin, wanted, static_cast<std::size_t>(end - begin));
  return found == nullptr ? end : static_cast<const char*>(found);
}

/// The position after the last two LF in a row, or 0.
std::size_t end_of_last_pair(std::string_view bytes) noexcept {
  for (std::size_t left = bytes.size(); left > 1;) {
    const auto* const lf = static_cast<const char*>(::memrchr(bytes.data(), '\n', left));
    if (lf == nullptr || lf == bytes.data()) return 0;
    left = static_cast<std::size_t>(lf - bytes.data());
    if (bytes[left - 1] == '\n') return left + 1;
  }
  return 0;
}

/// Returns true if the last line that is not blank is `data: [DONE]`.
bool ends_with_done(std::string_view sent) noexcept {
  constexpr std::string_view mark = "[DONE]";
  sent = sent.substr(0, sent.find_last_not_of(" \t\r\n") + 1);
  if (!sent.ends_with(mark)) return false;
  sent.remove_suffix(mark.size());
  return sent.substr(0, sent.find_last_not_of(" \t") + 1).ends_with("data:");
}

}  // namespace

void event_gap::end_line() noexcept {
  // A line that ends where it starts is blank: it closes the event.
  state_ = state_ == state::line ? state::event : state::between;
}

void event_gap::feed(std::string_view sent) noexcept {
  if (ends_with_done(sent)) state_ = state::done;
  if (state_ == state::done) return;
  // Two LF in a row always end an event, so what came before them does not matter.
  if (const std::size_t begin = end_of_last_pair(sent); begin > 0) {
    sent.remove_prefix(begin);
    state_ = state::between;
    after_cr_ = false;
  }
  const char* const end = sent.data() + sent.size();
  const char* lf = sent.data();  // the next one is here or later
  while (!sent.empty()) {
    const char first = sent.front();
    if (first == '\n' || first == '\r') {
      // The LF of a CRLF ends nothing.
      if (first == '\r' || !after_cr_) end_line();
      after_cr_ = first == '\r';
      sent.remove_prefix(1);
      continue;
    }
    after_cr_ = false;
    // A comment inside an event leaves it open.
    if (state_ == state::between) state_ = first == ':' ? state::comment : state::line;
    if (state_ == state::event) state_ = state::line;
    // Not find_first_of(), which looks at each byte apart; nor twice for the same LF.
    if (lf != end && (lf < sent.data() || *lf != '\n')) lf = find('\n', sent.data(), end);
    const char* const line_end = find('\r', sent.data(), lf);
    sent.remove_prefix(static_cast<std::size_t>(line_end - sent.data()));
  }
}

namespace {

/// The model name is in the first event, which may arrive in several reads.
constexpr int looks_for_model = 4;
constexpr std::size_t looked_at_bytes = 4096;

/// What a record takes besides its strings: twice itself, since vectors grow by doubling, and its place in
/// the tables of identifiers.
constexpr std::uint64_t record_bytes = 2 * sizeof(citation) + 128;
constexpr std::size_t tracked_bytes = 1024;

}  // namespace

stream_meter::stream_meter(const session& rewriter, request_facts& facts, proxy_metrics& metrics)
    : rewriter_(rewriter), facts_(facts), metrics_(metrics) {}

stream_meter::~stream_meter() {
  if (held_since_) end_hold(clock::now());
  count_events(false);
  facts_.rewriting.running = nullptr;
  facts_.rewriting.counts = rewriter_.statistics();
  const dialect* const recognised = rewriter_.recognised();
  facts_.rewriting.dialect = recognised != nullptr ? recognised->name : "unknown";
  metrics_.count_citations(rewriter_);
}

void stream_meter::rewritten(std::string_view bytes, const status& result, clock::time_point when) {
  arrived_at_.reset();  // of a read without output; what is written next waited for the upstream
  if (bytes.empty()) return;
  arrived_at_ = when;
  if (facts_.rewriting.model.empty() && looked_for_model_ < looks_for_model) {
    ++looked_for_model_;
    facts_.rewriting.model = model_in(bytes.substr(0, looked_at_bytes));
  }
  const session_statistics now = rewriter_.statistics();
  const std::uint64_t passed = now.passed_through - std::exchange(passed_, now.passed_through);
  if (passed != 0) metrics_.count_passed(result.code, passed);
  if (!held_since_ && now.held != 0) held_since_ = when;
  if (held_since_ && now.held == 0) end_hold(when);
}

void stream_meter::sent(clock::time_point when, bool taken) {
  count_events(taken);
  if (facts_.trace) note_first_text(when);
  // `when` is earlier than the bytes if they caused no output.
  if (!arrived_at_ || when < *arrived_at_) return;
  const auto added = when - *arrived_at_;
  metrics_.delays.added.observe(added);
  facts_.rewriting.added_max = std::max(facts_.rewriting.added_max, added);
  arrived_at_.reset();
}

void stream_meter::note_first_text(clock::time_point when) {
  std::optional<clock::time_point>& first = facts_.trace->first_text;
  if (first) return;
  const session_statistics now = rewriter_.statistics();
  if (now.deltas != 0 && now.held == 0) first = when;
}

void stream_meter::count_events(bool taken) {
  const std::uint64_t events = rewriter_.statistics().events;
  (taken ? metrics_.events.sent : metrics_.events.dropped) += events - counted_events_;
  counted_events_ = events;
}

void stream_meter::end_hold(clock::time_point when) {
  const auto held = when - *held_since_;
  metrics_.delays.held.observe(held);
  facts_.rewriting.hold_max = std::max(facts_.rewriting.hold_max, held);
  held_since_.reset();
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

std::string_view take_lines(std::string_view& bytes) noexcept {
  std::size_t end = bytes.size();
  if (end > tracked_bytes) end = std::min(bytes.find('\n', tracked_bytes), end - 1) + 1;
  if (bytes.substr(end).starts_with("\r\n")) end += 2;
  if (bytes.substr(end).starts_with('\n')) ++end;
  const std::string_view part = bytes.substr(0, end);
  bytes.remove_prefix(end);
  return part;
}

}  // namespace citestream
