// Text from bytes, as a browser reads them (WHATWG Encoding, 8.1.1 "UTF-8 decoder").
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Appends \p bytes to \p out with U+FFFD in place of every maximal part that is not UTF-8. No byte order
/// mark is removed.
void append_replacing_invalid_utf8(std::string_view bytes, std::string& out);

/// How many bytes at the end of \p bytes are the start of a code point that is not complete: at most 3.
[[nodiscard]] std::size_t incomplete_tail(std::string_view bytes) noexcept;

/// The same for bytes that arrive in pieces, cut anywhere.
class utf8_reader {
 public:
  /// Appends the text that is complete with \p bytes.
  void read(std::string_view bytes, std::string& out);
  /// The bytes have ended: a code point that is not complete becomes U+FFFD.
  void finish(std::string& out);

 private:
  std::string waiting_;
};

}  // namespace citestream::tools
