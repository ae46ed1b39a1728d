/// \file
/// Shows the citations of an answer in colour and removed markers faint, for `filter --to text` on a
/// terminal.
#pragma once

#include <citestream/cite/citation.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace citestream::tools {

/// Collects text and its citations, then writes the text with the citations in colour. A citation can be
/// added before or after its text, but before that text is written. If nothing was printed for a citation,
/// its marker is shown faint at its place. Nothing else is inserted except escape sequences.
class coloured_text {
 public:
  /// Adds text.
  void add(std::string_view text) { text_ += text; }
  /// Adds a citation. Ignores it if its text has already been written.
  void add(const citation& one);
  /// Appends the collected text to \p out and clears it.
  void write(std::string& out);

 private:
  struct place {
    std::uint64_t begin;  ///< offset in the whole text, in bytes
    std::uint64_t end;    ///< offset of the end, in bytes
    std::string removed;  ///< the marker, if nothing was printed for it
  };

  std::string text_;
  std::uint64_t written_{};    ///< number of bytes written so far; the offset of text_ in the whole text
  std::vector<place> places_;  ///< in order of the text
};

}  // namespace citestream::tools
