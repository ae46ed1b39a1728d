// How numbers are read.
//
// read_number() takes the parts of a number in their order: digits with separators between groups of three,
// decimals or a fraction, scale (`million`, `k`), unit (percent or currency), suffix (`th`, `s`). Each take_
// function advances the position past its part, or leaves it unchanged if the part is missing. A comma or dot
// is ambiguous: `1,499` is a group, `12,5 %` a decimal comma, `1.499,50` the European form of both.
//
// The result is normalized: trailing zeros move from `digits` into `exponent`, so `1499.0` equals `1,499`.
// Cost: linear in the bytes of the number, except that minus_before() and currency_before() look back a few.
#include "check/number.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/ascii.hpp"
#include "check/unicode_letters.hpp"

namespace citestream::check_detail {

using namespace std::string_view_literals;

namespace {

constexpr std::string_view narrow_no_break_space = "\xE2\x80\xAF";
constexpr std::string_view thin_space = "\xE2\x80\x89";
constexpr std::string_view no_break_space = "\xC2\xA0";

[[nodiscard]] bool is_digit(std::string_view text, std::size_t at) noexcept {
  return at < text.size() && ascii::is_digit(text[at]);
}

[[nodiscard]] char lower(std::string_view text, std::size_t at) noexcept {
  return at < text.size() ? ascii::lower(text[at]) : '\0';
}

[[nodiscard]] bool is_letter(std::string_view text, std::size_t at) noexcept {
  return at < text.size() && starts_letter(text[at]);
}

[[nodiscard]] std::size_t digits_at(std::string_view text, std::size_t at) noexcept {
  std::size_t count = 0;
  while (is_digit(text, at + count)) ++count;
  return count;
}

/// Returns the size of a non-breaking or thin space at \p at, or 0.
[[nodiscard]] std::size_t thin_blank_at(std::string_view text, std::size_t at) noexcept {
  if (at >= text.size() || static_cast<unsigned char>(text[at]) < 0x80) return 0;
  for (const std::string_view blank : {no_break_space, narrow_no_break_space, thin_space}) {
    if (text.substr(at).starts_with(blank)) return blank.size();
  }
  return 0;
}

/// Returns the size of a space or hyphen at \p at, between a number and its unit; 0 for other text.
[[nodiscard]] std::size_t blank_at(std::string_view text, std::size_t at) noexcept {
  const bool plain = at < text.size() && (text[at] == ' ' || text[at] == '-');
  return plain ? 1 : thin_blank_at(text, at);
}

/// Returns true if \p word (lower case) is at \p at, in any case, and no letter or digit follows it.
[[nodiscard]] bool word_at(std::string_view text, std::size_t at, std::string_view word) noexcept {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (lower(text, at + i) != word[i]) return false;
  }
  return !is_letter(text, at + word.size()) && !is_digit(text, at + word.size());
}

void take_digits(std::string_view digits, number& out) noexcept {
  constexpr std::uint64_t most = 100'000'000'000'000'000;
  for (const char c : digits) {
    if (out.digits < most) {
      out.digits = out.digits * 10 + static_cast<std::uint64_t>(c - '0');
    } else {
      ++out.exponent;
    }
  }
}

/// Returns the size of a separator (`,` or a non-breaking or thin space) before a group of three digits, or
/// 0.
[[nodiscard]] std::size_t group_mark(std::string_view text, std::size_t at) noexcept {
  const std::size_t size = at < text.size() && text[at] == ',' ? 1 : thin_blank_at(text, at);
  return size != 0 && digits_at(text, at + size) == 3 ? size : 0;
}

/// Returns true for the comma before decimals: `12,5 %`, and `1,5` and `0,2516` in languages that write so.
/// Three digits are a group.
[[nodiscard]] bool is_decimal_comma(std::string_view text, std::size_t at, bool european) noexcept {
  const std::size_t count = text[at] == ',' ? digits_at(text, at + 1) : 0;
  if (count == 0 || count == 3 || (count > 3 && !european)) return false;
  const std::size_t end = at + 1 + count;
  const bool list = end < text.size() && text[end] == ',' && is_digit(text, end + 1);
  if (european && !list) return true;
  return text.substr(std::min(end + blank_at(text, end), text.size())).starts_with('%');
}

void take_decimals(std::string_view text, std::size_t& at, number& out, bool european) noexcept {
  if (at >= text.size() || !is_digit(text, at + 1)) return;
  if (text[at] != '.' && !is_decimal_comma(text, at, european)) return;
  const std::size_t count = digits_at(text, at + 1);
  const std::int32_t before = out.exponent;
  take_digits(text.substr(at + 1, count), out);
  const auto cut = out.exponent - before;  // digits dropped because there were too many
  out.exponent = before - (static_cast<std::int32_t>(std::min<std::size_t>(count, 1'000'000)) - cut);
  at += count + 1;
}

/// Reads the `½` of `1½` or `1 ½`, the ` 1/2` of `1 1/2`, and other quarters. In "on May 5 1/2 of the staff
/// left" there are two numbers.
void take_fraction(std::string_view text, std::size_t& at, number& out) noexcept {
  struct quarter {
    std::string_view written;
    std::uint64_t hundredths;
  };
  static constexpr quarter quarters[] = {{"¼", 25},  {"½", 50},    {"¾", 75},    {" ¼", 25},  {" ½", 50},
                                         {" ¾", 75}, {" 1/4", 25}, {" 1/2", 50}, {" 3/4", 75}};
  constexpr std::uint64_t most = 999;
  if (at >= text.size() || (text[at] != ' ' && text[at] != quarters[0].written[0])) return;
  for (const auto& [written, hundredths] : quarters) {
    const std::size_t end = at + written.size();
    if (!text.substr(at).starts_with(written) || out.exponent != 0 || out.digits > most) continue;
    const std::string_view after = text.substr(end);
    if (is_digit(text, end) || after.starts_with('/') || after.starts_with(" of ")) continue;
    out.digits = out.digits * 100 + hundredths;
    out.exponent = -2;
    at = end;
    return;
  }
}

/// A currency, and how many bytes its sign or name has.
struct currency_name {
  char currency{};  ///< see number::currency; 0: none
  std::size_t size{};
};

/// Returns the currency whose sign or name is at \p at.
[[nodiscard]] currency_name currency_at(std::string_view text, std::size_t at) noexcept {
  const char initial = lower(text, at);
  if (static_cast<unsigned char>(initial) >= 0x80) {
    for (const auto& [sign, currency] : {std::pair{"€"sv, 'e'}, std::pair{"£"sv, 'p'}}) {
      if (text.substr(at).starts_with(sign) && !is_digit(text, at + sign.size()))
        return {currency, sign.size()};
    }
    return {};
  }
  if (initial != 'd' && initial != 'u' && initial != 'e' && initial != 'g') return {};
  static constexpr std::string_view names[] = {"dollars", "dollar", "dólares", "dólar", "usd",
                                               "euros",   "euro",   "eur",     "gbp"};
  for (const std::string_view name : names) {
    if (name[0] == initial && word_at(text, at, name))
      return {initial == 'e' ? 'e' : initial == 'g' ? 'p' : '$', name.size()};
  }
  return {};
}

/// Reads `1.499,50` or `1.499.000`, and `1.499` in languages that write so and in amounts of euros. \return
/// false if the text at \p at is not such a number
[[nodiscard]] bool take_dotted_groups(std::string_view text, std::size_t& at, number& out,
                                      bool european) noexcept {
  const std::size_t end = at + digits_at(text, at);
  if (end - at > 3) return false;
  std::size_t groups = 0;
  std::size_t place = end;
  while (place < text.size() && text[place] == '.' && digits_at(text, place + 1) == 3) {
    place += 4;
    ++groups;
  }
  const bool decimals = place < text.size() && text[place] == ',' && digits_at(text, place + 1) == 2;
  if (groups == 0) return false;
  const bool thousand =
      text[at] != '0' && !is_digit(text, place) &&
      (european || out.currency == 'e' || currency_at(text, place + blank_at(text, place)).currency == 'e');
  if (groups == 1 && !decimals && !thousand) return false;
  for (std::size_t i = at; i < place; ++i) {
    if (text[i] != '.') take_digits(text.substr(i, 1), out);
  }
  if (decimals) {
    take_digits(text.substr(place + 1, 2), out);
    out.exponent -= 2;
    place += 3;
  }
  at = place;
  return true;
}

struct scale {
  std::string_view word;
  std::int32_t exponent;
};
constexpr std::array<scale, 30> scales{
    {{"million", 6},  {"billion", 9},   {"thousand", 3},   {"trillion", 12},  {"hundred", 2},
     {"mn", 6},       {"bn", 9},        {"tn", 12},        {"mio", 6},        {"crore", 7},
     {"lakh", 5},     {"mrd", 9},       {"millions", 6},   {"millionen", 6},  {"millones", 6},
     {"milliard", 9}, {"milliards", 9}, {"milliarde", 9},  {"milliarden", 9}, {"billions", 9},
     {"md", 9},       {"mds", 9},       {"mil", 3},        {"mille", 3},      {"tausend", 3},
     {"tsd", 3},      {"millón", 6},    {"billionen", 12}, {"billones", 12},  {"thousands", 3}}};

/// Reads the scale of `1.5 million`, `2bn`, `$5M`, `10k`. \return false if no scale follows
bool take_scale(std::string_view text, std::size_t& at, number& out) noexcept {
  const std::size_t blank = blank_at(text, at);
  const std::size_t start = at + blank;
  if (!is_letter(text, start)) return false;
  const char initial = lower(text, start);
  if ("bchklmt"sv.find(initial) == std::string_view::npos) return false;
  for (const scale& each : scales) {
    if (each.word[0] != initial || !word_at(text, start, each.word)) continue;
    out.exponent += each.exponent;
    out.scaled = true;
    at = start + each.word.size();
    return true;
  }
  const bool sign = text.substr(std::min(start + 1, text.size())).starts_with("€"sv);  // `3 M€`
  if ((blank != 0 && !sign) || is_letter(text, start + 1) || is_digit(text, start + 1)) return false;
  const char c = text[start];
  const bool money = out.kind == number_kind::money;
  const std::int32_t exponent = c == 'k' || c == 'K'                ? 3
                                : c == 'M' || (money && c == 'm')   ? 6
                                : (money && (c == 'B' || c == 'b')) ? 9
                                : (money && (c == 'T' || c == 't')) ? 12
                                                                    : 0;
  if (exponent == 0) return false;
  out.exponent += exponent;
  out.scaled = true;
  at = start + 1;
  return true;
}

/// Reads the groups of `1 499 euros`. An ordinary space separates groups only in an amount with a currency,
/// and before a word or a mark in languages that write so (`12 500 habitants`); in a table it separates
/// numbers.
void take_spaced_groups(std::string_view text, std::size_t& at, number& out, bool european) noexcept {
  std::size_t end = at;
  while (end < text.size() && text[end] == ' ' && digits_at(text, end + 1) == 3) end += 4;
  if (end == at) return;
  const bool word = is_letter(text, end + blank_at(text, end)) || end == text.size() ||
                    ".,;)"sv.find(text[end]) != std::string_view::npos;
  if (!(european && word) && out.currency == 0 &&
      currency_at(text, end + blank_at(text, end)).currency == 0) {
    return;
  }
  for (; at < end; at += 4) take_digits(text.substr(at + 1, 3), out);
}

/// Returns the size of `de` or `d'` between a scale and a currency (`3 milliards d'euros`), or 0.
[[nodiscard]] std::size_t of_at(std::string_view text, std::size_t at) noexcept {
  for (const std::string_view of : {"d'"sv, "d’"sv, "de "sv}) {
    if (text.substr(std::min(at, text.size())).starts_with(of)) return of.size();
  }
  return 0;
}

/// Reads a percent sign, `percent` or a currency, if one follows.
void take_unit(std::string_view text, std::size_t& at, number& out) noexcept {
  constexpr std::string_view wide_percent = "\xEF\xBC\x85";
  const std::size_t blank = blank_at(text, at);
  std::size_t start = at + blank + (out.scaled ? of_at(text, at + blank) : 0);
  if (start + 1 < text.size() && text[start] == '\\' && text[start + 1] == '%') ++start;  // LaTeX: `$12\%$`
  if (start >= text.size()) return;
  const bool ascii_percent = text[start] == '%';
  if (ascii_percent || (text[start] < 0 && text.substr(start).starts_with(wide_percent))) {
    out.kind = number_kind::percent;
    out.currency = 0;
    at = start + (ascii_percent ? 1 : wide_percent.size());
    return;
  }
  if (const currency_name name = currency_at(text, start); name.currency != 0) {
    out.kind = number_kind::money;
    out.currency = name.currency;
    at = start + name.size;
    return;
  }
  if (lower(text, start) != 'p') return;
  static constexpr std::string_view percents[] = {"percent", "per cent",  "pct",
                                                  "prozent", "pour cent", "por ciento"};
  for (const std::string_view word : percents) {
    if (!word_at(text, start, word)) continue;
    out.kind = number_kind::percent;
    at = start + word.size();
    return;
  }
}

/// Gives a number the scale of the number after it in a range: "from 96 to 71 million".
void take_scale_of_range(std::string_view text, std::size_t at, number& out) noexcept {
  if (at + 1 >= text.size()) return;
  const bool word = text[at] == ' ' && "tabh\xC3\xE2"sv.find(text[at + 1]) != std::string_view::npos;
  if (!word && !(text[at] == '-' && is_digit(text, at + 1))) return;
  static constexpr auto between = list_of(" to ", " auf ", " bis ", " à ", " a ", " hasta ", "-", " – ");
  for (const std::string_view to : between) {
    if (!text.substr(at).starts_with(to) || !is_digit(text, at + to.size())) continue;
    constexpr std::size_t longest = 16;  // bytes
    const std::size_t start = at + to.size();
    const std::size_t size = text.substr(start, longest).find_first_not_of("0123456789.,");
    if (size == std::string_view::npos) return;
    std::size_t end = start + size;
    take_scale(text, end, out);
    return;
  }
}

/// `am`, `pm`, `a.m.` or `p.m.`
struct half_day {
  std::size_t size{};  ///< in bytes; 0: other text
  bool afternoon{};
};

[[nodiscard]] half_day half_day_at(std::string_view text, std::size_t at, language in) noexcept {
  const std::size_t blank = blank_at(text, at);
  const char first = lower(text, at + blank);
  if (first != 'a' && first != 'p') return {};
  const bool dots = at + blank + 1 < text.size() && text[at + blank + 1] == '.';
  if (!dots && first == 'a' && vocabulary_of(in) != language::english)
    return {};  // the German `am` is "on the"
  const std::size_t m = at + blank + (dots ? 2 : 1);
  if (lower(text, m) != 'm' || is_letter(text, m + 1) || is_digit(text, m + 1)) return {};
  return {m + 1 - at + (dots && m + 1 < text.size() && text[m + 1] == '.' ? 1 : 0), first == 'p'};
}

/// Returns true if minutes follow the hour that ends at \p at: `:30`, or `.30` before `Uhr`, `am` or `pm`.
[[nodiscard]] bool minutes_at(std::string_view text, std::size_t at, language in) noexcept {
  if (at >= text.size() || digits_at(text, at + 1) != 2) return false;
  if (text[at] != '.') return text[at] == ':';
  const std::size_t end = at + 3;
  return word_at(text, end + blank_at(text, end), "uhr") || half_day_at(text, end, in).size != 0;
}

/// Reads the rest of a time whose hour is the \p count digits before \p at: `:00`, `pm`. Adds 12 to an hour
/// of the afternoon. Other minutes stay a number of their own, after which `pm` is only skipped. \return true
/// if it is a time with minutes
bool take_time(std::string_view text, std::size_t& at, std::size_t count, language in, number& out) noexcept {
  const std::size_t first = at - count;
  if (count == 2 && first > 1 && is_digit(text, first - 2) && minutes_at(text, first - 1, in)) {
    at += half_day_at(text, at, in).size;
    return true;
  }
  if (count > 2 || out.digits > 24) return false;
  const bool minutes = minutes_at(text, at, in);
  const std::size_t end = minutes ? at + 3 : at;
  const half_day half = out.digits == 0 || out.digits > 12 ? half_day{} : half_day_at(text, end, in);
  if (half.size != 0) out.digits = out.digits % 12 + (half.afternoon ? 12 : 0);
  const bool seconds = end < text.size() && text[end] == ':';
  if (!minutes || (!seconds && text.substr(at + 1, 2) == "00")) at = end + half.size;
  return minutes;
}

/// Skips the letters of `21st` and `1990s`.
void take_suffix(std::string_view text, std::size_t& at) noexcept {
  if (!is_letter(text, at)) return;
  static constexpr std::string_view suffixes[] = {"st", "nd", "rd", "th", "s"};
  for (const std::string_view suffix : suffixes) {
    if (!word_at(text, at, suffix)) continue;
    at += suffix.size();
    return;
  }
}

/// Returns the currency whose sign is before \p at, with or without a blank; 0 without a sign.
[[nodiscard]] char currency_before(std::string_view text, std::size_t at) noexcept {
  const bool blank = at > 0 && text[at - 1] == ' ';
  const std::size_t end = blank ? at - 1 : at;
  if (blank && end > 2 && ascii::lower(text[end - 1]) != text[end - 1]) {
    const std::string_view code = text.substr(end - 3, 3);
    return code == "USD" ? '$' : code == "EUR" ? 'e' : code == "GBP" ? 'p' : '\0';
  }
  return sign_before(text, end).currency;
}

struct numeral {
  std::string_view word;
  std::uint32_t value;
};
// The first nine are in order: see take_ones().
constexpr numeral english_numerals[] = {
    {"one", 1},       {"two", 2},       {"three", 3},    {"four", 4},     {"five", 5},       {"six", 6},
    {"seven", 7},     {"eight", 8},     {"nine", 9},     {"ten", 10},     {"eleven", 11},    {"twelve", 12},
    {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15}, {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18},
    {"nineteen", 19}, {"twenty", 20},   {"thirty", 30},  {"forty", 40},   {"fifty", 50},     {"sixty", 60},
    {"seventy", 70},  {"eighty", 80},   {"ninety", 90}};
constexpr numeral german_numerals[] = {
    {"zwei", 2}, {"drei", 3},  {"vier", 4}, {"funf", 5},   {"sechs", 6},    {"acht", 8},    {"sieben", 7},
    {"neun", 9}, {"zehn", 10}, {"elf", 11}, {"zwolf", 12}, {"zwanzig", 20}, {"dreisig", 30}};
// `neuf` is also "new".
constexpr numeral french_numerals[] = {{"deux", 2},  {"trois", 3},  {"quatre", 4}, {"cinq", 5},
                                       {"six", 6},   {"sept", 7},   {"huit", 8},   {"dix", 10},
                                       {"onze", 11}, {"douze", 12}, {"vingt", 20}, {"trente", 30}};
constexpr numeral spanish_numerals[] = {
    {"dos", 2},   {"tres", 3},  {"cuatro", 4}, {"cinco", 5}, {"seis", 6},    {"siete", 7},   {"ocho", 8},
    {"nueve", 9}, {"diez", 10}, {"once", 11},  {"doce", 12}, {"veinte", 20}, {"treinta", 30}};

constexpr std::array<std::span<const numeral>, 5> numerals{english_numerals, german_numerals, french_numerals,
                                                           spanish_numerals,
                                                           english_numerals};  // the last: other

/// Reads `-five`, ` five` or `-fifth` after a multiple of ten.
void take_ones(std::string_view text, std::size_t& at, std::uint64_t& digits) noexcept {
  if (at >= text.size() || (text[at] != '-' && text[at] != ' ')) return;
  static constexpr std::string_view ranks[] = {"first", "second",  "third",  "fourth", "fifth",
                                               "sixth", "seventh", "eighth", "ninth"};
  for (std::size_t i = 0; i < std::size(ranks); ++i) {
    const std::string_view unit = english_numerals[i].word;
    const bool rank = text[at] == '-' && word_at(text, at + 1, ranks[i]);
    if (!rank && !word_at(text, at + 1, unit)) continue;
    digits += i + 1;
    at += 1 + (rank ? ranks[i] : unit).size();
    return;
  }
}

/// Reads ` hundred`, ` hundred five` or ` hundred and five`.
void take_hundred(std::string_view text, std::size_t& at, std::uint64_t& digits) noexcept {
  constexpr std::string_view hundred = "hundred";
  constexpr std::size_t longest = 9;  // bytes of a numeral
  if (digits > 9 || at >= text.size() || text[at] != ' ' || !word_at(text, at + 1, hundred)) return;
  digits *= 100;
  at += 1 + hundred.size();
  std::size_t place = at;
  if (text.substr(place).starts_with(" and ")) place += 4;
  if (place >= text.size() || text[place] != ' ') return;
  std::array<char, longest> word{};
  std::size_t size = 0;
  while (size < longest && is_letter(text, place + 1 + size)) {
    word[size] = lower(text, place + 1 + size);
    ++size;
  }
  const std::uint32_t rest = spelled_value({word.data(), size}, language::english);
  if (rest == 0 || is_letter(text, place + 1 + size)) return;
  digits += rest;
  at = place + 1 + size;
  if (rest >= 20) take_ones(text, at, digits);
}

}  // namespace

void normalize(number& out) noexcept {
  out.last = out.exponent;
  if (out.digits == 0) out.exponent = 0;
  while (out.digits != 0 && out.digits % 10 == 0) {
    out.digits /= 10;
    ++out.exponent;
  }
}

currency_sign sign_before(std::string_view text, std::size_t at) noexcept {
  if (at > 0 && text[at - 1] == '$') return {'$', at - 1};
  if (at == 0 || static_cast<unsigned char>(text[at - 1]) < 0x80) return {0, at};
  const std::string_view before = text.substr(0, at);
  static constexpr std::pair<std::string_view, char> signs[] = {
      {"€", 'e'}, {"£", 'p'}, {"¥", 'y'}, {"₹", 'r'}};
  for (const auto& [sign, currency] : signs) {
    if (before.ends_with(sign)) return {currency, at - sign.size()};
  }
  return {0, at};
}

std::size_t minus_before(std::string_view text, std::size_t at) noexcept {
  std::size_t before = at;
  if (currency_before(text, at) != 0) {  // `-$5`
    if (before > 0 && text[before - 1] == ' ') return at;
    // Back over the bytes of the currency, at most three, to `-` or the last byte of U+2212.
    while (before > 0 && text[before - 1] != '-' && text[before - 1] != '\x92' && at - before < 3) --before;
  }
  constexpr std::string_view minus = "\xE2\x88\x92";
  const char last = before > 0 ? text[before - 1] : '\0';
  if (last != '-' && last != minus.back()) return at;
  const std::size_t size = last == '-' ? 1 : text.substr(0, before).ends_with(minus) ? minus.size() : 0;
  if (size == 0) return at;
  const std::size_t sign = before - size;
  if (sign == 0) return sign;
  const char c = text[sign - 1];
  if (c == '(' || c == '\n' || c == '\t' || c == '|' || c == ':') return sign;
  if (c != ' ') return at;                                  // `10-15`, `COVID-19`
  return sign > 1 && is_digit(text, sign - 2) ? at : sign;  // `10 -15`
}

number read_number(std::string_view text, std::size_t& at, language in) noexcept {
  const bool european = vocabulary_of(in) != language::english;  // `1.499,50`
  number out;
  const std::size_t first = at;
  out.currency = currency_before(text, at);
  if (out.currency != 0) out.kind = number_kind::money;
  if (!take_dotted_groups(text, at, out, european)) {
    const std::size_t count = digits_at(text, at);
    take_digits(text.substr(at, count), out);
    at += count;
    if (count <= 3) {
      for (std::size_t mark = group_mark(text, at); mark != 0; mark = group_mark(text, at)) {
        take_digits(text.substr(at + mark, 3), out);
        at += mark + 3;
      }
      take_spaced_groups(text, at, out, european);
    }
    const bool time = at == first + count && take_time(text, at, count, in, out);
    if (!time) take_decimals(text, at, out, european);
    take_fraction(text, at, out);
  }
  const bool year = at - first == 4 && out.exponent == 0 && out.digits >= 1000 && out.digits <= 2100;
  if (take_scale(text, at, out)) take_scale(text, at, out);  // `3 mil millones`
  take_unit(text, at, out);
  if (!year && !out.scaled && out.kind == number_kind::plain) take_scale_of_range(text, at, out);
  out.decade = year && out.digits % 10 == 0 && lower(text, at) == 's' && word_at(text, at, "s");
  take_suffix(text, at);
  if (year && !out.scaled && out.kind == number_kind::plain) out.kind = number_kind::year;
  out.decade = out.decade && out.kind == number_kind::year;
  out.negative = minus_before(text, first) != first;
  normalize(out);
  return out;
}

bool scale_follows(std::string_view text, std::size_t at) noexcept {
  number unused;
  return take_scale(text, at, unused);
}

namespace {

constexpr std::array<numeral_letters, 5> read_letters() noexcept {
  std::array<numeral_letters, 5> out{};
  for (std::size_t in = 0; in < out.size(); ++in) {
    for (const numeral& each : numerals[in]) {
      out[in].first |= numeral_letters::bit(each.word[0]);
      out[in].second |= numeral_letters::bit(each.word[1]);
    }
  }
  return out;
}

}  // namespace

constexpr std::array<numeral_letters, 5> letters_of_numerals = read_letters();

std::uint32_t find_numeral(std::string_view word, language in) noexcept {
  const std::span<const numeral> known = numerals[static_cast<std::size_t>(in)];
  const auto found = std::ranges::find_if(
      known, [word](const numeral& each) { return each.word[1] == word[1] && each.word == word; });
  return found == known.end() ? 0 : found->value;
}

number read_spelled(std::string_view text, std::uint32_t value, std::size_t& at) noexcept {
  number out;
  out.digits = value;
  if (value >= 20) take_ones(text, at, out.digits);
  take_hundred(text, at, out.digits);
  take_scale(text, at, out);
  take_unit(text, at, out);
  normalize(out);
  return out;
}

}  // namespace citestream::check_detail
