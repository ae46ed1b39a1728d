/// \file
/// The same stream in another framing, for APIs that offer both.
#pragma once

#include "recording.hpp"

namespace citestream::replay {

/// Returns the JSON events of \p from as an event stream with CRLF. An event is sent when its last byte was.
[[nodiscard]] recording as_events(const recording& from);

/// Returns the JSON events of \p from as one JSON array, `application/json`. If \p from is cut off in an
/// event, the array is not closed.
[[nodiscard]] recording as_array(const recording& from);

}  // namespace citestream::replay
