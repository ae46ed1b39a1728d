// HTML tags and autolinks: `<name …>` and `<scheme:…>`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "address_book.hpp"
#include "destinations.hpp"

namespace citestream {

// Finds the end of what begins with `<` and a letter, or `</` and a letter.
class tag_reader {
 public:
  void start() noexcept { *this = {}; }
  // A byte behind `<`, or `</`.
  [[nodiscard]] reading take(char c);
  // What was read is an autolink, not a tag.
  [[nodiscard]] bool autolink() const noexcept { return part_ == part::address; }

 private:
  enum class part : std::uint8_t { name, address, inside, equals, quoted };

  part part_{};
  char quote_{};
  bool ended_line_{};
};

enum class tag_verdict : std::uint8_t {
  harmless,  ///< loads nothing: passes
  tag,       ///< a tag that may load something
  text,      ///< no tag, for those who keep to CommonMark
};

// What a whole tag, `<…>` or `</…>`, does.
[[nodiscard]] tag_verdict judge_tag(std::string_view tag, address_book& book);
// Whether a block that begins with this tag holds no Markdown up to its end tag.
[[nodiscard]] bool opens_raw_block(std::string_view tag) noexcept;
// Whether `text`, the inside of an autolink, is an address of e-mail, which loads nothing.
[[nodiscard]] bool is_mail_address(std::string_view text) noexcept;

}  // namespace citestream
