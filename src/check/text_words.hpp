/// \file
/// The words of a claim, or of the excerpt of a reference that is compared with it, as the rules about
/// contradictions need them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "check/claim_words.hpp"
#include "check/lexicon.hpp"
#include "check/word_hash.hpp"

namespace citestream::check_detail {

/// Where in a text a word is. Clauses and sentences are counted from 0.
struct text_place {
  std::uint16_t clause{};
  std::uint16_t sentence{};
  std::int16_t column{};  ///< of the table, from 0
  bool in_table{};        ///< the clause is a row of a table
  bool excepted{};        ///< `except` is before it in its clause
  bool conditional{};     ///< `if` is before it in its clause
};

/// What other words do to a word, and what it does to them.
struct text_negation {
  bool negated{};
  bool lacked{};     ///< negated by `without`
  bool subject{};    ///< negated as the subject of a verb that is a stop word: "it is not used"
  bool relative{};   ///< negated in a relative clause: "who do not pay"
  bool limited{};    ///< `only` is before it
  bool negator{};    ///< negates what follows
  bool contrasts{};  ///< a negator such as `not`, which may contrast: "Friday, not Monday"
};

/// How a word is written.
struct text_spelling {
  bool capital{};
  bool plural{};  ///< may be one: ends with `s`
  char letter{};  ///< the word if it is a single capital letter and not `I`: `A acquired B`; otherwise 0
};

/// One word of a text.
struct text_word : text_place, text_negation, text_spelling, word_sense {
  std::uint32_t begin{};  ///< in bytes of the text, of which the first 4 GiB are read
  std::uint32_t end{};
  std::uint64_t hash{};         ///< of its stem or value; 0: it cannot be a content word of a claim
  std::uint32_t word{no_word};  ///< which content word of the claim it is: see match()
  bool is_number{};
  number value;  ///< of a number or of `twice`, and of `half`: 2
};

/// The words of a claim or of a part of a reference.
struct text_words {
  std::vector<text_word> words;
  bool negates{};  ///< a word is a negator
};

/// Reads up to \p most words of \p text, which is a claim or part of a reference. `sentence` changes at `. !
/// ?` and at the end of a line, `clause` also at `; : , ( )` and at a conjunction; a row of a table is one
/// clause (is_table_row()). A word is negated if a negator is at most five words before it, without
/// punctuation and without another content word or amount between them; "not all" negates the amount alone.
/// "Not only", the French "ne … que" and "no" as an answer negate nothing. Linear in what is read.
void read_text_words(std::string_view text, language in, const word_hash& hash, std::size_t most,
                     text_words& out);

/// Sets `word` of each of \p words.
void match(const claim_words& claim, std::span<text_word> words) noexcept;

}  // namespace citestream::check_detail
