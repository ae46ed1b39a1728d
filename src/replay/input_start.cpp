// The first byte that is not blank decides, except after a brace. An object may be the header of a recording,
// the first of several lines, or a body. A header begins with the name of its mandatory member; in a file
// `.ndjson`, it may have other blanks. Lines of objects have a complete object in the first line, and another
// line. A body is anything else, so that a truncated or malformed one is reported as a body. While the bytes
// so far may be the start of more than one kind, the kind is unknown.
#include "input_start.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <array>

#include "framing/eventstream_message.hpp"
#include "framing/frame.hpp"

namespace citestream {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::array<std::string_view, 5> event_starts{"data:", "event:", "id:", "retry:", ":"};

/// Returns true if \p text may be the start of more than one kind of input.
bool is_undecided(std::string_view text) noexcept {
  const auto continues = [&](std::string_view start) {
    return text.size() < start.size() && start.starts_with(text);
  };
  if (text.empty() || continues(recording_start)) return true;
  if (may_begin_message(text.front())) return text.size() < eventstream_prelude_bytes;
  return std::ranges::any_of(event_starts, continues);
}

/// Returns the kind of an input that does not begin with a brace.
input_kind kind_without_brace(std::string_view text) noexcept {
  if (text.starts_with('[')) {
    const std::size_t next = text.find_first_not_of(blanks, 1);
    const bool objects = next != std::string_view::npos && text[next] == '{';
    return objects ? input_kind::array : input_kind::other_array;
  }
  if (text.size() >= eventstream_prelude_bytes && read_prelude(text)) return input_kind::messages;
  const auto begins = [&](std::string_view start) { return text.starts_with(start); };
  return std::ranges::any_of(event_starts, begins) ? input_kind::events : input_kind::text;
}

}  // namespace

input_kind input_start::take(std::string_view bytes) {
  bytes_ += bytes;
  return kind_of_start(bytes_, bytes.empty());
}

input_kind input_start::kind_of_start(std::string_view all, bool ended) {
  // What was searched before is not searched again: it may be read byte by byte.
  begin_ = std::min(all.find_first_not_of(before_json, begin_), all.size());
  const std::string_view text = all.substr(begin_);
  if (!ended && is_undecided(text)) return input_kind::unknown;
  if (text.starts_with('[')) {
    searched_ = std::min(all.find_first_not_of(blanks, std::max(begin_ + 1, searched_)), all.size());
    if (searched_ == all.size() && !ended) return input_kind::unknown;
  }
  if (text.starts_with(recording_start)) return input_kind::recording;
  if (!text.starts_with('{')) return ndjson_file_ ? input_kind::recording : kind_without_brace(text);
  if (!ndjson_file_ && !bodies_) return input_kind::ndjson;
  const std::size_t end = all.find('\n', std::max(begin_, searched_));
  if (end == std::string_view::npos && !ended) {
    searched_ = all.size();
    return input_kind::unknown;
  }
  searched_ = std::min(end, all.size());
  const bool more = all.find_first_not_of(blanks, searched_) != std::string_view::npos;
  if (!ndjson_file_ && !more) return ended ? input_kind::body : input_kind::unknown;
  document parsed;
  const bool object = !parsed.parse(all.substr(begin_, searched_ - begin_)) && parsed.root().is_object();
  if (!ndjson_file_) return object ? input_kind::ndjson : input_kind::body;
  return object && !parsed.root()["citestream_recording"] ? input_kind::ndjson : input_kind::recording;
}

}  // namespace citestream
