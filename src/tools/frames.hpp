// The events of a stream as lines of JSON, as a browser would see them.
#pragma once

#include <string>

#include "sse/decoder.hpp"

namespace citestream::tools {

/// `{"event":"message","data":"…","id":"","retry":null}` for an event that the standard dispatches; nothing
/// for any other item. What is not UTF-8 becomes U+FFFD.
void append_frame_line(const sse_item& item, std::string& out);

}  // namespace citestream::tools
