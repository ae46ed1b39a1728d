// How URLs in a text are read.
//
// A URL ends at the first byte that cannot be part of one, at a character reference or at an unbalanced `)`.
//
// A link destination counts as relative only if every reader agrees. That is so if it starts with a digit,
// because no scheme does, or with less than 64 bytes that could be a scheme and then a byte that neither ends
// a scheme nor means different things to different readers. Browsers skip control characters and white space
// in front of a URL, and line ends and tabs in it, and treat `\` like `/`. Renderers decode `&` and `\`, and
// some replace brackets and code in the destination of a link. Some skip all white space of Unicode in front
// of the destination of a link, so everything that is not ASCII is skipped there. In a block quote, a `>`
// precedes a destination on the next line.
#include "text_urls.hpp"

#include <algorithm>
#include <optional>

#include "base/web_url.hpp"
#include "letters.hpp"

namespace citestream::egress_detail {

namespace {

bool is_url_byte(char c) noexcept {
  constexpr std::string_view marks = "-._~:/?#@!$&'*+,;=%";
  return is_alphanumeric(c) || marks.find(c) != std::string_view::npos;
}

}  // namespace

match match_scheme(std::string_view text) noexcept {
  match found;
  for (const std::string_view scheme : web_schemes) {
    std::size_t same = 0;
    while (same < scheme.size() && same < text.size() && lower(text[same]) == scheme[same]) ++same;
    if (same == scheme.size()) return {likeness::whole, same};
    if (same == text.size()) found = {likeness::begun, same};
  }
  return found;
}

std::size_t url_end(std::string_view text, std::size_t at) noexcept {
  if (at < text.size() && text[at] == '[') {  // the host is an IPv6 address
    at = std::min(text.find_first_not_of("0123456789abcdefABCDEF:", at + 1), text.size());
    if (at < text.size() && text[at] == ']') ++at;
  }
  for (std::size_t open = 0; at < text.size(); ++at) {
    if (text[at] == '(') {
      ++open;
    } else if (text[at] == ')') {
      if (open-- == 0) return at;
    } else if (!is_url_byte(text[at]) || (text[at] == '&' && is_character_reference(text.substr(at)))) {
      return at;
    }
  }
  return at;
}

url_ending ending_at(const text_ahead& text, std::size_t at) noexcept {
  const std::string_view rest = text.bytes.substr(std::min(at, text.bytes.size()));
  const std::size_t mark = rest.starts_with('.') || rest.starts_with(',') || rest.starts_with(')') ? 1 : 0;
  const std::optional<character> next = text.at(at + mark);
  if (!next) return text.end == text_end::beyond_limit ? url_ending::open : url_ending::unknown;
  return next->is_plain_space() ? url_ending::certain : url_ending::open;
}

destination_kind kind_of_destination(std::string_view text, url_place place) noexcept {
  const bool definition = place != url_place::link;
  constexpr std::size_t longest = 64;
  const std::string_view seen = text.substr(0, longest);
  const auto in_head = [](char c) { return is_scheme_byte(c) || is_wide(c); };
  const auto skipped = [definition](char c) { return !definition && (is_wide(c) || is_space(c)); };
  const auto start = std::find_if_not(seen.begin(), seen.end(), skipped);
  if (start != seen.end() && is_digit(*start)) return destination_kind::relative;
  const auto stop = std::find_if_not(start, seen.end(), in_head);
  if (stop == seen.end()) return seen.size() == longest ? destination_kind::other : destination_kind::unknown;
  const std::string_view rest = seen.substr(static_cast<std::size_t>(stop - seen.begin()));
  const auto is_ambiguous = [definition](char c) {
    if (c == '[' || c == '`') return !definition;
    return c == '&' || c == '\\' || c == '<' || ascii::is_control(c);
  };
  if (rest.front() == '/') {
    // In a definition, too, characters outside ASCII in front may be white space that browsers skip.
    const bool first = std::all_of(start, stop, &is_wide);
    if (!first) return destination_kind::relative;
    if (rest.size() == 1) return destination_kind::unknown;
    return rest[1] == '/' || is_ambiguous(rest[1]) ? destination_kind::other : destination_kind::relative;
  }
  if (definition && is_line_break(rest.front())) return destination_kind::relative;
  if (place == url_place::footnote && rest.front() == ':') {  // `[^1]: Source: a book`
    if (rest.size() == 1) return destination_kind::unknown;
    return is_space(rest[1]) ? destination_kind::relative : destination_kind::other;
  }
  if (!definition && start == stop && rest.front() == '>') return destination_kind::other;
  return rest.front() == ':' || is_ambiguous(rest.front()) ? destination_kind::other
                                                           : destination_kind::relative;
}

}  // namespace citestream::egress_detail
