// How tags are removed.
//
// Every `[` may open a tag, so the open ones are kept on a stack. A character that the innermost one cannot
// contain clears the stack, because no tag can span it. A `]` that completes the innermost tag truncates the
// output to where the tag began. The tag around it then continues as if the removed one had never been there,
// so removing a tag can complete another one, and that one is removed too.
//
// Characters of a JSON string are decoded to compare them, but copied as they are written. Invariant: the
// output contains no complete tag. Cost: linear; each bracket is pushed and popped once. Before the stack
// grows, it forgets brackets that the rest of the text cannot complete, so it takes at most a few bytes for
// each byte of text. Text without brackets is copied in one piece.
#include "tags.hpp"

#include <citestream/provenance/provenance.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "base/provenance_key.hpp"

namespace citestream {

namespace {

using provenance_key::max_tag_bytes;
using provenance_key::opening;

/// One byte of text, or one character or half of a surrogate pair written as a JSON escape.
struct character {
  char meaning{};            ///< its value if it is ASCII or one byte; 0 for other escapes
  std::string_view written;  ///< as it is in the input
  std::uint32_t bytes{1};    ///< its size in UTF-8; half of four for half a pair
};

character next_plain(std::string_view text) noexcept {
  return {text.front(), text.substr(0, 1)};
}

/// Reads the next character of a valid JSON string (RFC 8259, 7).
character next_in_json(std::string_view text) noexcept {
  if (text.front() != '\\') return next_plain(text);
  if (text[1] != 'u') {
    constexpr std::string_view names = "nrtbf";
    constexpr std::string_view means = "\n\r\t\b\f";
    const std::size_t which = names.find(text[1]);
    return {which == std::string_view::npos ? text[1] : means[which], text.substr(0, 2)};
  }
  unsigned point = 0;
  for (const char digit : text.substr(2, 4)) {
    const char value = digit <= '9' ? static_cast<char>(digit - '0') : static_cast<char>((digit & 7) + 9);
    point = point * 16 + static_cast<unsigned>(value);
  }
  if (point < 0x80) return {static_cast<char>(point), text.substr(0, 6)};
  const bool half = point >= 0xD800 && point < 0xE000;  // a surrogate pair is four bytes of UTF-8
  return {'\0', text.substr(0, 6), point < 0x800 || half ? 2U : 3U};
}

/// A bracket that may open a tag. A tag inside it has to be removed before it can be completed.
struct open_tag {
  std::uint32_t begin{};  ///< its offset in the output of this text; no payload exceeds 32 bits
  std::uint16_t size{1};  ///< its bytes so far, without tags that were removed from it and the next member
  bool escaped{};         ///< its first bar is escaped (`[REF\|`)

  /// Returns the least number of bytes that complete it: the rest of `[REF|`, a byte of the key and `]`.
  [[nodiscard]] std::size_t missing() const noexcept {
    return size > opening.size() ? 1 : opening.size() + 2 - size;
  }
};

/// Appends a text without its tags.
class stripper {
 public:
  explicit stripper(std::string& out) : out_(out), start_(out.size()) {}

  /// Returns true if no tag is open, and the next character is not the line break after a header.
  [[nodiscard]] bool idle() const noexcept { return open_.empty() && !first_line_; }
  void pass(std::string_view text) { out_ += text; }

  /// \param left  the size of the text after \p next
  void take(const character& next, std::size_t left) {
    if (next.meaning == ']' && closes()) {
      out_.resize(start_ + open_.back().begin);
      open_.pop_back();
      first_line_ = out_.size() == start_;
      return;
    }
    const bool ends_header = first_line_ && next.meaning == '\n';
    first_line_ = false;
    if (ends_header) return;
    if (next.meaning == '[') {
      if (open_.size() == open_.capacity()) make_room(left);
      open_.push_back({static_cast<std::uint32_t>(out_.size() - start_)});
    } else if (!goes_on(next)) {
      open_.clear();  // no tag can span this character
    }
    out_ += next.written;
  }

 private:
  [[nodiscard]] bool closes() const noexcept { return !open_.empty() && open_.back().size > opening.size(); }

  /// Forgets the outer tags that the rest of the text is too short to complete.
  void make_room(std::size_t left) {
    auto outermost = open_.end();
    for (std::size_t missing = 0; outermost != open_.begin(); --outermost) {
      missing += std::prev(outermost)->missing();
      if (missing > left) break;
    }
    open_.erase(open_.begin(), outermost);
    if (open_.size() > open_.capacity() / 2) open_.reserve(2 * open_.capacity());
  }

  /// Returns true if \p next can continue the innermost open tag, and adds its size.
  bool goes_on(const character& next) noexcept {
    if (open_.empty() || next.meaning == ']' || next.meaning == '\n' || next.meaning == '\r') return false;
    std::uint16_t& size = open_.back().size;
    if (next.meaning == '\\' && size + 1 == opening.size() && !open_.back().escaped)
      return open_.back().escaped = true;
    if (size < opening.size() && next.meaning != opening[size]) return false;
    size = static_cast<std::uint16_t>(size + next.bytes);
    return size < max_tag_bytes;
  }

  std::string& out_;
  std::size_t start_;
  std::vector<open_tag> open_;
  bool first_line_{};  ///< the text so far has nothing but tags, and the last character completed one
};

/// Appends \p text without its tags. \p next reads one character. \p special has the bytes that may start a
/// tag: text between them is copied at once while no tag is open.
template <typename Next>
void strip(std::string_view text, const Next& next, std::string_view special, std::string& out) {
  stripper work(out);
  while (!text.empty()) {
    const std::size_t quiet = work.idle() ? std::min(text.find_first_of(special), text.size()) : 0;
    work.pass(text.substr(0, quiet));
    text.remove_prefix(quiet);
    if (text.empty()) return;
    const character one = next(text);
    text.remove_prefix(one.written.size());
    work.take(one, text.size());
  }
}

/// Returns true if \p text contains the start of a tag. Otherwise nothing can be removed: the first tag to be
/// removed must be in the text in one piece.
bool may_have_tags(std::string_view text) noexcept {
  return text.find(opening.substr(0, opening.size() - 1)) != std::string_view::npos;
}

}  // namespace

void strip_provenance_tags(std::string_view text, std::string& out) {
  if (!may_have_tags(text)) {
    out += text;
  } else {
    strip(text, next_plain, "[", out);
  }
}

void provenance::strip_tags_in_json(std::string_view inside, std::string& out) {
  strip(inside, next_in_json, "[\\", out);
}

namespace {

/// Appends a key if the list does not have it and has fewer than 64.
void add_key(std::string_view key, std::string& keys) {
  constexpr std::size_t most = 64;
  std::size_t count = 0;
  for (std::string_view rest = keys; !rest.empty(); ++count) {
    if (provenance_key::take_key(rest) == key) return;
  }
  if (count == most) return;
  if (count > 0) keys.push_back(provenance_key::list_separator);
  keys.append(key);
}

}  // namespace

void provenance::list_content_keys(std::string_view text, std::string& keys) {
  constexpr std::string_view inside = "0123456789abcdef_d|\\ ";
  const std::string_view start = opening.substr(0, opening.size() - 1);  // a bar follows, maybe escaped
  for (std::size_t at = text.find(start); at != std::string_view::npos; at = text.find(start, at)) {
    at += start.size();
    std::string_view tag = text.substr(at, max_tag_bytes);
    tag = tag.substr(0, tag.find_first_not_of(inside));
    if (text.substr(at + tag.size(), 1) != std::string_view(&provenance_key::closing, 1)) continue;
    while (!tag.empty()) {
      std::string_view key = tag.substr(0, tag.find(provenance_key::separator));
      tag.remove_prefix(std::min(key.size() + 1, tag.size()));
      key.remove_prefix(std::min(key.find_first_not_of(' '), key.size()));
      key = key.substr(0, key.find_first_of("\\ "));
      if (provenance_key::is_content_key(key)) add_key(key, keys);
    }
  }
}

}  // namespace citestream
