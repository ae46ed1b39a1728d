// How the evidence sentence is found.
//
// The hits of a reference are in the order of its text. best_sentence() starts at the first hit that is in no
// sentence yet, finds the end of its sentence, and counts the distinct words of the claim among the hits up
// to there. `seen_in` holds, for each word of the claim, the last sentence that had it, so counting needs no
// set and is not cleared between sentences.
//
// A sentence ends at a line feed, or at `.`, `!` or `?` before white space. A line with a bar is a row of a
// table, and the whole table is the evidence. What is returned is cut to max_evidence_bytes, so the rules
// cost no more for a reference without a sentence end. The start of a sentence is looked for only if it may
// be the best one so far: linear in the reference.
#include "check/evidence.hpp"

#include <algorithm>
#include <array>

namespace citestream::check_detail {
namespace {

/// Returns true if a sentence ends before the byte \p at.
[[nodiscard]] bool ends_before(std::string_view text, std::size_t at) noexcept {
  const char before = text[at - 1];
  if (before == '\n') return true;
  if (before != ' ' && before != '\t' && before != '\r') return false;
  if (at < 2) return false;
  const char mark = text[at - 2];
  return mark == '.' || mark == '!' || mark == '?';
}

/// Returns where the sentence that contains the byte before \p at starts.
[[nodiscard]] std::size_t sentence_start(std::string_view text, std::size_t at) noexcept {
  if (at > 0) --at;
  while (at > 0 && !ends_before(text, at)) --at;
  return at;
}

/// Bytes at which a sentence may end.
constexpr std::array<bool, 256> make_marks() noexcept {
  std::array<bool, 256> out{};
  for (const char c : {'\n', '.', '!', '?'}) out[static_cast<unsigned char>(c)] = true;
  return out;
}
constexpr std::array<bool, 256> marks = make_marks();

/// Returns where the sentence that contains the byte \p at ends.
[[nodiscard]] std::size_t sentence_end(std::string_view text, std::size_t at) noexcept {
  for (std::size_t mark = at > 0 ? at - 1 : 0; mark < text.size(); ++mark) {
    if (!marks[static_cast<unsigned char>(text[mark])]) continue;
    for (std::size_t end = std::max(mark, at) + 1; end <= mark + 2 && end <= text.size(); ++end) {
      if (ends_before(text, end)) return end;
    }
  }
  return text.size();
}

/// Returns the line that has the byte \p at, without its line feed.
[[nodiscard]] evidence_range line_at(std::string_view text, std::size_t at) noexcept {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return {before == std::string_view::npos ? 0 : before + 1, std::min(text.find('\n', at), text.size())};
}

[[nodiscard]] bool is_row(std::string_view text, const evidence_range& line) noexcept {
  return text.substr(line.begin, line.end - line.begin).find('|') != std::string_view::npos;
}

/// Extends a row of a table to the whole table, or to about max_evidence_bytes of it in each direction.
[[nodiscard]] evidence_range table_around(std::string_view text, evidence_range row) noexcept {
  evidence_range out = row;
  while (out.begin > 0 && row.begin - out.begin < max_evidence_bytes) {
    const evidence_range above = line_at(text, out.begin - 1);
    if (!is_row(text, above)) break;
    out.begin = above.begin;
  }
  while (out.end < text.size() && out.end - row.end < max_evidence_bytes) {
    const evidence_range below = line_at(text, out.end + 1);
    if (!is_row(text, below)) break;
    out.end = below.end;
  }
  return out;
}

/// Returns the sentence with most words of the claim, and of several the shortest.
[[nodiscard]] evidence_range best_sentence(std::string_view reference, std::span<const hit> hits,
                                           std::span<std::size_t> seen_in) {
  evidence_range best{0, 0};
  std::size_t most = 0;
  std::size_t sentence = 0;
  std::fill(seen_in.begin(), seen_in.end(), 0);
  for (std::size_t h = 0; h < hits.size();) {
    ++sentence;
    const std::size_t first = hits[h].begin;
    const std::size_t end = sentence_end(reference, first);
    std::size_t words = 0;
    for (; h < hits.size() && hits[h].begin < end; ++h) {
      std::size_t& known = seen_in[hits[h].word];
      words += known != sentence ? 1 : 0;
      known = sentence;
    }
    if (words < most) continue;
    const std::size_t begin = sentence_start(reference, first + 1);
    if (words == most && end - begin >= best.end - best.begin) continue;
    most = words;
    best = {begin, end};
  }
  return best;
}

}  // namespace

evidence_range evidence_of(std::string_view reference, std::span<const hit> hits, std::size_t best_begin,
                           std::span<std::size_t> seen_in) {
  const evidence_range best = best_sentence(reference, hits, seen_in);
  const evidence_range line = line_at(reference, best.begin);
  evidence_range out;
  if (is_row(reference, line)) {
    out = table_around(reference, line);
  } else {
    out = {sentence_start(reference, best.begin), sentence_end(reference, best.end)};
  }
  if (out.end - out.begin <= max_evidence_bytes) return out;
  const std::size_t middle = best_begin >= best.begin && best_begin < best.end ? best_begin : best.begin;
  const std::size_t before = max_evidence_bytes / 4;
  out.begin = std::max(out.begin, middle > before ? middle - before : 0);
  out.end = std::min(out.end, out.begin + max_evidence_bytes);
  return out;
}

}  // namespace citestream::check_detail
