// How the vocabulary is stored: all of lexicon_tables.hpp is one hash table, built on first use and never
// changed.
#include "check/lexicon.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "check/lexicon_tables.hpp"
#include "check/vocabulary.hpp"
#include "check/word_hash.hpp"
#include "check/words.hpp"

namespace citestream::check_detail {
namespace {

constexpr word_hash hash_of(0x243F6A8885A308D3U);

/// What an entry is about: a function word, a content word, the other sense of a word, or the languages in
/// which a word is a stop word.
enum class entry : std::uint32_t { function = 0, content = 0x100, other = 0x200, stop = 0x300 };

/// Returns the hash, never 0, of an entry.
[[nodiscard]] inline std::uint32_t entry_hash(std::string_view word, entry kind, language in) noexcept {
  const std::uint32_t seed = static_cast<std::uint32_t>(kind) + static_cast<std::uint32_t>(in);
  return static_cast<std::uint32_t>((hash_of(word) ^ seed) * 0x9E3779B97F4A7C15U >> 32U) | 1U;
}

using word_bytes = std::array<char, word_reader::max_word_bytes>;

/// Returns the stem of a word of the tables, which is written to \p bytes.
[[nodiscard]] std::string_view stem_of(std::string_view word, language in, word_bytes& bytes) noexcept {
  std::copy(word.begin(), word.end(), bytes.begin());
  return {bytes.data(), stem({bytes.data(), word.size()}, in)};
}

class lexicon {
 public:
  lexicon() noexcept {
    for (const lexicon_tables::function_row& row : lexicon_tables::function_words) {
      for (std::string_view rest = row.words; !rest.empty();) {
        const std::string_view word = take_until(rest, " ");
        add(word, entry::function, row.in, row.sense);
        if (row.sense.stop) note_stop(word, static_cast<std::uint32_t>(row.in));
      }
    }
    word_bytes bytes{};
    for (std::size_t i = 0; i < known_languages.size(); ++i) {
      const language in = known_languages[i];
      for (std::string_view rest = lexicon_tables::undoing_words[i]; !rest.empty();)
        add(stem_of(take_until(rest, " "), in, bytes), entry::content, in, {.role = word_role::undoing});
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
          const class_member of{class_id, index, run.type.rule,
                                customary ? class_kind::plain : run.type.kind};
          while (!rest.empty()) add_member(take_until(rest, " "), run.in, of);
        }
      }
    }
    add_synonyms();
  }

  struct slot {
    std::uint32_t hash{};
    word_sense sense;
    std::uint8_t stop_languages{};
  };
  /// Returns the slot of an entry, or the empty slot where it belongs.
  [[nodiscard]] const slot& find(std::string_view word, entry kind, language in) const noexcept {
    const std::uint32_t hash = entry_hash(word, kind, in);
    std::size_t at = (hash >> 1U) % slots_.size();
    while (slots_[at].hash != hash && slots_[at].hash != 0) at = (at + 1) % slots_.size();
    return slots_[at];
  }

  [[nodiscard]] double load() const noexcept {
    return static_cast<double>(std::ranges::count_if(slots_, &slot::hash)) /
           static_cast<double>(slots_.size());
  }

 private:
  /// Returns the slot of an entry, which it then has.
  [[nodiscard]] slot& slot_of(std::string_view word, entry kind, language in) noexcept {
    slot& out = slots_[static_cast<std::size_t>(&find(word, kind, in) - slots_.data())];
    out.hash = entry_hash(word, kind, in);
    return out;
  }

  /// Notes that a word is a stop word in the language with this number.
  void note_stop(std::string_view word, std::uint32_t number) noexcept {
    slot_of(word, entry::stop, {}).stop_languages |= static_cast<std::uint8_t>(1U << number);
  }

  /// Adds what \p sense says to what is known about a word. The first kind and the last role count.
  void add(std::string_view word, entry kind, language in, const word_sense& sense) noexcept {
    slot& known = slot_of(word, kind, in);
    known.sense.stop = known.sense.stop || sense.stop;
    known.sense.count = std::max(known.sense.count, sense.count);
    if (sense.rounds != rounding::none) known.sense.rounds = sense.rounds;
    if (sense.role != word_role::none) known.sense.role = sense.role;
    if (known.sense.member.class_id == 0) known.sense.member = sense.member;
  }

  void add_member(std::string_view word, language in, const class_member& of) noexcept {
    const word_sense sense{of};
    word_bytes bytes{};
    const std::string_view stemmed = stem_of(word, in, bytes);
    const bool taken = find(stemmed, entry::content, in).sense.member.class_id != 0;
    if (((word == "most" || word == "least") && of.kind == class_kind::amount) ||
        (of.rule == contradiction_rule::unit && (taken || word.size() == 1))) {
      add(word, entry::other, in, sense);
    } else if (find(word, entry::function, in).hash != 0) {
      add(word, entry::function, in, sense);
    } else {
      add(stemmed, entry::content, in, sense);
    }
  }

  /// Adds to the synonyms (same_meaning()) of words for a change, a transfer or a ban what is known about
  /// these. The nouns of other opposites often say nothing: the `height` of a low house.
  void add_synonyms() noexcept {
    word_bytes bytes{};
    for (const lexicon_tables::class_run& run : lexicon_tables::classes) {
      if (run.type.kind != class_kind::change && run.type.kind != class_kind::transfer &&
          run.type.kind != class_kind::ban)
        continue;
      for (std::string_view rest = run.classes; !rest.empty();) {
        const std::size_t length = std::min(rest.find_first_of(" ;|"), rest.size());
        const std::string_view stemmed = stem_of(rest.substr(0, length), run.in, bytes);
        rest.remove_prefix(std::min(length + 1, rest.size()));
        const word_sense sense{find(stemmed, entry::content, run.in).sense.member};
        for (const std::string_view other : same_meaning(stemmed, run.in))
          add(other, entry::content, run.in, sense);
      }
    }
  }

  std::array<slot, 8192> slots_{};  ///< open addressing; a power of two; a slot with the hash 0 is empty
};

[[nodiscard]] const lexicon& shared() noexcept {
  static const lexicon words;
  return words;
}

}  // namespace

word_sense find_function_word(std::string_view folded, language in) noexcept {
  return shared().find(folded, entry::function, in).sense;
}

word_sense find_content_word(std::string_view stem, language in) noexcept {
  return shared().find(stem, entry::content, in).sense;
}

word_sense find_other_sense(std::string_view folded, language in) noexcept {
  return shared().find(folded, entry::other, in).sense;
}

std::uint8_t stop_languages_of(std::string_view folded) noexcept {
  return shared().find(folded, entry::stop, {}).stop_languages;
}

double lexicon_load() noexcept {
  return shared().load();
}

}  // namespace citestream::check_detail
