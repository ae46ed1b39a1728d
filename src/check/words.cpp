// How words are read.
//
// The class of the first byte decides: separators are skipped, digits start a number or a date, other ASCII
// letters a plain word, and bytes outside ASCII are decoded (first_letter()) to tell letters from ideographs.
// A script without spaces gives overlapping pairs of characters. Folded letters are collected in `bytes_`.
//
// Nearly all text is ASCII, so read_ascii_run() classifies and folds eight bytes at a time. read_ascii_word()
// reads a word of up to 15 letters that way if it is nothing but a word, as most are.
//
// Cost: each byte is read a constant number of times, in constant memory.
#include "check/words.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "check/table_row.hpp"
#include "check/unicode_letters.hpp"
#include "check/vocabulary.hpp"

namespace citestream::check_detail {

namespace {

// Classes of bytes. The class of a letter is the letter in lower case.
enum : unsigned char { separator = 0, digit = 1, beyond_ascii = 2 };

constexpr std::array<unsigned char, 256> make_classes() noexcept {
  std::array<unsigned char, 256> out{};
  for (unsigned c = '0'; c <= '9'; ++c) out[c] = digit;
  for (unsigned c = 'a'; c <= 'z'; ++c) out[c] = static_cast<unsigned char>(c);
  for (unsigned c = 'A'; c <= 'Z'; ++c) out[c] = static_cast<unsigned char>(c - 'A' + 'a');
  for (unsigned c = 0x80; c < 0x100; ++c) out[c] = beyond_ascii;
  return out;
}
constexpr std::array<unsigned char, 256> classes = make_classes();

[[nodiscard]] unsigned char class_of(char c) noexcept {
  return classes[static_cast<unsigned char>(c)];
}

/// The classes of eight bytes of text, one in each byte.
struct eight_bytes {
  std::uint64_t folded;   ///< letters in lower case
  std::uint64_t other;    ///< 0x80 for bytes that are neither ASCII letters nor digits
  std::uint64_t special;  ///< 0x80 for the capitals and digits before the first of them

  /// The number of letters and digits before the first other byte.
  [[nodiscard]] std::size_t length() const noexcept {
    return static_cast<std::size_t>(std::countr_zero(other)) / 8;
  }
};

/// Folds and classifies eight bytes. Compares all of them at once by addition: the sum of two values of at
/// most 0x80 does not carry into the next byte.
[[nodiscard]] inline eight_bytes read_eight(const char* from, char* to) noexcept {
  constexpr std::uint64_t each = 0x0101010101010101U;
  constexpr std::uint64_t high = each * 0x80U;
  constexpr std::uint64_t small = each * 0x20U;
  const auto from_least = [](std::uint64_t values, unsigned c) { return values + each * (0x80U - c); };
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, from, 8);
  const std::uint64_t ascii = bytes & ~high;
  const std::uint64_t folded = ascii | small;
  const std::uint64_t letters = from_least(folded, 'a') & ~from_least(folded, 'z' + 1);
  const std::uint64_t digits = from_least(ascii, '0') & ~from_least(ascii, '9' + 1);
  eight_bytes out{bytes | small, ~((letters | digits) & ~bytes) & high, 0};
  out.special = ((letters & ~(bytes << 2U)) | digits) & high & ((out.other & (~out.other + 1)) - 1);
  std::memcpy(to, &out.folded, 8);
  return out;
}

/// A run of up to 16 ASCII letters and digits.
struct ascii_run {
  std::size_t length;
  bool special;  ///< has a capital or digit after its first character
};

/// Reads 16 bytes and folds them to \p to.
[[nodiscard]] inline ascii_run read_run(const char* from, char* to) noexcept {
  const eight_bytes start = read_eight(from, to);
  ascii_run out{start.length(), (start.special & ~std::uint64_t{0xFF}) != 0};
  if (out.length < 8) return out;
  const eight_bytes rest = read_eight(from + 8, to + 8);
  return {8 + rest.length(), out.special || rest.special != 0};
}

/// Reads the word at \p at if it has at most 15 ASCII letters and digits and needs no further look: it is no
/// numeral, short form, initial, `US` or `May`. \return false if that is not certain
[[nodiscard]] bool read_ascii_word(std::string_view text, std::size_t at, language in, char* bytes,
                                   word& out) noexcept {
  if constexpr (std::endian::native != std::endian::little) return false;
  if (text.size() - at < 16) return false;
  const ascii_run run = read_run(text.data() + at, bytes);
  const char first = text[at];
  const char after = text[at + run.length];
  if (run.length == 16 || after == '\'' || class_of(after) == beyond_ascii) return false;
  if (run.length == 3 && first == 'M' && bytes[1] == 'a' && bytes[2] == 'y') return false;
  if (run.length <= 2 && (after == '.' || first == 'A' || (bytes[0] == 'u' && bytes[1] == 's'))) return false;
  if (spelled_value({bytes, run.length}, in) != 0) return false;
  out.kind = word::form::plain;
  out.capital = bytes[0] != first;
  out.inner_capital = run.special;
  out.begin = at;
  out.end = at + run.length;
  out.size = run.length;
  return true;
}

}  // namespace

bool is_inner_dot(std::string_view text, std::size_t at, language in) noexcept {
  const auto digit_before = [&](std::size_t k) { return k <= at && class_of(text[at - k]) == digit; };
  if (digit_before(1) && at + 1 < text.size() && class_of(text[at + 1]) == digit) return true;
  if (in == language::german && digit_before(1) && !(digit_before(2) && digit_before(3))) return true;
  static constexpr std::string_view abbreviations[] = {"Inc",  "Ltd", "Corp", "Co", "Mr", "Mrs", "Ms", "Dr",
                                                       "Prof", "St",  "vs",   "ca", "Nr", "Sr",  "Sra"};
  constexpr std::size_t longest = 4;
  std::size_t begin = at;
  while (begin > 0 && text[begin - 1] != ' ' && at - begin <= longest) --begin;
  return at - begin <= longest &&
         std::ranges::find(abbreviations, text.substr(begin, at - begin)) != std::end(abbreviations);
}

bool word_reader::next(word& out) noexcept {
  if (date_left_ != 0) return read_date(out);
  const char* const data = text_.data();
  const std::size_t size = text_.size();
  for (std::size_t at = at_; at < size;) {
    const unsigned char kind = class_of(data[at]);
    if (kind == separator) {
      ++at;
      continue;
    }
    at_ = at;
    if (kind > beyond_ascii && read_ascii_word(text_, at, language_, bytes_.data(), out)) {
      at_ = out.end;
      return true;
    }
    if (kind == digit) {
      read_digits(out);
    } else if (kind != beyond_ascii) {
      read_plain(out);
    } else if (!read_beyond_ascii(out)) {
      at = at_;
      continue;
    }
    return true;
  }
  at_ = size;
  return false;
}

/// \return false if the character is a separator or ignored
bool word_reader::read_beyond_ascii(word& out) noexcept {
  const letter first = first_letter(text_.substr(at_));
  if (first.kind == letter_kind::ideograph) return read_ideographs(out);
  if (first.kind == letter_kind::letter) {
    read_plain(out);
    return true;
  }
  if (is_fraction_sign(text_, at_)) {
    read_digits(out);
    return true;
  }
  at_ += first.length;
  return false;
}

/// Reads a run of ASCII letters and digits, the most common text. \return the new size of the word
std::size_t word_reader::read_ascii_run(word& out, std::size_t size) noexcept {
  const char* from = text_.data() + at_;
  const char* const end = text_.data() + text_.size();
  char* const to = bytes_.data();
  std::uint64_t special = 0;
  const bool first = size == 0;
  if (first) out.capital = *from >= 'A' && *from <= 'Z';
  bool more = true;
  if constexpr (std::endian::native == std::endian::little) {
    while (more && end - from >= 8 && size + 8 <= max_word_bytes) {
      const eight_bytes found = read_eight(from, to + size);
      special |= found.special & (size == 0 ? ~std::uint64_t{0xFF} : ~std::uint64_t{0});
      const std::size_t length = found.length();
      size += length;
      from += length;
      more = length == 8;
    }
  }
  for (; more && from != end; ++from) {
    const unsigned char kind = class_of(*from);
    if (kind == separator || kind == beyond_ascii) break;
    const char folded = kind == digit ? *from : static_cast<char>(kind);
    special |= size != 0 && (kind == digit || folded != *from) ? 1U : 0U;
    to[size] = folded;
    size += size < max_word_bytes ? 1U : 0U;
  }
  out.inner_capital |= special != 0;
  at_ = static_cast<std::size_t>(from - text_.data());
  return size;
}

void word_reader::read_plain(word& out) noexcept {
  out.kind = word::form::plain;
  out.capital = out.inner_capital = false;
  out.begin = at_;
  out.end = 0;
  std::size_t size = 0;
  for (;;) {
    size = read_ascii_run(out, size);
    if (at_ == text_.size()) break;
    const char next = text_[at_];
    if (next == '\'' || next == '\xE2') {
      if (const std::size_t mark = apostrophe_at(at_); mark != 0) {
        out.end = at_;
        at_ += mark + short_form(at_ + mark);
        break;
      }
    }
    if (class_of(next) != beyond_ascii) break;
    const letter found = first_letter(text_.substr(at_));
    if (found.kind != letter_kind::letter && found.kind != letter_kind::ignored) break;
    if (found.capital) (size == 0 ? out.capital : out.inner_capital) = true;
    if (size + found.size <= max_word_bytes) {
      std::copy_n(found.folded.begin(), found.size, bytes_.begin() + static_cast<std::ptrdiff_t>(size));
      size += found.size;
    }
    at_ += found.length;
  }
  out.size = size;
  if (out.end == 0) out.end = at_;
  finish_plain(out);
}

/// Returns true for `US` and `U.S.`, but not for the pronoun.
bool word_reader::is_united_states(const word& out) const noexcept {
  const bool us = out.size == 2 && bytes_[0] == 'u' && bytes_[1] == 's';
  return us && (out.inner_capital || text_[out.begin + 1] == '.');
}

/// Returns true for the `A` of `Hepatitis A` or `Team A won`: it is inside a sentence, and no capital follows
/// as in a title.
bool word_reader::is_letter_a(const word& out) const noexcept {
  if (out.size != 1 || text_[out.begin] != 'A' || out.begin < 2) return false;
  const unsigned char before = class_of(text_[out.begin - 2]);
  const std::size_t next = text_.find_first_not_of(' ', out.end);
  const bool inside = text_[out.begin - 1] == ' ' && before != separator;
  return inside && (next == std::string_view::npos || text_[next] < 'A' || text_[next] > 'Z');
}

/// Returns true for the month May, which has a capital inside a sentence or a number after it.
bool word_reader::is_may(const word& out) const noexcept {
  if (language_ != language::english || !out.capital) return false;
  if (std::string_view(bytes_.data(), out.size) != "may") return false;
  const std::string_view after = text_.substr(out.end, 2);
  if (after.size() == 2 && after[0] == ' ' && class_of(after[1]) == digit) return true;
  if (out.inner_capital) return false;  // YOU MAY NOT
  bool blank = true;                    // nothing but blanks is between the word and `at`
  std::size_t at = out.begin;
  for (; at > 0 && class_of(text_[at - 1]) == separator; --at) {
    const char c = text_[at - 1];
    if (c == '!' || c == '?' || (c == '.' && !is_inner_dot(text_, at - 1, language_))) return false;
    const char end = at > 1 ? text_[at - 2] : '\n';
    const bool wrapped = blank && (end == ',' || (end >= 'a' && end <= 'z'));
    if (c == '\n' && !wrapped) return false;
    blank = blank && (c == ' ' || c == '\n');
  }
  return at > 0;
}

/// Completes a plain word: a single letter may start initials, `US` is not the pronoun, a letter `A` is not
/// the article, `May` may be the month, and full-width digits or a numeral are a number.
void word_reader::finish_plain(word& out) noexcept {
  if (out.size == 1 && out.end == at_) read_initials(out);
  if (is_united_states(out)) bytes_[out.size++] = 'a';
  if (is_letter_a(out)) bytes_[out.size++] = '\'';
  if (is_may(out)) {
    out.kind = word::form::month;
    bytes_[2] = 'i';  // month_stem(5)
    return;
  }
  const std::string_view text(bytes_.data(), out.size);
  const std::uint32_t value = spelled_value(text, language_);
  if (value > 1 || (value == 1 && scale_follows(text_, at_))) {
    out.kind = word::form::number;
    out.value = read_spelled(text_, value, at_);
    out.end = at_;
    out.size = 0;
  } else if (class_of(bytes_[0]) == digit &&  // full-width digits, folded to ASCII
             std::ranges::all_of(text, [](char c) { return class_of(c) == digit; })) {
    std::size_t place = 0;
    out.kind = word::form::number;
    out.value = read_number(text, place, language_);
    out.size = 0;
  }
}

/// Reads the rest of `U.S.` or `e.g.`, whose letters are one word.
void word_reader::read_initials(word& out) noexcept {
  const auto initial = [&](std::size_t at) {
    return at + 1 < text_.size() && text_[at] == '.' && class_of(text_[at + 1]) > beyond_ascii &&
           (at + 2 == text_.size() || class_of(text_[at + 2]) == separator);
  };
  while (out.size < 8 && initial(at_)) {
    bytes_[out.size++] = static_cast<char>(class_of(text_[at_ + 1]));
    at_ += 2;
  }
  if (out.size > 1 && at_ < text_.size() && text_[at_] == '.') ++at_;
  out.end = at_;
}

/// Reads two adjacent ideographs as one word, or a single one that has no neighbour. \return false for the
/// last character of a run, which is already part of a pair
bool word_reader::read_ideographs(word& out) noexcept {
  const letter first = first_letter(text_.substr(at_));
  const std::size_t after = at_ + first.length;
  const letter second = after < text_.size() ? first_letter(text_.substr(after)) : letter{};
  const bool pair = second.kind == letter_kind::ideograph;
  const bool covered = second_at_ == at_ && !pair;  // the second of a pair, and not the first of another
  out.kind = word::form::pair;
  out.capital = out.inner_capital = false;
  out.begin = at_;
  out.end = pair ? after + second.length : after;
  std::copy_n(first.folded.begin(), first.size, bytes_.begin());
  std::copy_n(second.folded.begin(), pair ? second.size : 0, bytes_.begin() + first.size);
  out.size = std::size_t{first.size} + (pair ? second.size : 0U);
  at_ = after;
  if (pair) second_at_ = after;
  return !covered;
}

/// Returns true if a date in digits starts here, and sets `date_` to its parts.
bool word_reader::find_date() noexcept {
  std::array<unsigned, 3> values{};
  std::array<std::size_t, 3> sizes{};
  std::size_t at = at_;
  char mark = 0;
  for (std::size_t part = 0; part < 3; ++part) {
    date_[part] = {at, at, 0};
    for (; at < text_.size() && class_of(text_[at]) == digit; ++at) {
      if (++sizes[part] > 4) return false;
      values[part] = values[part] * 10 + static_cast<unsigned>(text_[at] - '0');
    }
    date_[part].end = at;
    if (part == 2) break;
    if (at >= text_.size() || (part == 1 && text_[at] != mark)) return false;
    mark = text_[at++];
    if (mark != '-' && mark != '.' && mark != '/') return false;
  }
  const bool year_first = sizes[0] == 4 && sizes[1] == 2 && sizes[2] == 2 && mark == '-';
  const bool year_last = sizes[0] <= 2 && sizes[1] <= 2 && sizes[2] == 4 && mark != '-';
  if (sizes[0] == 0 || sizes[1] == 0 || (!year_first && !year_last)) return false;
  const bool month_first = mark == '/' && values[0] <= 12;
  const std::size_t month = year_first || !month_first ? 1 : 0;
  const std::size_t day = year_first ? 2 : 1 - month;
  if (values[month] < 1 || values[month] > 12 || values[day] < 1 || values[day] > 31) return false;
  date_[month].month = static_cast<std::uint8_t>(values[month]);
  return true;
}

void word_reader::read_digits(word& out) noexcept {
  out.capital = out.inner_capital = false;
  out.size = 0;
  const auto mark = [&](std::size_t at) {
    return at < text_.size() && (text_[at] == '-' || text_[at] == '.' || text_[at] == '/');
  };
  if ((mark(at_ + 1) || mark(at_ + 2) || mark(at_ + 4)) && find_date()) {
    date_left_ = 3;
    read_date(out);
    return;
  }
  out.begin = minus_before(text_, at_);
  if (out.begin == at_) out.begin = sign_before(text_, at_).begin;
  out.kind = word::form::number;
  constexpr std::size_t longest = 32;  // bytes of a number before a comma
  const std::size_t last = std::min(at_ + longest, text_.size());
  std::size_t end = at_;
  while (end < last && (class_of(text_[end]) == digit || text_[end] == '.')) ++end;
  out.value = read_number(ends_field(end) ? text_.substr(0, end) : text_, at_, language_);
  out.end = at_;
}

/// Returns true if a comma at \p at separates fields. Looks at each line once.
bool word_reader::ends_field(std::size_t at) noexcept {
  if (at + 1 >= text_.size() || text_[at] != ',' || text_[at + 1] == ' ') return false;
  if (at >= line_end_) {
    fields_ = has_fields(text_, at);
    line_end_ = std::min(text_.find('\n', at), text_.size());
  }
  return fields_;
}

bool word_reader::read_date(word& out) noexcept {
  const date_part& part = date_[3U - date_left_--];
  out.begin = part.begin;
  out.end = part.end;
  if (part.month != 0) {
    const std::string_view name = month_stem(part.month);
    std::copy(name.begin(), name.end(), bytes_.begin());
    out.kind = word::form::month;
    out.size = name.size();
  } else {
    std::size_t place = 0;
    out.kind = word::form::number;
    out.value = read_number(text_.substr(part.begin, part.end - part.begin), place, language_);
    out.size = 0;
  }
  at_ = part.end;
  return true;
}

/// Returns the size of the apostrophe at \p at, or 0 if another character is there.
std::size_t word_reader::apostrophe_at(std::size_t at) const noexcept {
  if (text_[at] == '\'') return 1;
  return text_.substr(at).starts_with("\xE2\x80\x99") ? 3 : 0;
}

/// Returns the size of `s`, `t`, `re`, `ve`, `ll`, `d` or `m` at \p at if no letter follows. Returns 0 for
/// other words, which are read separately (`O'Brien`, `l'eau`).
std::size_t word_reader::short_form(std::size_t at) const noexcept {
  std::size_t size = 0;
  while (at + size < text_.size() && class_of(text_[at + size]) > beyond_ascii && size < 3) ++size;
  if (size == 0 || size > 2) return 0;
  if (at + size < text_.size() && class_of(text_[at + size]) != separator &&
      class_of(text_[at + size]) != beyond_ascii) {
    return 0;
  }
  const char a = static_cast<char>(class_of(text_[at]));
  const char b = size == 2 ? static_cast<char>(class_of(text_[at + 1])) : '\0';
  const bool one = b == '\0' && (a == 's' || a == 't' || a == 'd' || a == 'm');
  const bool two = (b == 'e' && (a == 'r' || a == 'v')) || (a == 'l' && b == 'l');
  return one || two ? size : 0;
}

}  // namespace citestream::check_detail
