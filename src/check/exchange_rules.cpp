// The rules about words that are exchanged: see contradiction.cpp.
//
// The sides of `than`, and the names before and after a verb, are sets of words. They are exchanged if a word
// that is only on the left in one text is only on the right in the other, and the other way around. Who acts
// is told by the place before the verb, or after `by` in the passive; in German and Spanish, where the object
// may come first, only if names are directly around the verb. Single capital letters (`A acquired B`) are no
// content words and are compared as characters.
#include <ranges>
#include <utility>

#include "check/contradiction.hpp"

namespace citestream::check_detail {
namespace {

/// What is before `than`: "less likely than".
struct compared_quality {
  class_member adjective;  ///< the last word with an opposite, also a `more` alone
  class_member degree;     ///< the `more` or `less` before it

  /// Returns true if one of the adjectives is the opposite, or one of the degrees, but not both.
  [[nodiscard]] bool is_opposite(const compared_quality& other) const noexcept {
    return adjective.excludes(other.adjective) != degree.excludes(other.degree);
  }
};

[[nodiscard]] compared_quality quality_before(word_list text, std::size_t i) noexcept {
  compared_quality out;
  for (std::size_t k = i; k > first_near(i, 4);) {
    if (!is_antonym(text[--k])) continue;
    if (out.adjective.class_id == 0) {
      out.adjective = text[k].member;
    } else if (text[k].role == word_role::comparative) {
      out.degree = text[k].member;
    }
  }
  return out;
}

/// Returns the word that names who acts in the passive with the verb \p i: "was bought in June by the group".
/// Returns the size of \p text if no word does.
[[nodiscard]] std::size_t agent_after(word_list text, std::size_t i) noexcept {
  constexpr std::size_t reach = 4;           // words
  const auto is_time = [&](std::size_t k) {  // "by May", "by mid-May", "by 5 pm"
    const auto is_date = [&](std::size_t at) {
      return at < text.size() && (text[at].member.rule == contradiction_rule::month ||
                                  text[at].member.rule == contradiction_rule::weekday);
    };
    return text[k].is_number || is_date(k) || (!text[k].capital && is_date(k + 1));
  };
  const std::size_t last = i + words_after(text, i, reach).size();
  for (std::size_t k = i + 1; k <= last && k + 1 < text.size(); ++k) {
    if (text[k].role == word_role::agent && !is_time(k + 1)) return k;
  }
  return text.size();
}

enum class voice : std::uint8_t { active, passive, unknown };

/// The names around the finite verb of a German clause that ends with the verb itself: "Acme hat Globex
/// übernommen", "Globex wurde 2023 von Acme übernommen".
struct bracket {
  sides names;
  voice how{voice::unknown};
};

[[nodiscard]] bool is_name(const text_word& each) noexcept {
  return each.capital && !each.stop;
}

[[nodiscard]] bool ends_clause(word_list text, std::size_t i) noexcept {
  return words_after(text, i, 1).empty();
}

[[nodiscard]] bracket bracket_of(word_list text, std::size_t verb) noexcept {
  word_list rest = words_before(text, verb);
  if (!rest.empty() && rest[0].role == word_role::article) rest = rest.subspan(1);
  bracket out;
  for (; !rest.empty() && is_name(rest[0]); rest = rest.subspan(1)) out.names.left |= mask_of(rest[0]);
  if (rest.empty() || !rest[0].stop) return {};
  const word_role finite = rest[0].role;
  if (finite != word_role::auxiliary && finite != word_role::none) return {};
  bool after_agent = false;
  for (const text_word& each : rest.subspan(1)) {
    after_agent = after_agent || each.role == word_role::agent;
    if (is_name(each) && after_agent == (finite == word_role::auxiliary)) out.names.right |= mask_of(each);
  }
  if (out.names.left == 0 || out.names.right == 0) return {};
  out.how = finite == word_role::auxiliary ? voice::passive : voice::active;
  return out;
}

/// Returns whether the word at \p i is a verb in the active or passive voice; `unknown` if it may not be a
/// verb.
[[nodiscard]] voice voice_at(word_list text, std::size_t i, language in) noexcept {
  if (text[i].word == no_word || text[i].is_number || text[i].in_table || text[i].capital ||
      text[i].role == word_role::symmetric) {
    return voice::unknown;
  }
  if (ends_clause(text, i)) return in == language::german ? bracket_of(text, i).how : voice::unknown;
  if (i == 0) return voice::unknown;
  if (is_passive(text, i)) return agent_after(text, i) < text.size() ? voice::passive : voice::unknown;
  const text_word& after = text[i + 1];
  const word_role before = text[i - 1].role;
  const bool noun = before == word_role::preposition || before == word_role::until ||
                    before == word_role::article || text[i - 1].is_number;
  const bool object = !after.stop || after.role == word_role::article || after.is_number ||
                      (in == language::spanish && is_to(after));  // "venció al Sevilla"
  return !noun && object ? voice::active : voice::unknown;
}

/// The names on both sides of a verb or of `than`, if both are single letters. `A` may be read as the
/// article.
struct letter_roles {
  char subject{};  ///< 0: another word
  char object{};

  [[nodiscard]] bool is_same(const letter_roles& other) const noexcept {
    return subject == other.subject && object == other.object;
  }
  [[nodiscard]] bool is_exchanged(const letter_roles& other) const noexcept {
    return subject != object && subject == other.object && object == other.subject;
  }
};

[[nodiscard]] letter_roles letters_around(word_list text, std::size_t verb) noexcept {
  if (text[verb].is_number || text[verb].negated || text[verb].role == word_role::symmetric) return {};
  const auto adjoins = [&](std::size_t k) {  // a blank is between word k and the one before it
    return k > 0 && k < text.size() && text[k].begin == text[k - 1].end + 1;
  };
  const auto is_auxiliary = [](const text_word& each) {
    return each.letter == 0 && each.stop &&
           (each.role == word_role::auxiliary || each.role == word_role::none);
  };
  std::size_t first = verb;
  while (adjoins(first) && is_auxiliary(text[first - 1])) --first;
  const bool passive = adjoins(verb + 1) && text[verb + 1].role == word_role::agent;
  const std::size_t after = passive ? verb + 2 : verb + 1;
  const char left = adjoins(first) ? text[first - 1].letter : '\0';
  const bool noun = adjoins(after) && text[after].letter == 0 && text[after].capital && adjoins(after + 1);
  const char right = noun ? text[after + 1].letter : adjoins(after) ? text[after].letter : '\0';
  if (left == 0 || right == 0) return {};
  return passive ? letter_roles{right, left} : letter_roles{left, right};
}

/// Returns the single letters next to \p than: the last one before it in its sentence, and the first one
/// after it in its clause, of which a noun may be in front: "A is lighter than model B".
[[nodiscard]] letter_roles letters_beside(word_list text, std::size_t than) noexcept {
  constexpr std::size_t reach = 3;  // words: "than in group B"
  const auto is_letter = [](const text_word& each) { return each.letter != 0; };
  const auto before = words_before(text, than, all_words, in_sentence) | std::views::reverse;
  const word_list after = words_after(text, than, reach);
  const auto left = std::ranges::find_if(before, is_letter);
  const auto right = std::ranges::find_if(after, is_letter);
  return left == before.end() || right == after.end() ? letter_roles{}
                                                      : letter_roles{left->letter, right->letter};
}

/// The names around a verb, of which the first starts the clause: "Google kaufte YouTube", "El Sevilla venció
/// al Barcelona". In a language in which the object may come first, only these tell who does it. A German
/// noun with an article after the verb may be the subject: "Gestern kam der Minister".
[[nodiscard]] sides names_around(word_list text, std::size_t verb, language in) noexcept {
  const auto is_auxiliary = [](const text_word& each) {
    return each.stop && (each.role == word_role::auxiliary || each.role == word_role::none);
  };
  const auto is_article = [](const text_word& each) { return each.role == word_role::article; };
  const auto is_preposition = [](const text_word& each) {
    return is_to(each) || each.role == word_role::agent;
  };
  sides out;
  word_list before = words_before(text, verb);
  while (!before.empty() && is_auxiliary(before.back())) before = before.first(before.size() - 1);
  for (; !before.empty() && is_name(before.back()); before = before.first(before.size() - 1))
    out.left |= mask_of(before.back());
  if (before.size() > 1 || (before.size() == 1 && !is_article(before[0]))) return {};
  word_list after = words_after(text, verb);
  if (!after.empty() && is_preposition(after[0])) after = after.subspan(1);
  if (!after.empty() && is_article(after[0]) && in != language::german) after = after.subspan(1);
  for (; !after.empty() && is_name(after.front()); after = after.subspan(1))
    out.right |= mask_of(after.front());
  return out.left == 0 || out.right == 0 ? sides{} : out;
}

/// Returns true if both `than` compare the same quality: the word before them is the same, or a word of the
/// same class.
[[nodiscard]] bool same_quality(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  const class_member claimed = quality_before(texts.claim, i).adjective;
  const class_member found = quality_before(texts.excerpt, j).adjective;
  return claimed.class_id != 0 || found.class_id != 0 ? claimed.class_id == found.class_id
                                                      : same_beside(texts, i, j, -1);
}

/// Finds comparisons of the same quality whose sides are exchanged. Returns true if the adjective of one of
/// them is the opposite, too: the claim then says the same as the excerpt.
[[nodiscard]] bool find_comparison(const text_pair& texts, std::vector<conflict>& out) {
  bool reversed = false;
  for (std::size_t i = 0; i < texts.claim.size(); ++i) {
    if (!is_than(texts.claim, i)) continue;
    const sides claimed = wide_sides_of(texts.claim, i);
    const letter_roles letters = letters_beside(texts.claim, i);
    find_other(texts, contradiction_rule::comparison, i, out, [&](std::size_t j) {
      if (!is_than(texts.excerpt, j) || !same_quality(texts, i, j)) return relation::none;
      const sides found = wide_sides_of(texts.excerpt, j);
      const bool opposite = quality_before(texts.claim, i).is_opposite(quality_before(texts.excerpt, j));
      if (exchanged(claimed, found) || letters.is_exchanged(letters_beside(texts.excerpt, j))) {
        reversed = reversed || opposite;
        return opposite ? relation::same : relation::other;
      }
      const bool alike = (claimed.left & found.left) != 0 && (claimed.right & found.right) != 0;
      return alike && !opposite ? relation::same : relation::none;
    });
  }
  return reversed;
}

/// Returns true if the same content word, which is not after either verb, is directly before both: `river
/// tolls`.
[[nodiscard]] bool has_same_subject(const text_pair& texts, std::size_t i, std::size_t j) noexcept {
  if (!same_beside(texts, i, j, -1)) return false;
  const word_mask after = sides_of(texts.claim, i).right | sides_of(texts.excerpt, j).right;
  return (mask_of(texts.claim[next_to(texts.claim, i, -1)]) & after) == 0;
}

/// Finds the verb \p i with the same words on the other side of it.
void find_roles(const text_pair& texts, std::size_t i, std::vector<conflict>& out) {
  const auto words_around = [](word_list text, std::size_t verb, voice how) {
    if (ends_clause(text, verb)) return bracket_of(text, verb).names;
    return sides_of(text, verb, how == voice::passive ? agent_after(text, verb) : verb);
  };
  const voice claimed = voice_at(texts.claim, i, texts.in);
  if (claimed == voice::unknown) return;
  const bool free_order = texts.in == language::german || texts.in == language::spanish;
  const sides claimed_sides = free_order && !ends_clause(texts.claim, i)
                                  ? names_around(texts.claim, i, texts.in)
                                  : words_around(texts.claim, i, claimed);
  find_other(texts, contradiction_rule::roles, i, out, [&](std::size_t j) {
    if (texts.excerpt[j].word != texts.claim[i].word) return relation::none;
    const voice found = voice_at(texts.excerpt, j, texts.in);
    if (found == voice::unknown) return relation::none;
    sides found_sides = words_around(texts.excerpt, j, found);
    if (found != claimed) std::swap(found_sides.left, found_sides.right);
    if ((claimed_sides.left & found_sides.left) != 0 && (claimed_sides.right & found_sides.right) != 0)
      return relation::same;
    const bool both_after = found == claimed && has_same_subject(texts, i, j);
    return exchanged(claimed_sides, found_sides) && !both_after ? relation::other : relation::none;
  });
}

/// Finds the verb \p i with the same two letters around it, exchanged.
void find_letters(const text_pair& texts, std::size_t i, std::vector<conflict>& out) {
  const letter_roles claimed = letters_around(texts.claim, i);
  if (texts.claim[i].word == no_word || claimed.subject == claimed.object) return;
  find_other(texts, contradiction_rule::roles, i, out, [&](std::size_t j) {
    if (texts.excerpt[j].word != texts.claim[i].word) return relation::none;
    const letter_roles found = letters_around(texts.excerpt, j);
    if (found.is_same(claimed)) return relation::same;
    return found.is_exchanged(claimed) ? relation::other : relation::none;
  });
}

}  // namespace

bool find_exchange_conflicts(const text_pair& texts, std::vector<conflict>& out) {
  const bool reversed = find_comparison(texts, out);
  for (std::size_t i = 0; i < texts.claim.size(); ++i) find_roles(texts, i, out);
  for (std::size_t i = 0; i < texts.claim.size(); ++i) find_letters(texts, i, out);
  return reversed;
}

}  // namespace citestream::check_detail
