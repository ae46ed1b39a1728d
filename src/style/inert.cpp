// How text is made inert.
//
// The text is read one code point at a time. shown_text skips invisible characters and joins white space.
// escaper escapes every character that could start Markdown or HTML where it is. Whether it escapes `_`, `.`,
// `&`, `-` and `=` depends on the characters next to them, so that names such as `Financial_Report.pdf` stay
// readable. There are two passes: bytes_to_show() finds where to truncate, then the text is written. Both are
// linear.
#include <citestream/style/style.hpp>

#include <algorithm>
#include <cstdint>

#include "base/characters.hpp"
#include "base/code_point.hpp"
#include "base/web_url.hpp"

namespace citestream {

namespace {

constexpr std::string_view ellipsis = "…";

/// Characters that are invisible (controls, zero-width spaces, tag characters) or change the direction of
/// text (Unicode's Bidi_Control). Joiners are kept, because scripts and emoji need them.
bool is_removed(std::uint32_t code) noexcept {
  return code < 0x20 || within(code, 0x7F, 0x9F) || code == 0xAD || code == 0x61C || code == 0x200B ||
         within(code, 0x200E, 0x200F) || within(code, 0x202A, 0x202E) || within(code, 0x2060, 0x206F) ||
         code == 0xFEFF || within(code, 0xFFF9, 0xFFFB) || within(code, 0xE0000, 0xE007F);
}

/// Iterates over the characters that are shown, on one line.
class shown_text {
 public:
  explicit shown_text(std::string_view text) noexcept : text_(text) {}

  /// The next character; " " for white space between others; empty at the end. White space at both ends is
  /// left out, because emphasis around it (`** a**`) is not emphasis.
  std::string_view next() noexcept {
    bool blank = false;
    while (!text_.empty()) {
      const code_point found = first_code_point(text_);
      if (is_white_space(found.value)) {
        blank = true;
      } else if (!is_removed(found.value)) {
        if (blank && started_) return " ";
        started_ = true;
        const std::string_view shown = text_.substr(0, found.length);
        text_.remove_prefix(found.length);
        return shown;
      }
      text_.remove_prefix(std::max<std::size_t>(found.length, 1));  // of invalid bytes, only the first one
    }
    return {};
  }

 private:
  std::string_view text_;
  bool started_{};
};

/// How many bytes of the shown text to write: all, or as many as leave room for the ellipsis.
std::size_t bytes_to_show(std::string_view text, std::size_t max_bytes) noexcept {
  const std::size_t room = max_bytes - (max_bytes < ellipsis.size() ? max_bytes : ellipsis.size());
  std::size_t bytes = 0;
  std::size_t fit = 0;  // up to the last non-blank character after which the ellipsis still fits
  shown_text shown(text);
  for (std::string_view one = shown.next(); !one.empty(); one = shown.next()) {
    bytes += one.size();
    if (bytes <= room && one != " ") fit = bytes;
    if (bytes > max_bytes) return fit;
  }
  return bytes;
}

using ascii::is_digit;
using ascii::is_letter;

/// Returns true for a letter or digit in ASCII.
bool is_alphanumeric(std::string_view one) noexcept {
  return one.size() == 1 && ascii::is_alphanumeric(one[0]);
}

/// Escapes one character after the other, depending on those around it.
class escaper {
 public:
  explicit escaper(inert_place place) noexcept
      : anywhere_(place == inert_place::anywhere), digits_(anywhere_) {}

  /// Appends \p one, escaped if necessary. \p rest: the text after it.
  void append(std::string_view one, shown_text rest, std::string& out) {
    const char c = one[0];
    if (c == '<' || c == '>') {
      out.append(c == '<' ? "&lt;" : "&gt;");
    } else if (c == '&') {
      out.append(starts_entity(rest.next()) ? "&amp;" : "&");
    } else {
      if (is_escaped(c, rest)) out += '\\';
      out.append(one);
    }
    note(one);
  }

 private:
  /// Returns true if `&` in front of \p next could start an entity, perhaps together with text after the
  /// label.
  static bool starts_entity(std::string_view next) noexcept {
    return next.empty() || next == "#" || (next.size() == 1 && is_letter(next[0]));
  }

  [[nodiscard]] bool is_escaped(char c, shown_text& rest) const noexcept {
    // `$` starts a formula in many renderers.
    constexpr std::string_view always = "\\`*{}[]()#+!|~$";
    if (always.find(c) != std::string_view::npos) return true;
    if (c == '_') return !is_alphanumeric(last_) || !is_alphanumeric(rest.next());
    if (c == '.') return digits_;                                 // `1.` starts a list
    return anywhere_ && last_.empty() && (c == '-' || c == '=');  // starts a rule, a list or a heading
  }

  void note(std::string_view one) noexcept {
    last_ = one;
    digits_ = digits_ && is_digit(one[0]);
  }

  bool anywhere_;          ///< the first character may be at the start of a line
  bool digits_;            ///< `anywhere_`, and all characters so far are digits
  std::string_view last_;  ///< empty: this is the first character
};

}  // namespace

bool append_inert_markdown(std::string_view text, std::size_t max_bytes, std::string& out,
                           inert_place place) {
  const std::size_t most = bytes_to_show(text, max_bytes);
  std::size_t bytes = 0;
  escaper escaping(place);
  shown_text shown(text);
  std::string_view one = shown.next();
  for (; !one.empty() && bytes < most; one = shown.next()) {
    escaping.append(one, shown, out);
    bytes += one.size();
  }
  const bool cut = !one.empty();
  if (cut) out.append(ellipsis);
  return cut || bytes > 0;
}

bool append_link_destination(std::string_view url, std::string& out) {
  if (!is_web_url(url) || url.size() > max_url_bytes) return false;
  const std::string_view host = url.substr(url.find("//") + 2);
  // A host is required, and not all renderers accept the brackets of an IPv6 address.
  if (host.find_first_of("/?#[\\") == 0) return false;
  for (std::size_t at = 0; at < url.size(); ++at) {
    constexpr std::size_t longest = 32;  // names of entities have at most 31 letters and digits
    if (url[at] == '&' && is_character_reference(url.substr(at), longest)) {
      out.append("&amp;");
    } else {
      append_inert_url_byte(url[at], out);
    }
  }
  return true;
}

}  // namespace citestream
