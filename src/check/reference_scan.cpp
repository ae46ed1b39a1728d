// How a reference is scanned.
//
// Each word of the reference is looked up in the claim. A window slides over the hits: a new hit enters at
// its end, and hits leave at its start if they are more than window_words away, or if the same word occurs
// again later in the window. Counters per word tell how many distinct words and pairs are inside. After each
// hit the window is compared with the best one so far.
//
// A number is a hit only if value, unit and sign agree with the claim. All numbers are recorded, because
// those that differ may contradict the claim. Cost: one lookup per word; each hit is added and removed once.
#include "check/reference_scan.hpp"

namespace citestream::check_detail {
namespace {

/// Two words of the claim are neighbours in a reference if at most this many other words are between them.
constexpr std::size_t max_gap = 5;

/// The window that slides over the hits of one reference.
class sliding_window {
 public:
  sliding_window(scan& seen, std::size_t words) : seen_(seen), first_(seen.hits.size()) {
    seen.in_window.assign(words, 0);
    seen.pairs_in_window.assign(words, 0);
    best_.first = best_.last = first_;
  }

  /// Adds the last hit of `hits`.
  void take() {
    const hit& newest = seen_.hits.back();
    words_ += seen_.in_window[newest.word]++ == 0 ? 1U : 0U;
    if (newest.pair_of != no_word) pairs_ += seen_.pairs_in_window[newest.pair_of]++ == 0 ? 1U : 0U;
    // A word that occurs again later in the window is not needed at its start.
    while (newest.place - oldest().place >= window_words || seen_.in_window[oldest().word] > 1) leave();
    note(newest.place);
  }

  [[nodiscard]] const window& best() const noexcept { return best_; }

 private:
  [[nodiscard]] const hit& oldest() const noexcept { return seen_.hits[first_]; }

  void leave() {
    const hit& gone = oldest();
    words_ -= --seen_.in_window[gone.word] == 0 ? 1U : 0U;
    if (gone.pair_of != no_word) pairs_ -= --seen_.pairs_in_window[gone.pair_of] == 0 ? 1U : 0U;
    ++first_;
  }

  void note(std::size_t place) {
    const std::size_t length = place - oldest().place;
    const bool better = words_ != best_.words   ? words_ > best_.words
                        : pairs_ != best_.pairs ? pairs_ > best_.pairs
                                                : length < best_length_;
    if (!better) return;
    best_ = {first_, seen_.hits.size(), words_, pairs_};
    best_length_ = length;
  }

  scan& seen_;
  std::size_t first_;
  std::size_t words_{};
  std::size_t pairs_{};
  window best_;
  std::size_t best_length_{};
};

}  // namespace

bool same_sign(const claim_words& claim, const number& claimed, std::string_view reference,
               const number& seen, std::size_t place) noexcept {
  constexpr std::size_t around = 64;  // bytes on either side to search for words of decline
  if (claimed.negative == seen.negative) return true;
  if (seen.negative) return claim.declines();
  const std::size_t from = place > around ? place - around : 0;
  return says_decline(reference.substr(from, place - from + around));
}

window scan_reference(const claim_words& claim, std::string_view reference, scan& out) {
  const std::span<const content_word> words = claim.all();
  sliding_window sliding(out, words.size());
  word_reader reader(reference, claim.starts());
  const std::size_t first = out.hits.size();
  for (word seen; reader.next(seen);) {
    std::uint32_t index = claim.find(seen, reader);
    if (seen.kind == word::form::number) {
      if (index != no_word && (!words[index].value.agrees(seen.value) ||
                               !same_sign(claim, words[index].value, reference, seen.value, seen.begin))) {
        index = no_word;  // only the digits are the same
      }
      out.numbers.push_back({seen.place, seen.begin, seen.end, out.hits.size(), index, seen.value});
    }
    if (index == no_word) continue;
    hit found{seen.place, seen.begin, seen.end, index, no_word};
    if (out.hits.size() > first) {
      const hit& before = out.hits.back();
      if (seen.place - before.place <= max_gap + 1 && words[before.word].follower == index)
        found.pair_of = before.word;
    }
    out.hits.push_back(found);
    sliding.take();
  }
  return sliding.best();
}

}  // namespace citestream::check_detail
