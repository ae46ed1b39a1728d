// How the evidence sentence is found.
//
// The hits of a reference are in the order of its text. best_sentence() starts at the first hit that is in no
// sentence yet, finds the end of its sentence, and counts the distinct words of the claim among the hits up
// to there. `seen_in` holds, for each word of the claim, the last sentence that had it, so counting needs no
// set and is not cleared between sentences.
//
// If the line of the sentence is a row of a table (is_table_row()), the whole table is the evidence. What is
// returned is cut to max_evidence_bytes, so the rules cost no more for a reference without a sentence end.
// Linear in the hits and in the table.
#include "check/evidence.hpp"

#include <algorithm>

#include "check/table_row.hpp"

namespace citestream::check_detail {
namespace {

/// Returns the line that has the byte \p at, without its line feed.
[[nodiscard]] byte_range line_at(const reference_words& reference, std::size_t at) noexcept {
  const std::string_view text = reference.text();
  std::size_t begin = reference.sentence_start(at + 1);
  while (begin > 0 && text[begin - 1] != '\n') begin = reference.sentence_start(begin);
  return {begin, std::min(text.find('\n', at), text.size())};
}

/// Extends a row of a table to the whole table, or to about max_evidence_bytes of it in each direction.
[[nodiscard]] byte_range table_around(const reference_words& reference, byte_range row) noexcept {
  const std::string_view text = reference.text();
  byte_range out = row;
  while (out.begin > 0 && row.begin - out.begin < max_evidence_bytes) {
    const byte_range above = line_at(reference, out.begin - 1);
    if (!is_table_row(text, above.begin)) break;
    out.begin = above.begin;
  }
  while (out.end < text.size() && out.end - row.end < max_evidence_bytes) {
    const byte_range below = line_at(reference, out.end + 1);
    if (!is_table_row(text, below.begin)) break;
    out.end = below.end;
  }
  return out;
}

/// Returns the sentence with most words of the claim, and of several the shortest.
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

byte_range evidence_of(const reference_words& reference, std::span<const hit> hits, std::size_t best_begin,
                       std::span<std::size_t> seen_in) {
  const byte_range best = best_sentence(reference, hits, seen_in);
  const byte_range line = line_at(reference, best.begin);
  byte_range out;
  if (is_table_row(reference.text(), line.begin)) {
    out = table_around(reference, line);
  } else {
    out = {reference.sentence_start(best.begin), reference.sentence_end(best.end)};
  }
  if (out.end - out.begin <= max_evidence_bytes) return out;
  const std::size_t middle = best_begin >= best.begin && best_begin < best.end ? best_begin : best.begin;
  const std::size_t before = max_evidence_bytes / 4;
  out.begin = std::max(out.begin, middle > before ? middle - before : 0);
  out.end = std::min(out.end, out.begin + max_evidence_bytes);
  return out;
}

}  // namespace citestream::check_detail
