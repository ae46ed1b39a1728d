#include "tags.hpp"

#include <citestream/provenance/provenance.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/provenance_key.hpp"

namespace citestream {

namespace {

using provenance_key::max_tag_bytes;
using provenance_key::opening;

/// One character, or a byte or half of one: what it is, where that is ASCII, how it is written, and how many
/// bytes of UTF-8 it is.
struct character {
  char meaning{};
  std::string_view written;
  std::uint32_t bytes{1};
};

character next_plain(std::string_view text) noexcept {
  return {text.front(), text.substr(0, 1)};
}

/// The next character of a valid JSON string (RFC 8259, 7).
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
  const bool half = point >= 0xD800 && point < 0xE000;  // of a pair, which is four bytes
  return {'\0', text.substr(0, 6), point < 0x800 || half ? 2U : 3U};
}

/// A bracket that may open a tag. One inside another is to go before the other can be closed.
struct open_tag {
  std::uint32_t begin{};  ///< in the output, from where this text starts in it; no payload is longer
  std::uint32_t size{1};  ///< its bytes so far, those of tags removed from it not counted
};

class stripper {
 public:
  explicit stripper(std::string& out) : out_(out), start_(out.size()) {}

  /// No tag is under way, and what is given next is not the end of a header.
  [[nodiscard]] bool idle() const noexcept { return open_.empty() && !first_line_; }
  void pass(std::string_view text) { out_ += text; }

  void take(const character& next) {
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
      open_.push_back({static_cast<std::uint32_t>(out_.size() - start_)});
    } else if (!goes_on(next)) {
      open_.clear();  // what stands here stays, and no tag reaches over it
    }
    out_ += next.written;
  }

 private:
  [[nodiscard]] bool closes() const noexcept { return !open_.empty() && open_.back().size > opening.size(); }

  /// Whether a tag may hold this character next.
  bool goes_on(const character& next) noexcept {
    if (open_.empty() || next.meaning == ']' || next.meaning == '\n' || next.meaning == '\r') return false;
    std::uint32_t& size = open_.back().size;
    if (size < opening.size() && next.meaning != opening[size]) return false;
    size += next.bytes;
    return size < max_tag_bytes;
  }

  std::string& out_;
  std::size_t start_;
  std::vector<open_tag> open_;
  bool first_line_{};  ///< nothing but tags so far, and the last character ended one
};

/// \p special: what a character that matters can start with.
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
    work.take(one);
  }
}

}  // namespace

void strip_provenance_tags(std::string_view text, std::string& out) {
  if (!provenance::may_have_tags(text)) {
    out += text;
  } else {
    strip(text, next_plain, "[", out);
  }
}

void provenance::strip_tags_in_json(std::string_view inside, std::string& out) {
  strip(inside, next_in_json, "[\\", out);
}

bool provenance::may_have_tags(std::string_view text) noexcept {
  return text.find(opening) != std::string_view::npos;
}

}  // namespace citestream
