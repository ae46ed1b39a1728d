/// \file
/// Binary messages of `application/vnd.amazon.eventstream` for tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framing/eventstream_decoder.hpp"

namespace citestream_tests {

/// An event of this type.
inline std::string message(std::string_view type, std::string_view payload) {
  std::string out;
  citestream::append_event_message(type, payload, out);
  return out;
}

/// The data of all events in a stream. Stops at the first damaged message.
inline std::vector<std::string> message_data(std::string_view stream) {
  std::vector<std::string> out;
  citestream::eventstream_decoder decoder;
  decoder.feed(stream);
  for (citestream::frame item; decoder.next(item);) {
    if (item.kind == citestream::frame_kind::event) out.emplace_back(item.data);
  }
  return out;
}

}  // namespace citestream_tests
