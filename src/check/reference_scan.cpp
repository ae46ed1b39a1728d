// How a reference is scanned.
//
// Each word of the claim is looked up among the words of the reference. Its occurrences are marked in a bit
// set, which puts those of all words in the order of the text. A window slides over these hits: a new hit
// enters at its end, and hits leave at its start if they are more than window_words away, or if the same word
// occurs again later in the window. Counters per word tell how many distinct words and pairs are inside.
// After each hit the window is compared with the best one so far.
//
// A number is a hit only if value, unit and sign agree with the claim. Cost: one lookup for each word of the
// claim; one bit for each word of the reference; each hit is added and removed once.
#include "check/reference_scan.hpp"

#include <bit>

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

/// Returns true if the number \p seen of the reference is the claim's \p claimed, not only its digits.
[[nodiscard]] bool same_number(const claim_words& claim, const number& claimed,
                               const reference_words& reference, const reference_number& seen) noexcept {
  return claimed.agrees(seen.value) && same_sign(claim, claimed, reference.text(), seen.value, seen.begin);
}

/// Marks the words of the reference that the claim has, too.
void mark_words(const claim_words& claim, const reference_words& reference, scan& out) {
  const std::span<const reference_word> words = reference.words();
  out.found.assign(words.size() / 64 + 1, 0);
  if (out.found_as.size() < words.size()) out.found_as.resize(words.size());
  for (const claim_words::hashed_word& each : claim.hashes()) {
    for (std::uint32_t i = reference.first_like(each.hash); i != reference_word::none; i = words[i].next) {
      if (words[i].hash != each.hash) continue;
      if (words[i].number != reference_word::none &&
          !same_number(claim, claim.all()[each.index].value, reference,
                       reference.numbers()[words[i].number])) {
        continue;
      }
      out.found[i / 64] |= std::uint64_t{1} << i % 64;
      out.found_as[i] = each.index;
    }
  }
}

}  // namespace

bool same_sign(const claim_words& claim, const number& claimed, std::string_view reference,
               const number& seen, std::size_t place) noexcept {
  constexpr std::size_t around = 64;  // bytes on either side to search for words of decline
  if (claimed.negative == seen.negative) return true;
  if (seen.negative) return claim.declines();
  const std::size_t from = place > around ? place - around : 0;
  return says_decline(reference.substr(from, place - from + around));
}

window scan_reference(const claim_words& claim, const reference_words& reference, scan& out) {
  const std::span<const content_word> words = claim.all();
  mark_words(claim, reference, out);
  sliding_window sliding(out, words.size());
  const std::size_t first = out.hits.size();
  for (std::size_t part = 0; part < out.found.size(); ++part) {
    for (std::uint64_t left = out.found[part]; left != 0; left &= left - 1) {
      const std::size_t place = part * 64 + static_cast<std::size_t>(std::countr_zero(left));
      const reference_word& seen = reference.words()[place];
      hit found{place, seen.begin, seen.end, out.found_as[place], no_word};
      if (out.hits.size() > first) {
        const hit& before = out.hits.back();
        if (place - before.place <= max_gap + 1 && words[before.word].follower == found.word)
          found.pair_of = before.word;
      }
      out.hits.push_back(found);
      sliding.take();
    }
  }
  return sliding.best();
}

}  // namespace citestream::check_detail
