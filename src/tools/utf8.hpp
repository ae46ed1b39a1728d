// Text from bytes, as a browser reads them (WHATWG Encoding, 8.1.1 "UTF-8 decoder").
#pragma once

#include <string>
#include <string_view>

namespace citestream::tools {

/// Appends \p bytes to \p out with U+FFFD in place of every maximal part that is not UTF-8. No byte order
/// mark is removed.
void append_replacing_invalid_utf8(std::string_view bytes, std::string& out);

}  // namespace citestream::tools
