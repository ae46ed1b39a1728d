// The destination of a link, `(address "title")` without its first parenthesis, or of a definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace citestream {

enum class reading : std::uint8_t {
  more,    // the byte belongs to it, and more may
  done,    // complete: with the byte for a link, before it for a definition
  failed,  // it cannot be read with this byte
};

// Reads more than CommonMark allows, so that what others allow ends at the same place.
class destination_reader {
 public:
  void start(bool definition) noexcept {
    *this = {};
    definition_ = definition;
  }

  // A byte that stands at `at` of what is read.
  [[nodiscard]] reading take(char c, std::size_t at);

  // The address; complete() once its end was seen.
  [[nodiscard]] std::string_view address(std::string_view all) const noexcept {
    return all.substr(begin_, end_ - begin_);
  }
  [[nodiscard]] bool complete() const noexcept { return part_ >= part::after; }
  // No address has begun.
  [[nodiscard]] bool nothing() const noexcept { return part_ == part::before; }
  // The address has no byte yet.
  [[nodiscard]] bool empty() const noexcept { return part_ == part::plain && begin_ == end_; }
  // Directly behind the address and blanks.
  [[nodiscard]] bool behind_address() const noexcept { return part_ == part::after; }
  // In angle brackets: what is behind them may be tags to others, and they then go.
  [[nodiscard]] bool angle(std::string_view all) const noexcept {
    return begin_ > 0 && begin_ <= all.size() && all[begin_ - 1] == '<';
  }
  // What stands behind the address.
  [[nodiscard]] std::string_view rest(std::string_view all) const noexcept { return all.substr(end_); }
  // Something in it is read differently by some: escapes, line breaks, blanks.
  [[nodiscard]] bool odd() const noexcept { return odd_; }

 private:
  enum class part : std::uint8_t { before, angle, plain, after, title, behind };

  reading take_before(char c, std::size_t at);
  reading take_angle(char c, std::size_t at);
  reading take_plain(char c, std::size_t at);
  reading take_after(char c);
  reading take_title(char c);
  reading take_behind(char c);
  reading line_end(char c);

  part part_{};
  bool definition_{};
  bool odd_{};
  bool escaped_{};
  bool spaced_{};
  bool ended_line_{};  // nothing but blanks since the end of a line
  bool carriage_return_{};
  char quote_{};
  std::size_t depth_{};
  std::size_t begin_{};
  std::size_t end_{};
};

}  // namespace citestream
