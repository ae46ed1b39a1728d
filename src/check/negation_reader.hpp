/// \file
/// Tells which words of a text are negators, and which words they negate: a part of text_words.cpp.
///
/// A negator reaches `negation_reach` words. `clause_.negation_left` counts them down; it is 0 if nothing is
/// negated. The first content word in reach is negated and ends the reach; `or` renews it within the same
/// predicate. Stop words in reach are marked as negated, too, but only shorten it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "check/table_row.hpp"
#include "check/text_words.hpp"

namespace citestream::check_detail {

inline constexpr std::size_t negation_reach = 5;  ///< words

/// Returns true if \p word is one of \p words, which are separated by blanks.
[[nodiscard]] inline bool is_listed(std::string_view word, std::string_view words) noexcept {
  while (!words.empty()) {
    if (take_until(words, " ") == word) return true;
  }
  return false;
}

/// Returns the word before the last one if it is in the same clause, otherwise null.
[[nodiscard]] inline text_word* word_before(std::vector<text_word>& words) noexcept {
  const std::size_t size = words.size();
  return size > 1 && words[size - 2].clause == words.back().clause ? &words[size - 2] : nullptr;
}

/// Returns true if the last word is the first of its sentence.
[[nodiscard]] inline bool starts_sentence(const std::vector<text_word>& words) noexcept {
  return words.size() == 1 || words[words.size() - 2].sentence != words.back().sentence;
}

/// What the text between two words ends.
enum class boundary : std::uint8_t {
  none,
  reach,  ///< of a negator: cells of a table are apart
  clause,
  sentence,
};

/// Tells which words are negators, and which words they negate. The word that is read is the last of `words`.
class negation_reader {
 public:
  negation_reader(std::string_view text, language in, std::vector<text_word>& words) noexcept
      : text_(text), language_(in), words_(words) {}

  /// Ends what the text after the last word ends.
  void end(boundary what) noexcept {
    if (what == boundary::none) return;
    if (what == boundary::reach) {
      clause_.negation_left = 0;
      return;
    }
    negate_subject();
    clause_ = {};
    if (what == boundary::sentence) sentence_ = {};
  }

  /// Negates the subject of a clause that ends after its negated verb, which is a stop word: "it is not
  /// used".
  void negate_subject() {
    if (clause_.denied == 0) return;
    words_[clause_.denied - 1].negated = words_[clause_.denied - 1].subject = true;
    clause_.negation_left = 0;
    clause_.denied = 0;
  }

  /// Reads a word that may be a negator. \p after is the text after it. \return true if it is one
  [[nodiscard]] bool read_negator(const word& seen, std::string_view folded, std::string_view after,
                                  text_word& out) {
    const bool than = out.role == word_role::maybe_than && sentence_.compares == word_role::comparative;
    if (than || out.role == word_role::comparative) sentence_.compares = out.role;
    const bool plain = seen.kind == word::form::plain;
    if (plain && is_prefix(folded, after, language_)) {
      out.stop = true;
      out.negator = !limited(seen, folded);
      if (out.negator) clause_.negation_left = 1;
      return true;
    }
    const bool longer = std::exchange(before_.no, folded == "no") && folded == "longer";
    if (longer) out.stop = true;  // "no longer" is one negator
    const bool ruled_out = before_.rules && folded == "out";
    before_.rules = plain && folded.starts_with("rul");
    const bool answer = before_.no && starts_sentence(words_) && after.starts_with(',');
    if (!plain || answer || is_second(folded, out.role) || !negates(seen, out.role, after, ruled_out))
      return false;
    out.stop = true;
    if (limited(seen, folded)) return true;
    out.negator = true;
    out.contrasts = folded == "not" || folded == "nicht" || folded == "pas";
    sentence_.lacks = out.role == word_role::lacking;
    sentence_.negates_verb = is_ne(folded);
    sentence_.neither = sentence_.neither || folded == "weder";
    clause_.negation_left = negation_reach;
    deny_subject(folded, after);
    clause_.relative = folded != "no" || language_ == language::spanish ? follows_relative() : false;
    if (is_object(seen, folded)) {
      clause_.negation_left = 0;
      word_before(words_)->negated = true;
    }
    return true;
  }

  /// Reads another stop word.
  void read_stop_word(std::string_view folded, text_word& out) noexcept {
    std::size_t& left = clause_.negation_left;
    out.negated = left > 0;
    const bool nor = sentence_.neither && folded == "noch";
    if (nor || (out.role == word_role::alternative && predicate_negates())) left = negation_reach + 1;
    if (folded != "se")
      sentence_.negates_verb = false;  // "no es barato" and "no hay agua" negate no other verb
    const bool amount = out.member.kind == class_kind::amount;
    left = amount || left == 0 ? 0 : left - 1;  // `not all` negates nothing else
  }

  /// Reads a content word or a number.
  void negate(text_word& out) noexcept {
    out.negated = clause_.negation_left > 0;
    clause_.negated = clause_.negated || out.negated;
    out.lacked = out.negated && sentence_.lacks;
    out.relative = out.negated && clause_.relative;
    clause_.verb_negated = clause_.verb_negated || (out.negated && sentence_.negates_verb);
    sentence_.verb_negated = sentence_.verb_negated || clause_.verb_negated;
    clause_.negation_left = 0;
    clause_.denied = 0;
  }

  /// Marks a word that is limited, and lets a limiter reach what follows.
  void read_limit(text_word& out) noexcept {
    if (clause_.limit_left > 0) {
      out.limited = true;
      clause_.limit_left = out.stop ? clause_.limit_left - 1 : 0;
    }
    if (out.role != word_role::limiter) return;
    clause_.negation_left = 0;
    clause_.limit_left = negation_reach;
  }

  /// Lets a content word lack what follows: "free of nuts". It may itself be negated.
  void read_lacking(text_word& out) noexcept {
    out.role = word_role::lacking;
    out.negator = sentence_.lacks = true;
    clause_.negation_left = negation_reach;
  }

  /// Returns true if only verbs are between a relative pronoun and the last word.
  [[nodiscard]] bool follows_relative() const noexcept {
    std::size_t k = words_.size() - 1;
    while (k > 0 && is_finite(words_[k - 1])) --k;
    if (k == 0 || words_[k - 1].clause != words_.back().clause) return false;
    return is_listed(text_of(words_[k - 1]), "who that which die der das qui que");
  }

 private:
  /// Notes the subject that is negated if no other word follows the negator: `data is not`, `data isn't`.
  void deny_subject(std::string_view folded, std::string_view after) noexcept {
    const bool verb = folded == "cannot" || after.starts_with("'t") || after.starts_with("’t");
    if (language_ != language::english || !(verb || folded == "not" || folded == "never")) return;
    std::size_t last = words_.size() - 1;  // verbs are after it
    while (last > 0 && is_finite(words_[last - 1])) --last;
    if (last == 0 || (!verb && last + 1 == words_.size())) return;
    const text_word& subject = words_[last - 1];
    if (subject.clause == words_.back().clause && !subject.stop && !subject.is_number) clause_.denied = last;
  }

  /// Returns true if the word is the object of the word before it, so that it does not negate what follows
  /// its preposition: "costs nothing for groups". Not so in "says nothing about groups".
  [[nodiscard]] bool is_object(const word& seen, std::string_view folded) const noexcept {
    if (folded != "nothing" && folded != "nichts") return false;
    const text_word* const verb = word_before(words_);
    if (verb == nullptr || verb->stop || verb->is_number) return false;
    word_reader ahead(text_, language_);
    ahead.skip_to(seen.end);
    word next;
    if (!ahead.next(next) || next.begin != seen.end + 1) return false;
    const std::string_view bytes = ahead.folded(next);
    return find_function_word(bytes, language_).role == word_role::preposition && bytes != "about" &&
           bytes != "of";
  }

  /// Returns true for the French `ne` and the Spanish `no`, which negate the verb after them.
  [[nodiscard]] bool is_ne(std::string_view folded) const noexcept {
    return folded == "ne" || folded == "n" || (folded == "no" && language_ == language::spanish);
  }

  /// Returns true if `ne` or `no` has negated the verb, and the word is another part of that negation: "ne
  /// contient pas d'alcool ni de sucre" and "ne contient ni alcool ni sucre" say the same.
  [[nodiscard]] bool is_second(std::string_view folded, word_role role) const noexcept {
    if ((folded == "ni" || folded == "tampoco") && sentence_.verb_negated) return true;
    return clause_.verb_negated && role == word_role::negator && !is_ne(folded);
  }

  [[nodiscard]] std::string_view text_of(const text_word& each) const noexcept {
    return text_.substr(each.begin, each.end - each.begin);
  }

  /// Returns true for an auxiliary or modal verb.
  [[nodiscard]] bool is_finite(const text_word& each) const noexcept {
    return each.role == word_role::auxiliary || each.member.kind == class_kind::modal ||
           is_listed(text_of(each), "can could will would should has have had do does did");
  }

  /// Returns true if the last word is in a predicate that is negated. An auxiliary or modal verb after the
  /// negated word starts another one: "who do not smoke can choose red or blue".
  [[nodiscard]] bool predicate_negates() const noexcept {
    if (!clause_.negated) return false;
    for (std::size_t k = words_.size() - 1; k > 0 && words_[k - 1].clause == words_.back().clause; --k) {
      const text_word& each = words_[k - 1];
      if (!each.stop && each.negated) return true;
      if (is_finite(each)) return false;
    }
    return false;
  }

  /// Returns true if the word is a negator. \p after is the text after it.
  [[nodiscard]] bool negates(const word& seen, word_role role, std::string_view after, bool ruled_out) {
    if (role == word_role::negator || role == word_role::lacking || role == word_role::denial || ruled_out ||
        after.starts_with("'t") || after.starts_with("’t")) {
      return true;
    }
    if (language_ != language::english) return false;
    const std::string_view verb = text_.substr(seen.begin, seen.end - seen.begin);
    const bool fails = verb.starts_with("fail") || verb.starts_with("refuse");
    if (fails && after.starts_with(" to ")) return true;
    const std::string_view next = text_.substr(std::min(seen.end + 1, text_.size()), max_line_bytes);
    return verb.starts_with("stop") && next.substr(0, next.find_first_of(" .,;:!?")).ends_with("ing");
  }

  /// Returns true if a limiter after the negator that ends with \p seen takes the negation back: `not only`,
  /// `ne … que`, `ne … pas seulement`.
  [[nodiscard]] bool limited(const word& seen, std::string_view folded) const {
    const bool french = language_ == language::french && is_ne(folded);
    if (french && sentence_.compares == word_role::maybe_than) return true;  // "plus grand qu'il n'était"
    word_reader ahead(text_, language_);
    ahead.skip_to(seen.end);
    std::size_t end = seen.end;
    bool negated = !french;
    word next;
    for (std::size_t left = french ? negation_reach : 1; left > 0 && ahead.next(next); --left) {
      if (text_.substr(end, next.begin - end).find_first_of(".,;:!?()\n") != std::string_view::npos) break;
      end = next.end;
      const std::string_view bytes = ahead.folded(next);
      const word_role role = find_function_word(bytes, language_).role;
      if (role == word_role::limiter) return negated;
      if (french && !negated && (bytes == "que" || bytes == "qu")) return true;
      if (negated && french) break;
      negated = negated || role == word_role::negator;
    }
    return false;
  }

  std::string_view text_;
  language language_;
  std::vector<text_word>& words_;
  /// What the clause has so far.
  struct {
    std::size_t negation_left{};  ///< how many words the last negator still reaches
    std::size_t limit_left{};     ///< the same for the last limiter
    bool negated{};               ///< a word is negated
    bool relative{};              ///< the last negator is in a relative clause
    std::size_t denied{};  ///< number of words up to the subject of a negated verb: see negate_subject()
    bool verb_negated{};   ///< `ne` has negated a verb
  } clause_;
  /// What the sentence has so far.
  struct {
    word_role compares{};  ///< the last part of a comparison: `comparative` or `maybe_than`
    bool neither{};        ///< the German `weder`: `noch` negates, too
    bool verb_negated{};   ///< `ne` has negated a verb
    bool lacks{};          ///< the last negator was `without`
    bool negates_verb{};   ///< the last negator was `ne`, and the next content word is its verb: see is_ne()
  } sentence_;
  /// The word before.
  struct {
    bool no{};
    bool rules{};    ///< "rule" or "ruled": "ruled out" negates, too
    bool content{};  ///< a content word of this clause
  } before_;
};

}  // namespace citestream::check_detail
