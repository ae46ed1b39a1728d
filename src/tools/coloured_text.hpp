// An answer's text with its citations in colour, for `filter --to text` on a terminal.
#pragma once

#include <citestream/cite/citation.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// Collects text and the citations in it, which may arrive before or after their text, and writes both.
/// The colours are escape sequences between the bytes of the text, which do not change.
class coloured_text {
 public:
  void add(std::string_view text) { text_ += text; }
  /// Ignores a citation whose text has been written.
  void add(const citation& one);
  /// Appends the text so far and forgets it.
  void write(std::string& out);

 private:
  struct place {
    std::uint64_t begin;  ///< in the whole text, in bytes
    std::uint64_t end;
  };

  std::string text_;
  std::uint64_t written_{};  ///< bytes before text_
  std::vector<place> places_;
};

}  // namespace citestream::tools
