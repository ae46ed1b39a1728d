// How words are read for the rules about contradictions.
//
// word_reader finds the words. This reader adds to each what the rules need: the hash that tells which word
// of a claim it is, its sense (a negator, a member of a class, one of two opposites), its clause and
// sentence. What is between two words ends a clause, a sentence or the reach of a negator; in a row of a
// table only the end of the line ends a clause.
//
// A negator reaches `negation_reach` words. `clause_.negation_left` counts them down; it is 0 if nothing is
// negated. The first content word in reach is negated and ends the reach; `or` starts it again within the
// same predicate. Stop words in reach are marked as negated, too, but only shorten it. What skipped_end()
// names is skipped. Each byte is read once.
#include "check/text_words.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/ascii.hpp"
#include "check/table_row.hpp"

namespace citestream::check_detail {
namespace {

constexpr std::size_t negation_reach = 5;  // words

/// Returns true if \p word is one of \p words, which are separated by blanks.
[[nodiscard]] bool is_listed(std::string_view word, std::string_view words) noexcept {
  while (!words.empty()) {
    if (take_until(words, " ") == word) return true;
  }
  return false;
}

/// A verb with a particle or `more`, and the stem of a word with the same meaning.
struct verb_phrase {
  language in;
  std::string_view verbs;
  std::string_view particle;
  std::string_view stem;
  bool changes{};  ///< the particle has this meaning before a number, too
};
constexpr std::string_view goes = "go goes going went gone";
constexpr std::string_view turns = "turn turns turned turning switch switches switched switching";
constexpr verb_phrase verb_phrases[] = {{language::english, goes, "up", "ris", true},
                                        {language::english, goes, "down", "fal", true},
                                        {language::english, turns, "on", "enabl"},
                                        {language::english, turns, "off", "disabl"},
                                        {language::english, "pass passes passed passing", "away", "die"},
                                        {language::english, "cost costs", "more", "expensiv"},
                                        {language::english, "cost costs", "less", "cheap"},
                                        {language::english, "weigh weighs weighed", "more", "heavi"},
                                        {language::english, "weigh weighs weighed", "less", "light"},
                                        {language::german, "kostet kosten kostete", "mehr", "teur"},
                                        {language::german, "kostet kosten kostete", "weniger", "billig"},
                                        {language::german, "wiegt wiegen wog", "mehr", "schwer"},
                                        {language::german, "wiegt wiegen wog", "weniger", "leich"},
                                        {language::french, "coûte coûtent", "plus", "cher"},
                                        {language::french, "coûte coûtent", "moins", "abordabl"},
                                        {language::french, "pèse pèsent", "plus", "lourd"},
                                        {language::spanish, "cuesta cuestan", "mas", "car"},
                                        {language::spanish, "cuesta cuestan", "menos", "barat"},
                                        {language::spanish, "pesa pesan", "mas", "pes"},
                                        {language::spanish, "pesa pesan", "menos", "liger"}};

/// Reads the words of one text.
class text_word_reader {
 public:
  /// \param words  where next() appends them
  text_word_reader(std::string_view text, language in, const word_hash& hash, std::vector<text_word>& words)
      : text_(text), language_(in), hash_(hash), words_(words), reader_(text, in) {
    begin_line(0);
  }

  /// Appends the next word. Returns false at the end of the text.
  bool next() {
    word seen;
    do {
      if (!reader_.next(seen)) {
        negate_subject();
        return false;
      }
    } while (skip(seen.begin) || skip_tag(seen));
    text_word& out = words_.emplace_back();
    const std::size_t gap = std::min(end_before_, seen.begin);
    const bool blank = seen.begin - gap == 1 && text_[gap] == ' ';
    if (!blank) pass_gap(text_.substr(gap, seen.begin - gap), gap);
    out.begin = static_cast<std::uint32_t>(seen.begin);
    out.end = static_cast<std::uint32_t>(seen.end);
    end_before_ = seen.end;
    if (seen.kind == word::form::number) {
      read_number(seen, out);
    } else {
      read_word(seen, out);
    }
    static_cast<text_place&>(out) = place_;
    place_.excepted = place_.excepted || out.sense.role == word_role::except;
    place_.conditional = place_.conditional || out.sense.role == word_role::condition;
    before_.none = false;
    before_.content = !out.sense.stop && !out.is_number;
    return true;
  }

 private:
  /// Decides whether the line at \p at is a row of a table, and what separates its cells.
  void begin_line(std::size_t at) noexcept {
    place_.in_table = is_table_row(text_, at);
    place_.column = 0;
    if (!place_.in_table) return;
    const std::string_view line = line_from(text_, at);
    separator_ = cell_separator(line);
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string_view::npos && line[first] == '|') place_.column = -1;
  }

  /// Skips what is not part of a claim: a web address, a citation mark, a page, an opener.
  [[nodiscard]] bool skip(std::size_t at) noexcept {
    const std::size_t end = skipped_end(text_, at);
    if (end != at) reader_.skip_to(end);
    return end != at;
  }

  /// Skips an HTML tag whose name is \p seen. Rows of a table are rows whatever lines they are on.
  [[nodiscard]] bool skip_tag(const word& seen) {
    if (seen.begin == 0) return false;
    const bool ends = text_[seen.begin - 1] == '/';
    const std::size_t mark = seen.begin - (ends ? 2 : 1);
    if (mark >= seen.begin || text_[mark] != '<') return false;
    const std::size_t size = text_.substr(seen.end, max_line_bytes).find('>');
    if (size == std::string_view::npos) return false;
    const std::size_t gap = std::min(end_before_, mark);
    pass_gap(text_.substr(gap, mark - gap), gap);
    end_before_ = seen.end + size + 1;
    reader_.skip_to(end_before_);
    const std::string_view name(reader_.bytes().data(), seen.size);
    clause_.negation_left = 0;
    if (!ends && (name == "td" || name == "th")) ++place_.column;
    if (name != "tr" && name != "table" && name != "p" && name != "li" && name != "br") return true;
    end_sentence();
    if (name == "tr" || name == "table") in_html_table_ = name == "tr" || !ends;
    place_.in_table = in_html_table_;
    place_.column = -1;
    return true;
  }

  /// What is between two words may end a clause or a sentence.
  void pass_gap(std::string_view gap, std::size_t at) {
    for (std::size_t i = 0; i < gap.size(); ++i) {
      const char c = gap[i];
      if (c == '\n' && in_html_table_) continue;
      if (c == '\n') {
        begin_line(at + i + 1);
        end_sentence();
      } else if (place_.in_table) {
        if (c == '|' || c == '\t' || c == ',' || c == ';') clause_.negation_left = 0;
        if (c == separator_ && !in_html_table_) ++place_.column;
      } else if (c == '!' || c == '?' || (c == '.' && !is_inner_dot(text_, at + i, language_))) {
        end_sentence();
      } else if (c == ',' || c == ';' || c == ':' || c == '(' || c == ')') {
        end_clause();
      }
    }
  }

  void end_clause() {
    negate_subject();
    clause_ = {};
    before_.content = false;
    place_.excepted = false;
    place_.conditional = false;
    ++place_.clause;
  }

  /// Negates the subject of a clause that ends after its negated verb, which is a stop word: "it is not
  /// used".
  void negate_subject() {
    if (clause_.denied == 0) return;
    words_[clause_.denied - 1].negated = words_[clause_.denied - 1].subject = true;
    clause_.negation_left = 0;
    clause_.denied = 0;
  }

  void end_sentence() {
    end_clause();
    sentence_ = {};
    ++place_.sentence;
    before_.none = true;
  }

  void read_number(const word& seen, text_word& out) {
    out.is_number = true;
    out.value = seen.value;
    before_.year = seen.value.kind == number_kind::year;
    out.hash = hash_(seen.value);
    before_.counts = true;
    negate(out);
  }

  void read_word(const word& seen, text_word& out) {
    const std::string_view folded(reader_.bytes().data(), seen.size);
    const bool counted = std::exchange(before_.counts, is_per(folded));
    read_sense(seen, folded, counted, out);
    const std::string_view after = text_.substr(seen.end, 4);
    read_phrase(seen, folded, after, out);
    if (read_negator(seen, folded, after, out)) return;
    if (out.sense.role == word_role::conjunction && !place_.in_table &&
        !(counted && !before_.year && after.size() > 1 &&
          ascii::is_digit(after[1]))) {  // not in "between 10 and 20"
      negate_subject();
      ++place_.clause;
    }
    read_limit(out);
    if (out.sense.stop) {
      out.negated = clause_.negation_left > 0;
      const bool nor = sentence_.neither && folded == "noch";
      if (nor || (out.sense.role == word_role::alternative && predicate_negates()))
        clause_.negation_left = negation_reach + 1;
      if (folded != "se")
        sentence_.negates_verb = false;  // "no es barato" and "no hay agua" negate no other verb
      const bool amount = out.sense.member.kind == class_kind::amount;
      std::size_t& left = clause_.negation_left;
      left = amount || left == 0 ? 0 : left - 1;  // `not all` negates nothing else
      return;
    }
    const bool plain = seen.kind == word::form::plain;
    const std::size_t size = plain ? stem({reader_.bytes().data(), seen.size}, language_) : seen.size;
    const std::string_view stemmed(reader_.bytes().data(), size);
    out.hash = hash_(stemmed);
    const word_sense known = lexicon::shared().content_word(stemmed, vocabulary_of(language_));
    if (out.sense.member.class_id == 0) out.sense.member = known.member;
    // "guests who cancel pay": who does so is not denied
    const bool undoing = known.role == word_role::undoing;
    if (out.sense.role == word_role::none && !(undoing && follows_relative())) out.sense.role = known.role;
    const bool lacking = language_ == language::english && stemmed == "fre" && after == " of " &&
                         !text_.substr(seen.end).starts_with(" of charge");
    negate(out);
    if (!lacking) return;
    out.sense.role = word_role::lacking;  // "free of nuts": may itself be negated
    out.negator = sentence_.lacks = true;
    clause_.negation_left = negation_reach;
  }

  /// Sets what the vocabulary knows about a word. \p counted: a number or `per` is before it.
  void read_sense(const word& seen, std::string_view folded, bool counted, text_word& out) {
    out.capital = seen.capital;
    out.plural = folded.ends_with('s');
    const char first = text_[seen.begin];
    if (seen.capital && seen.end - seen.begin == 1 && first != 'I') out.letter = first;
    if (seen.kind == word::form::plain) out.sense = lexicon::shared().function_word(folded, language_);
    const bool accented = seen.end - seen.begin > folded.size();
    if (accented && (folded == "ne" || folded == "ou" || folded == "si"))
      out.sense.role = word_role::none;  // "né", "où" and "sí" are not "ne", "ou" and "si"
    if (accented && folded == "ne")
      out.sense.member = lexicon::shared().content_word("naissanc", vocabulary_of(language_)).member;
    const bool share = (folded == "most" || folded == "least") && is_amount(seen);
    if (before_.united &&
        (folded == "states" || folded == "staaten" || folded == "unis" || folded == "unidos"))
      out.sense.member =
          lexicon::shared()
              .content_word(language_ == language::spanish ? "eeuu" : "usa", vocabulary_of(language_))
              .member;
    before_.united =
        folded == "united" || folded.starts_with("vereinigte") || folded == "etats" || folded == "estados";
    if (share || counted) {
      const word_sense other = lexicon::shared().other_sense(folded, vocabulary_of(language_));
      if (share || other.member.rule == contradiction_rule::unit) out.sense.member = other.member;
    }
    before_.preposition = out.sense.role == word_role::preposition && folded != "at";
    const bool than = out.sense.role == word_role::maybe_than && sentence_.compares == word_role::comparative;
    if (than || out.sense.role == word_role::comparative) sentence_.compares = out.sense.role;
  }

  /// Sets what a word means together with the words around it: "free of", "have to", "went up". \p after is
  /// the text after it.
  void read_phrase(const word& seen, std::string_view folded, std::string_view after, text_word& out) const {
    if (const std::uint32_t times = times_of(folded); times != 0) {
      out.sense.role = word_role::times;
      out.value = {.digits = times};
    }
    // "half", "halb", "demi", "moitié", "medio": other fractions begin with other letters
    const bool half = folded.starts_with("ha") || folded.starts_with("dem") || folded.starts_with("m");
    if (out.sense.role == word_role::fraction && half) out.value = {.digits = 2};
    if ((folded == "rather" && after == " tha") || (folded == "instead" && after == " of "))
      out.sense.role = word_role::lacking;
    if ((folded == "may" || folded == "might" || folded == "could") && after == " bec")
      out.sense.role = word_role::expectation;  // "may become mandatory"
    if (folded == "charge" && text_.substr(0, seen.begin).ends_with("free of "))
      out.sense.stop = true;  // "no charge" and "free of charge" do not contradict one another
    const bool particle = out.sense.role == word_role::preposition || folded == "away";
    if (out.sense.role == word_role::comparative || (particle && language_ == language::english))
      read_particle(folded, seen.end, out);
    if (is_german_comparative(folded, after, out)) out.sense.role = word_role::comparative;
    if ((folded == "have" || folded == "has" || folded == "had") && after == " to " &&
        !in_question(seen.end)) {
      out.sense.role = word_role::obligation;
      out.sense.member = lexicon::shared().function_word("must", language_).member;
    }
  }

  /// Returns true if the sentence that continues at byte \p at ends with a question mark.
  [[nodiscard]] bool in_question(std::size_t at) const noexcept {
    const std::string_view rest = text_.substr(at, max_line_bytes);
    const std::size_t end = rest.find_first_of(".?!\n");
    return end != std::string_view::npos && rest[end] == '?';
  }

  /// Gives a particle or `more` the meaning that it has after some verbs, and `up` and `down` that of a
  /// change before a number: "sales went up", "sales, up 5%", "it costs less", but not "it costs less than
  /// 5". The word ends at \p end.
  void read_particle(std::string_view folded, std::size_t end, text_word& out) const noexcept {
    const auto found = std::ranges::find_if(verb_phrases, [&](const verb_phrase& each) {
      return each.in == language_ && each.particle == folded && is_phrase(each, end, out);
    });
    if (found != std::end(verb_phrases))
      out.sense.member = lexicon::shared().content_word(found->stem, language_).member;
  }

  /// Returns true if the word before a particle that ends at \p end, or the number after it, gives it that
  /// meaning.
  [[nodiscard]] bool is_phrase(const verb_phrase& of, std::size_t end, const text_word& read) const noexcept {
    constexpr std::size_t reach = 8;  // bytes: " than 5"
    const std::string_view after = text_.substr(end, reach);
    if (of.changes && (after.starts_with(" by") || (after.size() > 1 && ascii::is_digit(after[1]))))
      return true;
    if (words_.size() < 2 || words_[words_.size() - 2].clause != place_.clause) return false;
    const text_word& verb = words_[words_.size() - 2];
    if (!is_listed(text_.substr(verb.begin, verb.end - verb.begin), of.verbs)) return false;
    return read.sense.role != word_role::comparative || std::ranges::none_of(after, ascii::is_digit);
  }

  /// Reads a word that may be a negator. \p after is the text after it. \return true if it is one
  [[nodiscard]] bool read_negator(const word& seen, std::string_view folded, std::string_view after,
                                  text_word& out) {
    const bool plain = seen.kind == word::form::plain;
    if (plain && is_prefix(folded, after, language_)) {
      out.sense.stop = true;
      out.negator = !limited(seen, folded);
      if (out.negator) clause_.negation_left = 1;
      return true;
    }
    const bool longer = std::exchange(before_.no, folded == "no") && folded == "longer";
    if (longer) out.sense.stop = true;  // "no longer" is one negator
    const bool ruled_out = before_.rules && folded == "out";
    before_.rules = plain && folded.starts_with("rul");
    const bool answer = before_.no && before_.none && after.starts_with(',');
    if (!plain || answer || is_second(folded, out.sense) || !negates(seen, out.sense, after, ruled_out))
      return false;
    out.sense.stop = true;
    if (limited(seen, folded)) return true;
    out.negator = true;
    out.contrasts = folded == "not" || folded == "nicht" || folded == "pas";
    sentence_.lacks = out.sense.role == word_role::lacking;
    sentence_.negates_verb = is_ne(folded);
    sentence_.neither = sentence_.neither || folded == "weder";
    clause_.negation_left = negation_reach;
    deny_subject(folded, after);
    clause_.relative = folded != "no" || language_ == language::spanish ? follows_relative() : false;
    if (is_object(seen, folded)) {
      clause_.negation_left = 0;
      words_[words_.size() - 2].negated = true;
    }
    return true;
  }

  /// Notes the subject that is negated if no other word follows the negator: `data is not`, `data isn't`.
  void deny_subject(std::string_view folded, std::string_view after) noexcept {
    const bool verb = folded == "cannot" || after.starts_with("'t") || after.starts_with("’t");
    if (language_ != language::english || !(verb || folded == "not" || folded == "never")) return;
    std::size_t last = words_.size() - 1;  // verbs are after it
    while (last > 0 && is_finite(words_[last - 1])) --last;
    if (last == 0 || (!verb && last + 1 == words_.size())) return;
    const text_word& subject = words_[last - 1];
    if (subject.clause == place_.clause && !subject.sense.stop && !subject.is_number) clause_.denied = last;
  }

  /// Returns true if the word is the object of the word before it, so that it does not negate what follows
  /// its preposition: "costs nothing for groups". Not so in "says nothing about groups".
  [[nodiscard]] bool is_object(const word& seen, std::string_view folded) const noexcept {
    const bool pronoun = folded == "nothing" || folded == "nichts";
    if (!pronoun || !before_.content) return false;
    word_reader ahead(text_, language_);
    ahead.skip_to(seen.end);
    word next;
    if (!ahead.next(next) || next.begin != seen.end + 1) return false;
    const std::string_view bytes(ahead.bytes().data(), next.size);
    return lexicon::shared().function_word(bytes, language_).role == word_role::preposition &&
           bytes != "about" && bytes != "of";
  }

  /// Returns true for the French `ne` and the Spanish `no`, which negate the verb after them.
  [[nodiscard]] bool is_ne(std::string_view folded) const noexcept {
    return folded == "ne" || folded == "n" || (folded == "no" && language_ == language::spanish);
  }

  /// Returns true if `ne` or `no` has negated the verb, and the word is another part of that negation: "ne
  /// contient pas d'alcool ni de sucre" and "ne contient ni alcool ni sucre" say the same.
  [[nodiscard]] bool is_second(std::string_view folded, const word_sense& sense) const noexcept {
    if ((folded == "ni" || folded == "tampoco") && sentence_.verb_negated) return true;
    return clause_.verb_negated && sense.role == word_role::negator && !is_ne(folded);
  }

  /// Marks a word that is limited, and lets a limiter reach what follows.
  void read_limit(text_word& out) noexcept {
    if (clause_.limit_left > 0) {
      out.limited = true;
      clause_.limit_left = out.sense.stop ? clause_.limit_left - 1 : 0;
    }
    if (out.sense.role != word_role::limiter) return;
    clause_.negation_left = 0;
    clause_.limit_left = negation_reach;
  }

  /// Returns how many times `twice` and the German `dreimal` mean, 0 for other words.
  [[nodiscard]] std::uint32_t times_of(std::string_view folded) const noexcept {
    if (language_ == language::english) return folded == "twice" ? 2 : 0;
    if (language_ != language::german || !folded.ends_with("mal")) return 0;
    return spelled_value(folded.substr(0, folded.size() - 3), language_);
  }

  /// Returns true for a German adjective that compares: `leichter als`. \p after is the text after it.
  [[nodiscard]] bool is_german_comparative(std::string_view folded, std::string_view after,
                                           const text_word& read) const noexcept {
    return language_ == language::german && folded.ends_with("er") && after == " als" && !read.capital &&
           !read.sense.stop && read.sense.role == word_role::none;
  }

  /// Returns true for an auxiliary or modal verb.
  [[nodiscard]] bool is_finite(const text_word& each) const noexcept {
    constexpr std::string_view others[] = {"can",  "could", "will", "would", "should", "has",
                                           "have", "had",   "do",   "does",  "did"};
    return each.sense.role == word_role::auxiliary || each.sense.member.kind == class_kind::modal ||
           std::ranges::find(others, text_.substr(each.begin, each.end - each.begin)) != std::end(others);
  }

  /// Returns true if only verbs are between a relative pronoun and the last word.
  [[nodiscard]] bool follows_relative() const noexcept {
    std::size_t k = words_.size() - 1;
    while (k > 0 && is_finite(words_[k - 1])) --k;
    if (k == 0 || words_[k - 1].clause != place_.clause) return false;
    constexpr std::string_view pronouns[] = {"who", "that", "which", "die", "der", "das", "qui", "que"};
    const text_word& before = words_[k - 1];
    return std::ranges::find(pronouns, text_.substr(before.begin, before.end - before.begin)) !=
           std::end(pronouns);
  }

  /// Returns true if the last word is in a predicate that is negated. An auxiliary or modal verb after the
  /// negated word starts another one: "who do not smoke can choose red or blue".
  [[nodiscard]] bool predicate_negates() const noexcept {
    if (!clause_.negated) return false;
    for (std::size_t k = words_.size() - 1; k > 0 && words_[k - 1].clause == place_.clause; --k) {
      const text_word& each = words_[k - 1];
      if (!each.sense.stop && each.negated) return true;
      if (is_finite(each)) return false;
    }
    return false;
  }

  /// Returns true for `per` and the like.
  [[nodiscard]] static bool is_per(std::string_view folded) noexcept {
    return folded == "per" || folded == "pro" || folded == "par" || folded == "por";
  }

  /// Returns true if `most` or `least` is an amount and not a superlative: it is the first word or after a
  /// preposition other than `at`, or `of` follows.
  [[nodiscard]] bool is_amount(const word& seen) const noexcept {
    return before_.none || before_.preposition || text_.substr(seen.end).starts_with(" of ");
  }

  /// Returns true if the word is a negator. \p after is the text after it.
  [[nodiscard]] bool negates(const word& seen, const word_sense& sense, std::string_view after,
                             bool ruled_out) {
    if (sense.role == word_role::negator || sense.role == word_role::lacking ||
        sense.role == word_role::denial || ruled_out || after.starts_with("'t") || after.starts_with("’t")) {
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
      const std::string_view bytes(ahead.bytes().data(), next.size);
      const word_role role = lexicon::shared().function_word(bytes, language_).role;
      if (role == word_role::limiter) return negated;
      if (french && !negated && (bytes == "que" || bytes == "qu")) return true;
      if (negated && french) break;
      negated = negated || role == word_role::negator;
    }
    return false;
  }

  void negate(text_word& out) {
    out.negated = clause_.negation_left > 0;
    clause_.negated = clause_.negated || out.negated;
    out.lacked = out.negated && sentence_.lacks;
    out.relative = out.negated && clause_.relative;
    clause_.verb_negated = clause_.verb_negated || (out.negated && sentence_.negates_verb);
    sentence_.verb_negated = sentence_.verb_negated || clause_.verb_negated;
    clause_.negation_left = 0;
    clause_.denied = 0;
  }

  std::string_view text_;
  language language_;
  const word_hash& hash_;
  std::vector<text_word>& words_;
  word_reader reader_;
  std::size_t end_before_{};
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
  text_place place_;  ///< of the next word
  bool in_html_table_{};
  char separator_{};  ///< between the cells of this row, unless it is HTML
  /// The word before.
  struct {
    bool none{true};     ///< the next word is the first of its sentence
    bool preposition{};  ///< one other than `at`
    bool united{};       ///< "States" names a country
    bool no{};
    bool counts{};   ///< a number or `per`: a unit may follow
    bool year{};     ///< the last number is a year
    bool rules{};    ///< "rule" or "ruled": "ruled out" negates, too
    bool content{};  ///< a content word of this clause
  } before_;
};

/// Negates the verb of each German clause that ends with a negator: "beide Tarife gelten nicht". It is taken
/// to be the first content word without a capital.
void negate_verbs(std::span<text_word> words) noexcept {
  for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end) {
    text_word* verb = nullptr;
    bool open = false;  // the last negator negates nothing yet
    for (; end < words.size() && words[end].clause == words[begin].clause; ++end) {
      text_word& each = words[end];
      const bool content = !each.sense.stop && !each.is_number;
      open = each.negator || (open && each.sense.stop);
      if (content && !each.capital && verb == nullptr) verb = &each;
    }
    if (open && verb != nullptr) verb->negated = true;
  }
}

}  // namespace

void read_text_words(std::string_view text, language in, const word_hash& hash, std::size_t most,
                     text_words& out) {
  constexpr std::size_t word_bytes = 6;  // of usual text, with the blank
  out.words.clear();
  out.words.reserve(std::min(most, text.size() / word_bytes));
  out.negates = false;
  text_word_reader reader(text.substr(0, std::numeric_limits<std::uint32_t>::max()), in, hash, out.words);
  while (out.words.size() < most && reader.next()) out.negates = out.negates || out.words.back().negator;
  if (in == language::german && out.negates) negate_verbs(out.words);
}

void match(const claim_words& claim, std::span<text_word> words) noexcept {
  for (text_word& each : words) each.word = each.hash != 0 ? claim.find(each.hash) : no_word;
}

}  // namespace citestream::check_detail
