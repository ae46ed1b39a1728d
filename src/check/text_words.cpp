// How words are read for the rules about contradictions.
//
// word_reader finds the words. text_word_reader adds to each what the rules need: the hash that tells which
// word of a claim it is, and its sense (a negator, a member of a class, one of two opposites). place_reader
// tells its clause, sentence and cell: what is between two words ends a clause, a sentence or the reach of a
// negator; in a row of a table only the end of the line ends a clause. negation_reader tells whether it is
// negated.
//
// Web addresses, pages and the like, which skipped_end() finds, are skipped. Each byte is read once.
#include "check/text_words.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/ascii.hpp"
#include "check/lexicon_tables.hpp"
#include "check/negation_reader.hpp"
#include "check/table_row.hpp"

namespace citestream::check_detail {
namespace {

/// Tells in which clause, sentence and cell of a table the words of a text are.
class place_reader {
 public:
  place_reader(std::string_view text, language in) noexcept : text_(text), language_(in) { begin_line(0); }

  /// Returns the place of the next word.
  [[nodiscard]] const text_place& next() const noexcept { return place_; }

  /// Passes the text from \p begin to \p end, which is between two words. Returns the most that it ends.
  [[nodiscard]] boundary pass_gap(std::size_t begin, std::size_t end) noexcept {
    boundary out = boundary::none;
    for (std::size_t at = begin; at < end; ++at) {
      const char c = text_[at];
      if (c == '\n' && in_html_table_) continue;
      if (c == '\n') {
        begin_line(at + 1);
        out = end_sentence();
      } else if (place_.in_table) {
        if (c == '|' || c == '\t' || c == ',' || c == ';') out = std::max(out, boundary::reach);
        if (c == separator_ && !in_html_table_) ++place_.column;
      } else if (c == '!' || c == '?' || (c == '.' && !is_inner_dot(text_, at, language_))) {
        out = end_sentence();
      } else if (c == ',' || c == ';' || c == ':' || c == '(' || c == ')') {
        out = std::max(out, end_clause());
      }
    }
    return out;
  }

  /// Passes an HTML tag. Rows of a table are rows whatever lines they are on.
  [[nodiscard]] boundary pass_tag(std::string_view name, bool closes) noexcept {
    if (!closes && (name == "td" || name == "th")) ++place_.column;
    if (name != "tr" && name != "table" && name != "p" && name != "li" && name != "br")
      return boundary::reach;
    if (name == "tr" || name == "table") in_html_table_ = name == "tr" || !closes;
    place_.in_table = in_html_table_;
    place_.column = -1;
    return end_sentence();
  }

  /// Notes that the next words are after a word with this role.
  void pass_word(word_role role) noexcept {
    place_.excepted = place_.excepted || role == word_role::except;
    place_.conditional = place_.conditional || role == word_role::condition;
  }

  /// Begins a clause with a conjunction. An exception or a condition goes on.
  const text_place& join_clause() noexcept {
    ++place_.clause;
    return place_;
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

  boundary end_clause() noexcept {
    place_.excepted = place_.conditional = false;
    ++place_.clause;
    return boundary::clause;
  }

  boundary end_sentence() noexcept {
    end_clause();
    ++place_.sentence;
    return boundary::sentence;
  }

  std::string_view text_;
  language language_;
  text_place place_;
  bool in_html_table_{};
  char separator_{};  ///< between the cells of this row, unless it is HTML
};

/// Reads the words of one text.
class text_word_reader {
 public:
  /// \param words  where next() appends them
  text_word_reader(std::string_view text, language in, const word_hash& hash, std::vector<text_word>& words)
      : text_(text),
        language_(in),
        hash_(hash),
        words_(words),
        reader_(text, in),
        places_(text, in),
        negation_(text, in, words) {}

  /// Appends the next word. Returns false at the end of the text.
  bool next() {
    word seen;
    do {
      if (!reader_.next(seen)) {
        negation_.negate_subject();
        return false;
      }
    } while (skip(seen.begin) || skip_tag(seen));
    pass_gap(seen.begin);
    end_before_ = seen.end;
    text_word& out = words_.emplace_back();
    static_cast<text_place&>(out) = places_.next();
    out.begin = static_cast<std::uint32_t>(seen.begin);
    out.end = static_cast<std::uint32_t>(seen.end);
    if (seen.kind == word::form::number) {
      read_number(seen, out);
    } else {
      read_word(seen, out);
    }
    places_.pass_word(out.role);
    return true;
  }

 private:
  /// Skips what is not part of a claim: a web address, a citation mark, a page, an opener.
  [[nodiscard]] bool skip(std::size_t at) noexcept {
    const std::size_t end = skipped_end(text_, at);
    if (end != at) reader_.skip_to(end);
    return end != at;
  }

  /// Skips an HTML tag whose name is \p seen.
  [[nodiscard]] bool skip_tag(const word& seen) {
    if (seen.begin == 0) return false;
    const bool closes = text_[seen.begin - 1] == '/';
    const std::size_t mark = seen.begin - (closes ? 2 : 1);
    if (mark >= seen.begin || text_[mark] != '<') return false;
    const std::size_t size = text_.substr(seen.end, max_line_bytes).find('>');
    if (size == std::string_view::npos) return false;
    pass_gap(mark);
    end_before_ = seen.end + size + 1;
    reader_.skip_to(end_before_);
    negation_.end(places_.pass_tag(reader_.folded(seen), closes));
    return true;
  }

  /// Passes the text up to \p end, where the next word or tag is.
  void pass_gap(std::size_t end) {
    const std::size_t begin = std::min(end_before_, end);
    if (end - begin != 1 || text_[begin] != ' ') negation_.end(places_.pass_gap(begin, end));
  }

  void read_number(const word& seen, text_word& out) {
    out.is_number = true;
    out.value = seen.value;
    out.hash = hash_(seen.value);
    before_.year = seen.value.kind == number_kind::year;
    before_.counts = true;
    negation_.negate(out);
  }

  void read_word(const word& seen, text_word& out) {
    const std::string_view folded = reader_.folded(seen);
    const bool counted = std::exchange(before_.counts, is_per(folded));
    read_sense(seen, folded, counted, out);
    const std::string_view after = text_.substr(seen.end, 4);
    read_phrase(seen, folded, after, out);
    if (negation_.read_negator(seen, folded, after, out)) return;
    const bool between =
        counted && !before_.year && after.size() > 1 && ascii::is_digit(after[1]);  // "between 10 and 20"
    if (out.role == word_role::conjunction && !out.in_table && !between) {
      negation_.negate_subject();
      static_cast<text_place&>(out) = places_.join_clause();
    }
    negation_.read_limit(out);
    if (out.stop) return negation_.read_stop_word(folded, out);
    read_content_word(seen, out);
  }

  void read_content_word(const word& seen, text_word& out) {
    const std::string_view stemmed = reader_.stemmed(seen);
    out.hash = hash_(stemmed);
    const word_sense known = find_content_word(stemmed, vocabulary_of(language_));
    if (out.member.class_id == 0) out.member = known.member;
    // "guests who cancel pay": who does so is not denied
    const bool undoing = known.role == word_role::undoing;
    if (out.role == word_role::none && !(undoing && negation_.follows_relative())) out.role = known.role;
    negation_.negate(out);
    if (is_free_of(stemmed, text_.substr(seen.end))) negation_.read_lacking(out);
  }

  /// Returns true for `free` and the German `frei` before what is lacking. \p after is the text after the
  /// word.
  [[nodiscard]] bool is_free_of(std::string_view stemmed, std::string_view after) const noexcept {
    if (language_ == language::english)
      return stemmed == "fre" && after.starts_with(" of ") && !after.starts_with(" of charge");
    constexpr std::string_view von = " von ";
    if (language_ != language::german || stemmed != "frei" || !after.starts_with(von)) return false;
    return after.size() > von.size() && !ascii::is_digit(after[von.size()]);  // "frei von 8 bis 18 Uhr"
  }

  /// Sets what the vocabulary knows about a word. \p counted: a number or `per` is before it.
  void read_sense(const word& seen, std::string_view folded, bool counted, text_word& out) {
    out.capital = seen.capital;
    out.plural = folded.ends_with('s');
    const char first = text_[seen.begin];
    if (seen.capital && seen.end - seen.begin == 1 && first != 'I') out.letter = first;
    if (seen.kind == word::form::plain) static_cast<word_sense&>(out) = find_function_word(folded, language_);
    const bool accented = seen.end - seen.begin > folded.size();
    if (accented && (folded == "ne" || folded == "ou" || folded == "si"))
      out.role = word_role::none;  // "né", "où" and "sí" are not "ne", "ou" and "si"
    if (accented && folded == "ne") out.member = member_of("naissanc");
    const bool share = (folded == "most" || folded == "least") && is_amount(seen);
    if (before_.united &&
        (folded == "states" || folded == "staaten" || folded == "unis" || folded == "unidos"))
      out.member = member_of(language_ == language::spanish ? "eeuu" : "usa");
    before_.united =
        folded == "united" || folded.starts_with("vereinigte") || folded == "etats" || folded == "estados";
    if (share || counted) {
      const word_sense other = find_other_sense(folded, vocabulary_of(language_));
      if (share || other.member.rule == contradiction_rule::unit) out.member = other.member;
    }
    before_.preposition = out.role == word_role::preposition && folded != "at";
  }

  /// Sets what a word means together with the words around it: "free of", "have to", "went up". \p after is
  /// the text after it.
  void read_phrase(const word& seen, std::string_view folded, std::string_view after, text_word& out) const {
    if (out.count > 1) out.value = {.digits = out.count};
    if (const std::uint32_t times = times_of(folded); times != 0) {
      out.role = word_role::times;
      out.value = {.digits = times};
    }
    if ((folded == "rather" && after == " tha") || (folded == "instead" && after == " of "))
      out.role = word_role::lacking;
    if ((folded == "may" || folded == "might" || folded == "could") && after == " bec")
      out.role = word_role::expectation;  // "may become mandatory"
    if (folded == "charge" && text_.substr(0, seen.begin).ends_with("free of "))
      out.stop = true;  // "no charge" and "free of charge" do not contradict one another
    const bool particle = out.role == word_role::preposition || folded == "away";
    if (out.role == word_role::comparative || (particle && language_ == language::english))
      read_particle(folded, seen.end, out);
    if (is_german_comparative(folded, after, out)) out.role = word_role::comparative;
    if ((folded == "have" || folded == "has" || folded == "had") && after == " to " &&
        !in_question(seen.end)) {
      out.role = word_role::obligation;
      out.member = find_function_word("must", language_).member;
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
    for (const lexicon_tables::verb_phrase& each : lexicon_tables::verb_phrases) {
      if (each.in != language_) continue;
      for (const auto& [particle, stem] : each.meanings) {
        if (particle != folded || !is_phrase(each, end, out)) continue;
        out.member = member_of(stem);
        return;
      }
    }
  }

  /// Returns true if the word before a particle that ends at \p end, or the number after it, gives it that
  /// meaning.
  [[nodiscard]] bool is_phrase(const lexicon_tables::verb_phrase& of, std::size_t end,
                               const text_word& read) const noexcept {
    constexpr std::size_t reach = 8;  // bytes: " than 5"
    const std::string_view after = text_.substr(end, reach);
    if (of.changes && (after.starts_with(" by") || (after.size() > 1 && ascii::is_digit(after[1]))))
      return true;
    const text_word* const verb = word_before(words_);
    if (verb == nullptr || !is_listed(text_.substr(verb->begin, verb->end - verb->begin), of.verbs))
      return false;
    return read.role != word_role::comparative || std::ranges::none_of(after, ascii::is_digit);
  }

  /// Returns how many times the German `dreimal` means, 0 for other words.
  [[nodiscard]] std::uint32_t times_of(std::string_view folded) const noexcept {
    if (language_ != language::german || !folded.ends_with("mal")) return 0;
    return spelled_value(folded.substr(0, folded.size() - 3), language_);
  }

  /// Returns true for a German adjective that compares: `leichter als`. \p after is the text after it.
  [[nodiscard]] bool is_german_comparative(std::string_view folded, std::string_view after,
                                           const text_word& read) const noexcept {
    return language_ == language::german && folded.ends_with("er") && after == " als" && !read.capital &&
           !read.stop && read.role == word_role::none;
  }

  /// Returns the class of a content word, by its stem.
  [[nodiscard]] class_member member_of(std::string_view stem) const noexcept {
    return find_content_word(stem, vocabulary_of(language_)).member;
  }

  /// Returns true for `per` and the like.
  [[nodiscard]] static bool is_per(std::string_view folded) noexcept {
    return folded == "per" || folded == "pro" || folded == "par" || folded == "por";
  }

  /// Returns true if `most` or `least` is an amount and not a superlative: it is the first word or after a
  /// preposition other than `at`, or `of` follows.
  [[nodiscard]] bool is_amount(const word& seen) const noexcept {
    return starts_sentence(words_) || before_.preposition || text_.substr(seen.end).starts_with(" of ");
  }

  std::string_view text_;
  language language_;
  const word_hash& hash_;
  std::vector<text_word>& words_;
  word_reader reader_;
  place_reader places_;
  negation_reader negation_;
  std::size_t end_before_{};  ///< of the word or tag before
  /// The word before.
  struct {
    bool preposition{};  ///< one other than `at`
    bool united{};       ///< "States" names a country
    bool counts{};       ///< a number or `per`: a unit may follow
    bool year{};         ///< the last number is a year
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
      const bool content = !each.stop && !each.is_number;
      open = each.negator || (open && each.stop);
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
