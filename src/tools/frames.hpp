/// \file
/// Writes the events of a stream as JSON lines, with the fields that a browser would report.
#pragma once

#include <string>

#include "framing/frame.hpp"

namespace citestream::tools {

/// Appends `{"event":"message","data":"…","id":"","retry":null}` for an event that the standard dispatches,
/// and nothing for any other item. Invalid UTF-8 is replaced by U+FFFD.
void append_frame_line(const frame& item, std::string& out);

}  // namespace citestream::tools
