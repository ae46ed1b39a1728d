#include "stream_start.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>

#include "framing/eventstream_message.hpp"
#include "framing/frame.hpp"
#include "replay/recording.hpp"

namespace citestream::tools {

namespace {

std::size_t begin_of(std::string_view text) noexcept {
  return std::min(text.find_first_not_of(before_json), text.size());
}

bool is_object(std::string_view line) {
  document parsed;
  return !parsed.parse(line) && parsed.root().is_object();
}

}  // namespace

bool begins_as_stream(std::string_view text) noexcept {
  text.remove_prefix(begin_of(text));
  for (const std::string_view begin : {"data:", "event:", "id:", "retry:", ":"}) {
    if (text.starts_with(begin)) return true;
  }
  return false;
}

bool begins_with_message(std::string_view bytes) noexcept {
  return bytes.size() >= eventstream_prelude_bytes && read_prelude(bytes);
}

input_kind input_start::take(std::string_view bytes) {
  const bool ended = bytes.empty();
  bytes_ += bytes;
  const std::string_view all = bytes_;
  const std::size_t begin = begin_of(all);
  const std::string_view text = all.substr(begin);
  if (text.empty() && !ended) return input_kind::unknown;
  if (text.starts_with(recording_start)) return input_kind::recording;
  if (recording_start.starts_with(text) && !ended) return input_kind::unknown;
  if (!text.starts_with('{')) return ndjson_file_ ? input_kind::recording : input_kind::events;
  if (!ndjson_file_ && !bodies_) return input_kind::ndjson;
  const std::size_t end = all.find('\n', std::max(begin, searched_));
  if (end == std::string_view::npos && !ended) {
    searched_ = all.size();
    return input_kind::unknown;
  }
  searched_ = std::min(end, all.size());
  const std::string_view line = all.substr(begin, searched_ - begin);
  if (ndjson_file_) return begins_answer(line) ? input_kind::ndjson : input_kind::recording;
  const bool more = all.find_first_not_of(" \t\r\n", searched_) != std::string_view::npos;
  if (!more && !ended) return input_kind::unknown;
  return more && is_object(line) ? input_kind::ndjson : input_kind::body;
}

}  // namespace citestream::tools
