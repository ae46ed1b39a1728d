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
//
// excerpt_of() takes the best sentence among the hits. If its line is a row of a table (is_table_row()), the
// whole table is the excerpt. What is returned is cut to max_excerpt_bytes, so the rules cost no more for a
// reference without a sentence end.
#include "check/reference_scan.hpp"

#include <algorithm>
#include <bit>

#include "check/table_row.hpp"

namespace citestream::check_detail {
namespace {

/// Two words of the claim are neighbours in a reference if at most this many other words are between them.
constexpr std::size_t max_gap = 5;
/// The length of a window, in words of the reference. 60 to 100 give similar results.
constexpr std::size_t window_words = 80;

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

/// Returns the line that has the byte \p at, without its line feed.
[[nodiscard]] byte_range line_at(const reference_words& reference, std::size_t at) noexcept {
  const std::string_view text = reference.text();
  std::size_t begin = reference.sentence_start(at + 1);
  while (begin > 0 && text[begin - 1] != '\n') begin = reference.sentence_start(begin);
  return {begin, std::min(text.find('\n', at), text.size())};
}

/// Extends a row of a table to the whole table, or to about max_excerpt_bytes of it in each direction.
[[nodiscard]] byte_range table_around(const reference_words& reference, byte_range row) noexcept {
  const std::string_view text = reference.text();
  byte_range out = row;
  while (out.begin > 0 && row.begin - out.begin < max_excerpt_bytes) {
    const byte_range above = line_at(reference, out.begin - 1);
    if (!is_table_row(text, above.begin)) break;
    out.begin = above.begin;
  }
  while (out.end < text.size() && out.end - row.end < max_excerpt_bytes) {
    const byte_range below = line_at(reference, out.end + 1);
    if (!is_table_row(text, below.begin)) break;
    out.end = below.end;
  }
  return out;
}

/// Returns the sentence with most words of the claim, and of several the shortest. Each sentence starts at a
/// hit that is in no sentence yet, and has the hits up to its end. `seen_in` holds, for each word of the
/// claim, the last sentence that had it, so counting needs no set and is not cleared between sentences.
[[nodiscard]] byte_range best_sentence(const reference_words& reference, std::span<const hit> hits,
                                       std::span<std::size_t> seen_in) {
  byte_range best{0, 0};
  std::size_t most = 0;
  std::size_t sentence = 0;
  std::fill(seen_in.begin(), seen_in.end(), 0);
  for (std::size_t h = 0; h < hits.size();) {
    ++sentence;
    const std::size_t first = hits[h].begin;
    const std::size_t end = reference.sentence_end(first);
    std::size_t words = 0;
    for (; h < hits.size() && hits[h].begin < end; ++h) {
      std::size_t& known = seen_in[hits[h].word];
      words += known != sentence ? 1 : 0;
      known = sentence;
    }
    if (words < most) continue;
    const std::size_t begin = reference.sentence_start(first + 1);
    if (words == most && end - begin >= best.end - best.begin) continue;
    most = words;
    best = {begin, end};
  }
  return best;
}

}  // namespace

bool same_sign(const claim_words& claim, const number& claimed, std::string_view reference,
               const number& seen, std::size_t place) noexcept {
  constexpr std::size_t around = 64;  // bytes on either side to search for words of decline
  if (claimed.negative == seen.negative) return true;
  if (seen.negative) return claim.declines();
  const std::size_t from = place > around ? place - around : 0;
  return mentions_decline(reference.substr(from, place - from + around), claim.in_language());
}

reference_hits scan_reference(const claim_words& claim, const reference_words& reference, scan& out) {
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
  return {first, out.hits.size(), sliding.best()};
}

byte_range excerpt_of(const reference_words& reference, std::span<const hit> hits, std::size_t best_begin,
                      std::span<std::size_t> seen_in) {
  const byte_range best = best_sentence(reference, hits, seen_in);
  const byte_range line = line_at(reference, best.begin);
  byte_range out;
  if (is_table_row(reference.text(), line.begin)) {
    out = table_around(reference, line);
  } else {
    out = {reference.sentence_start(best.begin), reference.sentence_end(best.end)};
  }
  if (out.end - out.begin <= max_excerpt_bytes) return out;
  const std::size_t middle = best_begin >= best.begin && best_begin < best.end ? best_begin : best.begin;
  const std::size_t before = max_excerpt_bytes / 4;
  out.begin = std::max(out.begin, middle > before ? middle - before : 0);
  out.end = std::min(out.end, out.begin + max_excerpt_bytes);
  return out;
}

}  // namespace citestream::check_detail
