// How known events are found.
//
// Between two events, next() compares the bytes that the decoder has not read with the cache. While they are
// known events, the decoder is not called; then it skips all of them. The next event is unknown, or the read
// ends inside an event that may be known. Its start is then kept here and not in the decoder. The next read
// continues the comparison where it stopped (continue_begun()), so a known event costs no parse and no second
// comparison, however it is divided. If it turns out to be unknown, the decoder gets the start that was kept,
// returns what that completes, and then gets the rest of the read.
//
// Invariant: with the cache off, the decoder returns the same events.
#include "known_events.hpp"

#include <algorithm>

namespace citestream {

namespace {

/// How many bytes to append to the first `given` bytes of an event that is probably like `known`.
std::size_t wanted(const learned_event& known, std::size_t given) noexcept {
  constexpr std::size_t slack = 64;
  const std::size_t expected = known.shape.event().size();
  return expected >= given ? expected - given + slack : given / 2;
}

}  // namespace

[[gnu::hot]] void known_events::feed(std::string_view bytes) {
  if (begun_ == nullptr) return decoder_.feed(bytes);
  rest_ = bytes;
}

/// Keeps `begun`, all unread bytes, for the next read.
void known_events::keep(std::string_view begun, learned_event& known) {
  begun_ = &known;
  kept_.reserve(begun.size() + wanted(known, begun.size()));
  kept_.assign(begun);
  decoder_.defer();
}

/// Continues with the event that a read cut off, unless the decoder has its start. Returns it if it is known
/// and complete.
known_event known_events::continue_begun() {
  if (begun_ == nullptr) return {};
  const std::size_t before = kept_.size();
  cache_result found{nullptr, begun_};
  for (std::string_view rest = rest_; found.cut != nullptr && !rest.empty();) {
    const std::size_t more = std::min(rest.size(), wanted(*found.cut, kept_.size()));
    kept_.append(rest, 0, more);
    rest.remove_prefix(more);
    found = cache_.find_more(kept_, *found.cut);
  }
  begun_ = found.cut;
  if (found.known != nullptr) {
    decoder_.feed(std::exchange(rest_, {}));
    decoder_.skip(found.known->item.raw.size() - before, before);
  } else if (begun_ != nullptr) {
    rest_ = {};  // `kept_` contains it
  } else {
    decoder_.feed(std::string_view(kept_).substr(0, before));
  }
  return {found.known, false};
}

void known_events::finish() {
  if (std::exchange(begun_, nullptr) != nullptr) decoder_.feed(kept_);
  cache_.turn_off();
}

void known_events::reset() noexcept {
  cache_.forget();
  run_ = rest_ = {};
  begun_ = nullptr;
}

}  // namespace citestream
