// How the vocabulary is stored: all of lexicon_tables.hpp is one hash table, built on first use and never
// changed.
#include "check/lexicon.hpp"

#include <algorithm>
#include <span>

#include "check/lexicon_tables.hpp"
#include "check/vocabulary.hpp"
#include "check/word_hash.hpp"
#include "check/words.hpp"

namespace citestream::check_detail {
namespace {

constexpr word_hash hash_of(0x243F6A8885A308D3U);

/// Returns the hash, never 0, of a word with this seed. Each kind of entry has its own seed.
[[nodiscard]] std::uint32_t seeded(std::uint64_t hash, std::uint32_t seed) noexcept {
  hash = (hash ^ seed) * 0x9E3779B97F4A7C15U;
  return static_cast<std::uint32_t>(hash >> 32U) | 1U;
}

/// What an entry is about: a function word, a content word, the other sense of a word, or the languages in
/// which a word is a stop word.
enum class entry : std::uint32_t { function = 0, content = 0x100, other = 0x200, stop = 0x300 };

[[nodiscard]] constexpr std::uint32_t seed_of(entry kind, language in = language::english) noexcept {
  return static_cast<std::uint32_t>(kind) + static_cast<std::uint32_t>(in);
}

using word_bytes = std::array<char, word_reader::max_word_bytes>;

/// Returns the stem of a word of the tables, which is written to \p bytes.
[[nodiscard]] std::string_view stem_of(std::string_view word, language in, word_bytes& bytes) noexcept {
  std::copy(word.begin(), word.end(), bytes.begin());
  return {bytes.data(), stem({bytes.data(), word.size()}, in)};
}

}  // namespace

lexicon::lexicon() noexcept {
  for (const lexicon_tables::function_row& row : lexicon_tables::function_words) {
    for (std::string_view rest = row.words; !rest.empty();) {
      const std::string_view word = take_until(rest, " ");
      add(word, seed_of(entry::function, row.in), row.sense);
      if (row.sense.stop) note_stop(word, static_cast<std::uint32_t>(row.in));
    }
  }
  word_bytes bytes{};
  for (std::size_t i = 0; i < known_languages.size(); ++i) {
    const language in = known_languages[i];
    for (std::string_view rest = lexicon_tables::undoing_words[i]; !rest.empty();)
      add(stem_of(take_until(rest, " "), in, bytes), seed_of(entry::content, in),
          {.role = word_role::undoing});
  }
  std::uint32_t next = static_cast<std::uint32_t>(language::other);
  for (std::string_view rest : lexicon_tables::other_stop_words) {
    while (!rest.empty()) note_stop(take_until(rest, " "), next);
    ++next;
  }
  std::uint16_t class_id = 0;
  for (const lexicon_tables::class_run& run : lexicon_tables::classes) {
    for (std::string_view classes = run.classes; !classes.empty();) {
      ++class_id;
      std::string_view members = take_until(classes, "; ");
      for (std::uint8_t index = 0; !members.empty(); ++index) {
        std::string_view rest = take_until(members, "|");
        const bool customary = rest.starts_with('/');  // `inch`: a unit of this kind, but no power of ten
        if (customary) rest.remove_prefix(1);
        const class_member of{class_id, index, run.type.rule, customary ? class_kind::plain : run.type.kind};
        while (!rest.empty()) add_member(take_until(rest, " "), run.in, of);
      }
    }
  }
  add_synonyms();
}

/// Returns the slot of a word, or the empty slot where it belongs.
const lexicon::slot& lexicon::find(std::uint64_t word_hash, std::uint32_t seed) const noexcept {
  const std::uint32_t hash = seeded(word_hash, seed);
  std::size_t at = (hash >> 1U) % size;
  while (slots_[at].hash != hash && slots_[at].hash != 0) at = (at + 1) % size;
  return slots_[at];
}

/// Returns the slot of a word, which it then has.
lexicon::slot& lexicon::slot_of(std::string_view word, std::uint32_t seed) noexcept {
  slot& out = slots_[static_cast<std::size_t>(&find(hash_of(word), seed) - slots_.data())];
  used_ += out.hash == 0 ? 1U : 0U;
  out.hash = seeded(hash_of(word), seed);
  return out;
}

/// Notes that a word is a stop word in the language with this number.
void lexicon::note_stop(std::string_view word, std::uint32_t number) noexcept {
  slot_of(word, seed_of(entry::stop)).stop_languages |= static_cast<std::uint8_t>(1U << number);
}

/// Adds what \p sense says to what is known about a word. The first kind and the last role count.
void lexicon::add(std::string_view word, std::uint32_t seed, const word_sense& sense) noexcept {
  slot& known = slot_of(word, seed);
  known.sense.stop = known.sense.stop || sense.stop;
  known.sense.count = std::max(known.sense.count, sense.count);
  if (sense.rounds != rounding::none) known.sense.rounds = sense.rounds;
  if (sense.role != word_role::none) known.sense.role = sense.role;
  if (known.sense.member.class_id == 0) known.sense.member = sense.member;
}

void lexicon::add_member(std::string_view word, language in, const class_member& of) noexcept {
  const word_sense sense{of};
  word_bytes bytes{};
  const std::string_view stemmed = stem_of(word, in, bytes);
  const bool taken = find(hash_of(stemmed), seed_of(entry::content, in)).sense.member.class_id != 0;
  if (((word == "most" || word == "least") && of.kind == class_kind::amount) ||
      (of.rule == contradiction_rule::unit && (taken || word.size() == 1))) {
    add(word, seed_of(entry::other, in), sense);
  } else if (find(hash_of(word), seed_of(entry::function, in)).hash != 0) {
    add(word, seed_of(entry::function, in), sense);
  } else {
    add(stemmed, seed_of(entry::content, in), sense);
  }
}

/// Adds to the synonyms (same_meaning()) of words for a change, a transfer or a ban what is known about
/// these. The nouns of other opposites often say nothing: the `height` of a low house.
void lexicon::add_synonyms() noexcept {
  word_bytes bytes{};
  for (const lexicon_tables::class_run& run : lexicon_tables::classes) {
    if (run.type.kind != class_kind::change && run.type.kind != class_kind::transfer &&
        run.type.kind != class_kind::ban)
      continue;
    for (std::string_view rest = run.classes; !rest.empty();) {
      const std::size_t length = std::min(rest.find_first_of(" ;|"), rest.size());
      const std::string_view stemmed = stem_of(rest.substr(0, length), run.in, bytes);
      rest.remove_prefix(std::min(length + 1, rest.size()));
      const word_sense sense{content_word(stemmed, run.in).member};
      for (const std::string_view other : same_meaning(stemmed, run.in))
        add(other, seed_of(entry::content, run.in), sense);
    }
  }
}

const lexicon& lexicon::shared() noexcept {
  static const lexicon words;
  return words;
}

word_sense lexicon::function_word(std::string_view folded, language in) const noexcept {
  return find(hash_of(folded), seed_of(entry::function, in)).sense;
}

word_sense lexicon::content_word(std::string_view stem, language in) const noexcept {
  return find(hash_of(stem), seed_of(entry::content, in)).sense;
}

word_sense lexicon::other_sense(std::string_view folded, language in) const noexcept {
  return find(hash_of(folded), seed_of(entry::other, in)).sense;
}

std::uint8_t lexicon::stop_languages(std::string_view folded) const noexcept {
  return find(hash_of(folded), seed_of(entry::stop)).stop_languages;
}

}  // namespace citestream::check_detail
