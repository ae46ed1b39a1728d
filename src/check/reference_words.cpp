// How a reference is read.
//
// An answer often cites a reference several times. What does not depend on the claim is read once: each word
// with its place and the hash of its stem, the numbers, and where sentences end. The words are linked in
// buckets by hash, so that a claim finds its words without reading the others. What the rules about
// contradictions need to know about words is read only for the sentences that are the excerpt of a claim.
//
// Cached references are looked up by their text, so callers need no handles. Finding one among those
// kept compares hashes of sizes and last bytes first. Cost: linear in the text for the first claim; for later
// ones one comparison of the text and a lookup for each word of the claim.
#include "check/reference_words.hpp"

#include <algorithm>
#include <bit>

#include "check/soft_break.hpp"

namespace citestream::check_detail {
namespace {

/// Returns true if the byte \p at ends a sentence.
[[nodiscard]] inline bool ends_sentence(std::string_view text, std::size_t at, language in) noexcept {
  const char c = text[at];
  if (c > ' ' || c < 0) return false;
  if (c == '\n') return true;
  if (at == 0 || (c != ' ' && c != '\t' && c != '\r')) return false;
  const char mark = text[at - 1];
  return mark == '!' || mark == '?' || (mark == '.' && !is_inner_dot(text, at - 1, in));
}

}  // namespace

void reference_words::assign(std::string_view text) {
  given_.assign(text.substr(0, std::numeric_limits<std::uint32_t>::max()));
  join_lines(given_, text_);
  languages_.reset();
  language_.reset();
}

const language_count& reference_words::languages() {
  if (!languages_) languages_.emplace(text_);
  return *languages_;
}

void reference_words::read(language in, const word_hash& hash) {
  if (language_ == in) return;
  language_ = in;
  hash_ = hash;
  words_.clear();
  numbers_.clear();
  sentence_ends_.clear();
  excerpts_read_ = 0;
  for (excerpt_words& each : excerpts_) each.place = {};
  const std::string_view all = text_;
  word_reader reader(all, in);
  std::size_t at = 0;  // sentence ends are known up to here
  for (word seen;;) {
    const bool more = reader.next(seen);
    const bool number = more && seen.kind == word::form::number;
    // Only white space between words, or in a number, can end a sentence.
    for (const std::size_t until = !more ? all.size() : number ? seen.end : seen.begin; at < until; ++at) {
      if (ends_sentence(all, at, in)) sentence_ends_.push_back(at + 1);
    }
    if (!more) break;
    at = std::max(at, seen.end);
    reference_word& out = words_.emplace_back();
    out.begin = static_cast<std::uint32_t>(seen.begin);
    out.end = static_cast<std::uint32_t>(seen.end);
    if (number) {
      out.hash = hash(seen.value);
      out.number = static_cast<std::uint32_t>(numbers_.size());
      numbers_.push_back({words_.size() - 1, seen.begin, seen.end, seen.value});
    } else {
      out.hash = hash(reader.stemmed(seen));
    }
  }
  index();
}

/// Links the words of each bucket in their order.
void reference_words::index() {
  buckets_.assign(std::bit_ceil(words_.size() + 1), reference_word::none);
  for (std::size_t i = words_.size(); i-- > 0;) {
    std::uint32_t& first = buckets_[words_[i].hash & (buckets_.size() - 1)];
    words_[i].next = first;
    first = static_cast<std::uint32_t>(i);
  }
}

std::size_t reference_words::sentence_start(std::size_t at) const noexcept {
  const auto next = std::ranges::lower_bound(sentence_ends_, at);
  return next == sentence_ends_.begin() ? 0 : *std::prev(next);
}

std::size_t reference_words::sentence_end(std::size_t at) const noexcept {
  const auto next = std::ranges::upper_bound(sentence_ends_, at);
  return next == sentence_ends_.end() ? text_.size() : *next;
}

excerpt_words& reference_words::excerpt(const byte_range& place) {
  const auto known = std::ranges::find(excerpts_, place, &excerpt_words::place);
  if (known != excerpts_.end()) return *known;
  if (excerpts_read_ == excerpts_.size() && excerpts_.size() < max_excerpts) excerpts_.emplace_back();
  excerpt_words& out = excerpts_[excerpts_read_++ % excerpts_.size()];
  out.place = place;
  const std::string_view text = std::string_view(text_).substr(place.begin, place.end - place.begin);
  read_text_words(text, language_.value_or(language::english), hash_, max_excerpt_words, out);
  return out;
}

reference_words& kept_references::find(std::string_view text) {
  constexpr std::size_t hashed = 32;  // bytes at the end of the text, where references differ most
  const std::uint64_t hash = hash_(text.substr(text.size() - std::min(text.size(), hashed))) ^ text.size();
  for (const kept& each : kept_) {
    if (each.hash == hash && each.words->is(text)) return *each.words;
  }
  std::unique_ptr<reference_words> words;  // the memory of the last one that is dropped
  while (!kept_.empty() && (bytes_ + text.size() > max_bytes || kept_.size() >= max_count)) {
    words = std::move(kept_.front().words);
    kept_.erase(kept_.begin());
    bytes_ -= words->text().size();
  }
  if (words == nullptr) words = std::make_unique<reference_words>();
  words->assign(text);
  bytes_ += words->text().size();
  return *kept_.emplace_back(kept{hash, std::move(words)}).words;
}

}  // namespace citestream::check_detail
