// How a reference is read.
//
// An answer often cites a reference several times. What does not depend on the claim is read once: each word
// with its place and the hash of its stem, the numbers, and where sentences end. The words are linked in
// buckets by hash, so that a claim finds its words without reading the others. What the rules about
// contradictions need to know about words is read only for the sentences that are the evidence of a claim.
//
// References are found by their text, so nothing has to be known about their owner. Finding one among those
// kept compares sizes first. Cost: linear in the text for the first claim; for later ones one comparison of
// the text and a lookup for each word of the claim.
#include "check/reference_words.hpp"

#include <algorithm>
#include <bit>

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

}  // namespace

void reference_words::read(std::string_view text, language in, const word_hash& hash) {
  text_.assign(text.substr(0, std::numeric_limits<std::uint32_t>::max()));
  language_ = in;
  hash_ = hash;
  words_.clear();
  numbers_.clear();
  sentence_ends_.clear();
  parts_read_ = 0;
  for (evidence_words& each : parts_) each.place = {};
  word_reader reader(text_, in);
  std::size_t at = 0;  // sentence ends are known up to here
  for (word seen; reader.next(seen);) {
    add(seen, reader);
    // Only white space between words, or in a number, can end a sentence.
    const std::size_t until = seen.kind == word::form::number ? seen.end : seen.begin;
    for (; at < until; ++at) {
      if (text_[at] <= ' ' && ends_before(text_, at + 1)) sentence_ends_.push_back(at + 1);
    }
    at = std::max(at, seen.end);
  }
  for (; at < text_.size(); ++at) {
    if (ends_before(text_, at + 1)) sentence_ends_.push_back(at + 1);
  }
  index();
}

void reference_words::add(const word& seen, word_reader& reader) {
  reference_word out{static_cast<std::uint32_t>(seen.begin), static_cast<std::uint32_t>(seen.end), none, none,
                     0};
  if (seen.kind == word::form::number) {
    out.hash = hash_(seen.value);
    out.number = static_cast<std::uint32_t>(numbers_.size());
    numbers_.push_back({words_.size(), seen.begin, seen.end, seen.value});
  } else {
    auto& bytes = reader.bytes();
    const bool plain = seen.kind == word::form::plain;
    out.hash = hash_({bytes.data(), plain ? stem({bytes.data(), seen.size}, language_) : seen.size});
  }
  words_.push_back(out);
}

/// Links the words of each bucket in their order.
void reference_words::index() {
  buckets_.assign(std::bit_ceil(words_.size() + 1), none);
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

evidence_words& reference_words::part(const byte_range& place) {
  const auto known = std::ranges::find(parts_, place, &evidence_words::place);
  if (known != parts_.end()) return *known;
  if (parts_read_ == parts_.size() && parts_.size() < max_evidence_parts) parts_.emplace_back();
  evidence_words& out = parts_[parts_read_++ % parts_.size()];
  out.place = place;
  const std::string_view text = std::string_view(text_).substr(place.begin, place.end - place.begin);
  out.negates = read_text_words(text, language_, hash_, max_evidence_words, out.words);
  return out;
}

reference_words& kept_references::find(std::string_view text, language in) {
  for (reference_words& each : kept_) {
    if (each.text() == text && each.spoken() == in) return each;
  }
  std::list<reference_words> reused;  // the memory of the last one that is dropped
  while (!kept_.empty() && (bytes_ + text.size() > max_bytes || kept_.size() >= max_count)) {
    bytes_ -= kept_.front().text().size();
    reused.clear();
    reused.splice(reused.end(), kept_, kept_.begin());
  }
  if (reused.empty()) reused.emplace_back();
  kept_.splice(kept_.end(), reused);
  reference_words& out = kept_.back();
  out.read(text, in, hash_);
  bytes_ += out.text().size();
  return out;
}

}  // namespace citestream::check_detail
