// How the decoder works.
//
// memchr finds the LF. If one feed contains the whole line, the frame is a view into it; otherwise the bytes
// are copied to `kept_` when the input runs out. A line that would be over the limit passes through in pieces
// up to its LF, starting with the bytes kept.
//
// Invariant: the bytes of all frames together are the stream. Each byte is searched once and copied at most
// once.
#include "ndjson_decoder.hpp"

#include <algorithm>
#include <cstring>

#include "base/ascii.hpp"

namespace citestream {

ndjson_decoder::ndjson_decoder(std::size_t max_event_bytes)
    : max_event_bytes_(std::max(max_event_bytes, least_event_limit)) {}

void ndjson_decoder::feed(std::string_view bytes) {
  if (given_) drop_frame();
  input_ = bytes;
  position_ = 0;
  finished_ = false;
}

void ndjson_decoder::defer() noexcept {
  input_ = {};
  position_ = 0;
}

void ndjson_decoder::reset(std::uint64_t offset) noexcept {
  input_ = line_ = {};
  position_ = 0;
  kept_.clear();
  offset_ = offset;
  at_start_ = offset == 0;
  given_ = passing_ = finished_ = false;
  error_ = {};
}

/// Releases the last frame and advances past it.
void ndjson_decoder::drop_frame() noexcept {
  offset_ += line_.size();
  kept_.clear();
  given_ = false;
}

/// Adds the next \p count bytes of the input to the line.
void ndjson_decoder::take(std::size_t count) {
  const std::string_view bytes = input_.substr(position_, count);
  position_ += count;
  if (!kept_.empty()) kept_.append(bytes);
  line_ = kept_.empty() ? bytes : std::string_view(kept_);
}

void ndjson_decoder::give(frame& out, frame_kind kind) {
  out = {.kind = kind, .raw = line_, .offset = offset_};
  given_ = true;
}

/// Gives the complete line. White space is not an event.
void ndjson_decoder::give_line(frame& out, frame_kind kind) {
  std::string_view data = line_;
  const bool marked = at_start_ && data.starts_with(byte_order_mark);
  at_start_ = false;
  if (marked) data.remove_prefix(byte_order_mark.size());
  if (std::ranges::all_of(data, ascii::is_space)) return give(out, frame_kind::other);
  give(out, kind);
  if (data.ends_with('\n')) data.remove_suffix(1);
  if (data.ends_with('\r')) data.remove_suffix(1);
  out.data = data;
  out.data_offset = marked ? byte_order_mark.size() : 0;
}

bool ndjson_decoder::next(frame& out) {
  if (given_) drop_frame();
  if (position_ < input_.size()) {
    const void* const lf = std::memchr(input_.data() + position_, '\n', input_.size() - position_);
    const bool complete = lf != nullptr;
    const std::size_t end =
        complete ? static_cast<std::size_t>(static_cast<const char*>(lf) - input_.data()) + 1 : input_.size();
    const std::size_t count = end - position_;
    if (!passing_ && count > max_event_bytes_ - kept_.size()) {
      passing_ = true;
      at_start_ = false;
      error_ = {errc::event_too_large, offset_};
    }
    if (passing_) {
      if (kept_.empty()) {
        take(count);
        passing_ = !complete;
      } else {
        line_ = kept_;  // the rest follows as a piece of its own
      }
      give(out, frame_kind::oversize);
      return true;
    }
    if (complete) {
      take(count);
      give_line(out, frame_kind::event);
      return true;
    }
    kept_.append(input_.substr(position_));
    position_ = end;
  }
  if (!finished_ || kept_.empty()) return false;
  line_ = kept_;
  give_line(out, frame_kind::unterminated);
  return true;
}

}  // namespace citestream
