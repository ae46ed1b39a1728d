// How a claim is read.
//
// word_reader returns the words of the claim. Stop words are skipped, and what skipped_end() names: web
// addresses, citation marks (`[1]`), pages (`(p. 3)`), openers (`In summary,`) and the `US` of `US$`. Each
// other word is stemmed. The hashes of its stem and of all stems of the same meaning are inserted into a
// table, so that one lookup is enough for each word of a text. A number is inserted by value. Only the first
// occurrence of a word counts, so each word has one position and one follower. Two words with the same 64-bit
// hash are taken for one. The cost is linear in the bytes of the claim.
#include "check/claim_words.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/field_text.hpp"
#include "base/web_url.hpp"
#include "check/lead_in.hpp"
#include "check/lexicon.hpp"

namespace citestream::check_detail {
namespace {

/// Returns the end of the citation mark (`[1]`, `[1, 2]`, `[^3]`) whose first digit is at \p at, or \p at if
/// a number of the text is there.
[[nodiscard]] std::size_t citation_mark_end(std::string_view text, std::size_t at) noexcept {
  constexpr std::size_t max_inside = 32;
  if (at == 0) return at;
  const std::size_t open = at > 1 && text[at - 1] == '^' ? at - 2 : at - 1;
  if (text[open] != '[') return at;
  const std::string_view inside = text.substr(at, max_inside);
  const std::size_t size = inside.find_first_not_of("0123456789,-^ ");
  const bool closed = size != std::string_view::npos && size > 0 && inside[size] == ']';
  return closed ? at + size + 1 : at;
}

/// Returns the end of the web address at \p at, or \p at if another word is there.
[[nodiscard]] std::size_t web_address_end(std::string_view text, std::size_t at) noexcept {
  if (web_scheme(text.substr(at)).empty()) return at;
  return std::min(text.find_first_of(" \t\r\n)]>\"", at), text.size());
}

/// Returns the end of the page (`(p. 3)`, `(pages 4-7)`) that starts with the word at \p at, or \p at if
/// another word is there.
[[nodiscard]] std::size_t page_end(std::string_view text, std::size_t at) noexcept {
  constexpr std::size_t longest = 24;  // bytes
  static constexpr std::string_view names[] = {"p.",    "pp.",    "page", "pages", "s.",
                                               "seite", "seiten", "pág.", "página"};
  const std::size_t close = text.substr(at, longest).find(')');
  if (close == std::string_view::npos) return at;
  const std::string_view inside = text.substr(at, close);
  const std::size_t number = inside.find_first_of("0123456789");
  if (number == std::string_view::npos ||
      inside.find_first_not_of("0123456789,-– ", number) != std::string_view::npos)
    return at;
  return ascii::is_one_of(names, http::trim(inside.substr(0, number))) ? at + close : at;
}

/// Returns true if the word at \p begin starts a sentence. \p end_before: the end of the previous word, 0 for
/// the first one.
[[nodiscard]] bool starts_sentence(std::string_view claim, std::size_t end_before,
                                   std::size_t begin) noexcept {
  if (end_before == 0) return true;
  if (end_before >= begin) return false;  // the pairs of a script without spaces overlap
  const std::string_view between = claim.substr(end_before, begin - end_before);
  return between.find_first_of(".!?:;\n") != std::string_view::npos;
}

/// Returns true for words with capitals or digits inside, and for words with a first capital unless they
/// start a sentence. A word directly after a digit is a unit, not a name.
[[nodiscard]] bool is_name(std::string_view claim, const word& seen, bool starts) noexcept {
  const bool unit = seen.begin > 0 && ascii::is_digit(claim[seen.begin - 1]);
  return !unit && (seen.inner_capital || (seen.capital && !starts));
}

}  // namespace

std::size_t skipped_end(std::string_view text, std::size_t at) noexcept {
  const char before = at > 0 ? text[at - 1] : ' ';
  std::size_t end = at;
  if (before == '[' || before == '^') end = citation_mark_end(text, at);
  if (before == '(') end = page_end(text, at);
  if (end == at && text.substr(at).starts_with("US$")) end = at + 2;
  if (end == at) end = opener_end(text, at);
  return end == at ? web_address_end(text, at) : end;
}

bool is_prefix(std::string_view folded, std::string_view after, language in) noexcept {
  if (folded != "non" || after.size() < 2) return false;
  return after[0] == '-' || (in == language::french && after[0] == ' ');
}

std::uint32_t claim_words::find(std::uint64_t hash) const noexcept {
  return by_hash_.find(hash, [](std::uint32_t) { return true; });
}

void claim_words::insert(std::uint64_t hash, std::uint32_t index) {
  if (find(hash) != no_word) return;
  by_hash_.insert(hash, index);
  hashes_.push_back({hash, index});
}

void claim_words::clear() {
  words_.clear();
  by_hash_.clear();
  hashes_.clear();
  pairs_ = 0;
}

/// Adds the word that \p reader has just read, unless it is known. \return its index, or no_word for a stop
/// word
std::uint32_t claim_words::add(const word& seen, word_reader& reader) {
  const auto next = static_cast<std::uint32_t>(words_.size());
  if (seen.kind == word::form::number) {
    const std::uint64_t hash = hash_(seen.value);
    if (const std::uint32_t known = find(hash); known != no_word) return known;
    insert(hash, next);
    words_.push_back({.begin = seen.begin,
                      .end = seen.end,
                      .number = true,
                      .change = before_.by,
                      .rounds = rounding_at(seen.begin),
                      .value = seen.value});
    before_ = {};
    return next;
  }
  if (seen.kind == word::form::plain) {
    const std::string_view folded = reader.folded(seen);
    const word_sense sense = find_function_word(folded, vocabulary_of(language_));
    note(sense);
    if (sense.stop || is_prefix(folded, claim_.substr(seen.end), language_)) return no_word;
  }
  const std::string_view stemmed = reader.stemmed(seen);
  if (const std::uint32_t known = find(hash_(stemmed)); known != no_word) return known;
  insert(hash_(stemmed), next);
  for (const std::string_view other : same_meaning(stemmed, vocabulary_of(language_))) {
    if (other != stemmed) insert(hash_(other), next);
  }
  words_.push_back({.begin = seen.begin, .end = seen.end});
  return next;
}

/// Remembers what a word says about a number after it.
void claim_words::note(const word_sense& sense) noexcept {
  constexpr std::uint8_t reach = 2;  // words: "more than 500"
  if (sense.rounds != rounding::none) {
    before_.rounds = sense.rounds;
    before_.reach = reach;
  } else if (before_.reach > 0) {
    --before_.reach;
    if (before_.reach == 0) before_.rounds = rounding::none;
  }
  before_.by = sense.member.rule == contradiction_rule::direction && sense.member.index == members::by;
}

/// Returns what the claim says about the exactness of the number at \p begin.
rounding claim_words::rounding_at(std::size_t begin) const noexcept {
  const std::string_view before = claim_.substr(0, begin);
  return before.ends_with("~") || before.ends_with("≈") ? rounding::about : before_.rounds;
}

/// Makes \p index the follower of the word before it.
void claim_words::follow(std::uint32_t before, std::uint32_t index) noexcept {
  if (before == no_word || before == index || words_[before].follower != no_word) return;
  words_[before].follower = index;
  ++pairs_;
}

void claim_words::read(std::string_view claim, language in) {
  clear();
  claim_ = claim;
  language_ = in;
  declines_.reset();
  before_ = {};
  word_reader reader(claim, in);
  std::uint32_t before = no_word;
  std::size_t end_before = 0;
  // The capitalised word that starts the current sentence, if it was the last word. It is a name only if the
  // next word has a capital too.
  std::uint32_t first_of_sentence = no_word;
  for (word seen; reader.next(seen);) {
    if (const std::size_t end = skipped_end(claim, seen.begin); end != seen.begin) {
      reader.skip_to(end);
      continue;
    }
    const bool starts = starts_sentence(claim, end_before, seen.begin);
    const bool adjoins = seen.begin - end_before == 1;
    end_before = seen.end;
    const std::size_t known = words_.size();
    const std::uint32_t index = add(seen, reader);
    if (index == no_word) {
      first_of_sentence = no_word;
      continue;
    }
    const bool spelled = seen.kind == word::form::plain || seen.kind == word::form::month;
    const bool capital = spelled && seen.capital;
    if (index == known) {
      words_[index].name = spelled && is_name(claim, seen, starts);
      words_[index].first = capital && starts;
    }
    if (capital && adjoins && !starts && first_of_sentence != no_word) words_[first_of_sentence].name = true;
    first_of_sentence = capital && starts ? index : no_word;
    follow(before, index);
    before = index;
  }
}

bool claim_words::declines() const noexcept {
  if (!declines_) declines_ = mentions_decline(claim_, language_);
  return *declines_;
}

}  // namespace citestream::check_detail
