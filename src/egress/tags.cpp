#include "tags.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "letters.hpp"

namespace citestream {

using namespace egress_detail;

namespace {

// Elements that load, run or submit something, or change how what follows is read.
constexpr std::array<std::string_view, 50> never{
    "applet",     "area",    "audio", "base",        "basefont",  "body",     "button",   "command",
    "datalist",   "dialog",  "embed", "fencedframe", "form",      "frame",    "frameset", "head",
    "html",       "iframe",  "image", "input",       "isindex",   "keygen",   "link",     "listing",
    "map",        "marquee", "math",  "meta",        "noembed",   "noframes", "noscript", "object",
    "optgroup",   "option",  "param", "picture",     "plaintext", "portal",   "script",   "select",
    "selectmenu", "source",  "style", "svg",         "template",  "textarea", "title",    "track",
    "video",      "xmp"};
constexpr std::array<std::string_view, 21> plain_attributes{
    "align", "alt",    "class", "colspan", "data-citation", "dir",     "height",
    "id",    "lang",   "name",  "open",    "rel",           "rowspan", "scope",
    "start", "target", "title", "type",    "valign",        "value",   "width"};

template <class List>
bool is_one_of(std::string_view name, const List& list) {
  return std::find(list.begin(), list.end(), in_lower_case(name)) != list.end();
}

bool is_name_byte(char c) noexcept {
  return is_alphanumeric(c) || c == '-';
}

// Takes `<name` or `</name` off the front.
std::string_view take_name(std::string_view& tag) noexcept {
  tag.remove_prefix(tag.starts_with("</") ? 2 : 1);
  const auto end = std::find_if_not(tag.begin(), tag.end(), &is_name_byte);
  const std::string_view name = tag.substr(0, static_cast<std::size_t>(end - tag.begin()));
  tag.remove_prefix(name.size());
  return name;
}

void skip_blanks(std::string_view& text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || is_line_end(text.front()))) {
    text.remove_prefix(1);
  }
}

struct attribute {
  std::string_view name;
  std::string_view value;
  bool quoted{};
  bool valued{};
};

// CommonMark 0.31.2, 6.6. `text` begins behind white space. \return false: there is none
bool take_attribute(std::string_view& text, attribute& out) noexcept {
  const auto in_name = [](char c) {
    return is_alphanumeric(c) || c == '_' || c == ':' || c == '.' || c == '-';
  };
  const auto end = std::find_if_not(text.begin(), text.end(), in_name);
  out = {text.substr(0, static_cast<std::size_t>(end - text.begin())), {}, false, false};
  if (out.name.empty() || is_digit(out.name[0]) || out.name[0] == '-' || out.name[0] == '.') return false;
  text.remove_prefix(out.name.size());
  std::string_view behind = text;
  skip_blanks(behind);
  if (!behind.starts_with('=')) return true;
  behind.remove_prefix(1);
  skip_blanks(behind);
  if (behind.empty()) return false;
  const char quote = behind.front();
  out.valued = true;
  out.quoted = quote == '"' || quote == '\'';
  if (out.quoted) behind.remove_prefix(1);
  const std::size_t size =
      std::min(out.quoted ? behind.find(quote) : behind.find_first_of(" \t\n\r\"'=<>`"), behind.size());
  if (size == behind.size() || (size == 0 && !out.quoted)) return false;
  out.value = behind.substr(0, size);
  text = behind.substr(size + (out.quoted ? 1 : 0));
  return true;
}

// Whether everybody reads the value as it stands there, and it begins nothing of its own.
bool is_plain_value(std::string_view value) noexcept {
  return std::none_of(value.begin(), value.end(), [](char c) {
    return (is_blank(c) && c != ' ') || c == '<' || c == '>' || c == '&' || c == '`' || c == '\\' ||
           c == '[' || c == ']' || c == '"' || c == '\'' || c == '|' || c == '~';
  });
}

bool is_harmless(std::string_view element, const attribute& one, address_book& book) {
  if (!is_plain_value(one.value) || one.name.find('.') != std::string_view::npos) return false;
  if (!one.valued) return true;
  const bool address =
      (is_one_of(element, std::array<std::string_view, 1>{"a"}) && in_lower_case(one.name) == "href") ||
      (is_one_of(element, std::array<std::string_view, 1>{"img"}) && in_lower_case(one.name) == "src");
  if (address) return book.allows_destination(one.value);
  // Where the tag is none for somebody, what is in it must not be an address either.
  return is_one_of(one.name, plain_attributes) && one.value.find("//") == std::string_view::npos &&
         !names_www(one.value);
}

// What is left of a tag behind its name. \return false: it is none
bool judge_attributes(std::string_view element, std::string_view text, address_book& book, bool& harmless) {
  for (attribute one;;) {
    const std::size_t before = text.size();
    skip_blanks(text);
    if (text == ">" || text == "/>") return true;
    if (text.size() == before || !take_attribute(text, one)) return false;
    harmless = harmless && is_harmless(element, one, book);
  }
}

// U+2028 or U+2029: behind it some find a line of a quote and take its mark away, which may be what ends a
// tag.
bool holds_line_end(std::string_view tag) noexcept {
  return tag.find("\xE2\x80\xA8") != std::string_view::npos ||
         tag.find("\xE2\x80\xA9") != std::string_view::npos;
}

// Prose: nothing in it has a value, and nothing in it is Markdown.
bool is_prose(std::string_view tag) noexcept {
  return !names_www(tag) && std::all_of(tag.begin(), tag.end(), [](char c) {
    constexpr std::string_view plain = " -_.,&'\"|*+^%()?<>";
    return is_word(c) || plain.find(c) != std::string_view::npos;
  });
}

}  // namespace

reading tag_reader::take(char c) {
  const bool line_end = is_line_end(c);
  if (part_ == part::address) {
    if (c == '>') return reading::done;
    return is_blank(c) || c == '<' ? reading::failed : reading::more;
  }
  // A blank line ends all that is open.
  if (line_end && c == '\n' && ended_line_) return reading::failed;
  if (line_end) {
    ended_line_ = true;
  } else if (c != ' ' && c != '\t') {
    ended_line_ = false;
  }
  if (part_ == part::quoted) {
    if (c == quote_) part_ = part::inside;
    return reading::more;
  }
  if (c == '>') return reading::done;
  if (c == '<') return reading::failed;
  if (part_ == part::name) {
    if (c == ':' || c == '@') part_ = part::address;
    if (is_blank(c) || c == '/') part_ = part::inside;
  } else if (c == '=') {
    part_ = part::equals;
  } else if (part_ == part::equals && (c == '"' || c == '\'')) {
    part_ = part::quoted;
    quote_ = c;
  } else if (!is_blank(c)) {
    part_ = part::inside;
  }
  return reading::more;
}

tag_verdict judge_tag(std::string_view tag, address_book& book) {
  if (holds_line_end(tag)) return tag_verdict::text;
  std::string_view rest = tag;
  const std::string_view element = take_name(rest);
  const bool blocked = is_one_of(element, never);
  bool harmless = !blocked;
  const bool one_line = tag.find_first_of("\r\n") == std::string_view::npos;
  if (judge_attributes(element, rest, book, harmless)) {
    return harmless && one_line ? tag_verdict::harmless : tag_verdict::tag;
  }
  if (blocked) return tag_verdict::tag;
  return one_line && is_prose(tag) ? tag_verdict::harmless : tag_verdict::text;
}

bool opens_raw_block(std::string_view tag) noexcept {
  const std::string_view name = take_name(tag);
  return name.size() == 3 && lower(name[0]) == 'p' && lower(name[1]) == 'r' && lower(name[2]) == 'e';
}

bool is_mail_address(std::string_view text) noexcept {
  const std::size_t at = text.find('@');
  const auto inside = [](char c) {
    return is_alphanumeric(c) || c == '.' || c == '_' || c == '+' || c == '-';
  };
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) return false;
  // Without a dot in its host it is text for some.
  if (text.find('.', at) == std::string_view::npos || !is_alphanumeric(text[at + 1]) ||
      !is_alphanumeric(text.back()))
    return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), inside) &&
         std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.end(), inside);
}

}  // namespace citestream
