/// \file
/// Decodes bytes to text like a browser (WHATWG Encoding, 8.1.1 "UTF-8 decoder").
#pragma once

#include <string>
#include <string_view>

namespace citestream::tools {

/// Returns \p bytes with invalid UTF-8 replaced by U+FFFD, one for each maximal invalid part. Does not remove
/// a byte order mark.
[[nodiscard]] std::string valid_utf8(std::string_view bytes);

/// Decodes bytes that arrive in pieces, which may end inside a code point.
class utf8_reader {
 public:
  /// Appends the text that is complete after \p bytes.
  void read(std::string_view bytes, std::string& out);
  /// Ends the input. Replaces an incomplete code point by U+FFFD.
  void finish(std::string& out);

 private:
  std::string waiting_;  ///< start of an incomplete code point
};

}  // namespace citestream::tools
