// How the decoder works.
//
// The prelude tells the length of a message. If one feed contains the whole message, the frame is a view into
// it; otherwise the bytes are copied to `kept_` until the message is complete. Nothing is reserved for a
// length that has only been announced.
//
// A message over the size limit passes in pieces: `passing_` counts what is left of it. After a damaged
// message, all bytes pass.
//
// Invariant: the bytes of all frames together are the stream. Each byte is copied at most once and enters
// each CRC once.
#include "eventstream_decoder.hpp"

#include <algorithm>

#include "base/base64.hpp"

namespace citestream {

void eventstream_decoder::feed(std::string_view bytes) {
  drop_frame();
  input_ = bytes;
  finished_ = false;
}

void eventstream_decoder::reset() noexcept {
  input_ = {};
  kept_.clear();
  given_ = 0;
  offset_ = passing_ = 0;
  finished_ = false;
  error_ = {};
}

/// Releases the last frame and advances past it.
void eventstream_decoder::drop_frame() noexcept {
  if (given_ == 0) return;
  offset_ += given_;
  given_ = 0;
  kept_.clear();
}

bool eventstream_decoder::next(frame& out) {
  drop_frame();
  if (passing_ > 0) return pass(out);
  const bool begun = !kept_.empty();
  const auto bytes = [&](std::size_t needed) -> std::string_view {
    if (!begun) return input_;
    const std::size_t more = std::min(needed - std::min(needed, kept_.size()), input_.size());
    kept_.append(input_.substr(0, more));
    input_.remove_prefix(more);
    return kept_;
  };
  const std::string_view start = bytes(eventstream_prelude_bytes);
  if (start.size() < eventstream_prelude_bytes) return keep(out);
  const auto size = read_prelude(start);
  if (!size) return pass_from_here(out, errc::damaged_message, everything);
  if (size->total > max_event_bytes_) return pass_from_here(out, errc::event_too_large, size->total);
  const std::string_view raw = bytes(size->total);
  if (raw.size() < size->total) return keep(out);
  return give_message(out, raw.substr(0, size->total), *size);
}

/// Keeps the start of a message for the next feed. At the end of the stream, gives it.
bool eventstream_decoder::keep(frame& out) {
  kept_.append(input_);
  input_ = {};
  if (!finished_ || kept_.empty()) return false;
  return give(out, frame_kind::cut, kept_);
}

bool eventstream_decoder::give(frame& out, frame_kind kind, std::string_view raw) {
  out = {.kind = kind, .raw = raw, .offset = offset_};
  given_ = raw.size();
  if (kept_.empty()) input_.remove_prefix(given_);
  return true;
}

/// Gives a complete message.
bool eventstream_decoder::give_message(frame& out, std::string_view raw, const eventstream_lengths& size) {
  const auto message = read_message(raw, size);
  const auto type = message ? read_headers(message->headers) : std::nullopt;
  if (!type) return pass_from_here(out, errc::damaged_message, everything);
  message_ = *message;
  if (message_.payload.empty() && !type->failure) return give(out, frame_kind::other, raw);
  give(out, frame_kind::event, raw);
  out.event = type->event;
  out.failure = type->failure;
  out.data = message_.payload;
  out.data_offset = eventstream_prelude_bytes + size.headers;
  out.message = &message_;
  const std::string_view encoded =
      type->event == eventstream_chunk ? encoded_event(message_.payload) : std::string_view();
  decoded_.clear();
  // Services that stream bytes of another kind have messages of this type, too.
  if (!encoded.empty() && append_decoded_base64(encoded, decoded_) && decoded_.starts_with('{')) {
    message_.encoded = encoded;
    out.data = decoded_;
    out.data_offset = std::string_view::npos;
  }
  return true;
}

/// Returns the next bytes that pass unchanged.
bool eventstream_decoder::pass(frame& out) {
  const std::string_view bytes = kept_.empty() ? input_ : std::string_view(kept_);
  if (bytes.empty()) return false;
  const std::string_view piece = bytes.substr(0, std::min<std::uint64_t>(passing_, bytes.size()));
  if (passing_ != everything) passing_ -= piece.size();
  return give(out, frame_kind::oversize, piece);
}

/// Starts to pass the next \p size bytes through.
bool eventstream_decoder::pass_from_here(frame& out, errc why, std::uint64_t size) {
  error_ = {why, offset_};
  passing_ = size;
  return pass(out);
}

}  // namespace citestream
