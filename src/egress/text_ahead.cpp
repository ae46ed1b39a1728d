// How text is decoded.
//
// A backslash escapes ASCII punctuation (CommonMark 0.31.2, 2.4). Character references are decoded if they
// mean an ASCII character that can be part of something active: numeric ones, and the names below. All others
// are read as the characters that they are written with.
#include "text_ahead.hpp"

#include <cstring>

#include "letters.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

struct named {
  std::string_view name;
  char value;
};
constexpr named names[] = {{"&colon;", ':'}, {"&sol;", '/'}, {"&period;", '.'}, {"&lt;", '<'}, {"&LT;", '<'}};
constexpr std::size_t max_digits = 10;

int digit_of(char c, int base) noexcept {
  const int value = ascii::hex_value(c);
  return value < base ? value : -1;
}

/// Decodes the numeric character reference at the start of \p text. Returns a plain `&` if that is not one,
/// or not of an ASCII character, and nothing if \p text ends too early to decide.
std::optional<character> numeric(std::string_view text) noexcept {
  std::size_t at = 2;
  int base = 10;
  if (at < text.size() && lower(text[at]) == 'x') {
    base = 16;
    ++at;
  }
  std::uint64_t code = 0;
  for (const std::size_t begin = at; at < text.size() && at <= begin + max_digits; ++at) {
    const int digit = digit_of(text[at], base);
    if (digit < 0) {
      const bool ascii = at > begin && text[at] == ';' && code > 0 && code < 0x80;
      return ascii ? character{static_cast<char>(code), at + 1} : character{'&', 1};
    }
    code = code * static_cast<unsigned>(base) + static_cast<unsigned>(digit);
  }
  if (at < text.size()) return character{'&', 1};
  return std::nullopt;
}

/// Decodes the character reference at the start of \p text, in the same way.
std::optional<character> decoded_reference(std::string_view text) noexcept {
  if (text.size() > 1 && text[1] == '#') return numeric(text);
  for (const named& one : names) {
    if (text.starts_with(one.name)) return character{one.value, one.name.size()};
    if (one.name.starts_with(text)) return std::nullopt;
  }
  return character{'&', 1};
}

}  // namespace

std::optional<character> text_ahead::at(std::size_t at) const noexcept {
  if (at >= bytes.size()) {
    if (end != text_end::reached) return std::nullopt;
    return character{'\n', 0};
  }
  const std::string_view rest = bytes.substr(at);
  if (is_wide(rest[0])) return character{'\0', 1};
  std::optional<character> found = character{rest[0], 1};
  if (rest[0] == '\\') {
    if (rest.size() == 1) {
      found.reset();
    } else if (is_punctuation(rest[1])) {
      found = character{rest[1], 2};
    }
  } else if (rest[0] == '&') {
    found = decoded_reference(rest);
  }
  if (!found && end == text_end::reached) return character{rest[0], 1};
  return found;
}

void recent_text::note(std::string_view text) noexcept {
  if (text.size() >= kept) {
    std::memcpy(text_.data(), text.data() + text.size() - kept, kept);
    return;
  }
  std::memmove(text_.data(), text_.data() + text.size(), kept - text.size());
  std::memcpy(text_.data() + kept - text.size(), text.data(), text.size());
}

void recent_text::note(character one) noexcept {
  note(std::string_view(&one.value, 1));
}

std::size_t recent_text::scheme_size() const noexcept {
  std::size_t size = 0;
  while (size < kept && is_scheme_byte(back(size + 1))) ++size;
  return size;
}

bool recent_text::ends_in_scheme(std::string_view word) const noexcept {
  if (scheme_size() != word.size()) return false;
  for (std::size_t i = 1; i <= word.size(); ++i) {
    if (lower(back(i)) != word[word.size() - i]) return false;
  }
  return true;
}

bool recent_text::ends_in_footnote() const noexcept {
  for (std::size_t i = 2; i <= kept; ++i) {
    if (back(i) == '[') return back(i - 1) == '^';
  }
  return false;
}

bool recent_text::ends_in_www() const noexcept {
  return egress_detail::ends_in_www({text_.data(), kept});
}

}  // namespace citestream
