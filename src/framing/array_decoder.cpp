// How the decoder works.
//
// Between elements, bytes pass up to the next one, comma or closing bracket. In an element, only the depth of
// its brackets and whether a string is open count (RFC 8259: brackets in strings mean nothing, and a quote
// after a backslash does not end one). If one feed contains the whole element, the frame is a view into it;
// otherwise the bytes are copied to `kept_` when the input runs out. An element over the limit passes through
// in pieces up to its end, starting with the bytes kept.
//
// Invariant: the bytes of all frames together are the stream. Each byte is read at most twice and copied at
// most once.
// A comma is a frame of its own, so that `gap_` is known for each element.
#include "array_decoder.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace citestream {

namespace {

constexpr bool begins_element(char byte) noexcept {
  return byte == '{' || byte == '[' || byte == '"';
}

}  // namespace

array_decoder::array_decoder(std::size_t max_event_bytes)
    : max_event_bytes_(std::max(max_event_bytes, least_event_limit)) {}

void array_decoder::reset(std::uint64_t offset) noexcept {
  input_ = {};
  position_ = given_ = 0;
  kept_.clear();
  offset_ = offset;
  part_ = part::before;
  gap_ = next_gap_ = frame_gap::none;
  nesting_ = {};
  finished_ = false;
  error_ = {};
}

/// Releases the last frame and advances past it.
void array_decoder::drop_frame() noexcept {
  if (given_ == 0) return;
  offset_ += given_;
  given_ = 0;
  gap_ = next_gap_;
  if (part_ != part::element && part_ != part::passing) kept_.clear();
}

void array_decoder::feed(std::string_view bytes) {
  drop_frame();
  input_ = bytes;
  position_ = 0;
  finished_ = false;
}

std::string_view array_decoder::unread() noexcept {
  drop_frame();
  const bool begins =
      part_ == part::between && position_ < input_.size() && begins_element(input_[position_]);
  return begins ? input_.substr(position_) : std::string_view();
}

void array_decoder::skip(std::size_t count, std::size_t before) noexcept {
  drop_frame();
  position_ += count;
  given_ = before + count;
  next_gap_ = frame_gap::element;
}

void array_decoder::defer() noexcept {
  drop_frame();
  input_ = {};
  position_ = 0;
}

/// Reads the element on from `position_`. `end`: the position after its last byte, or the end of the input.
array_decoder::scan array_decoder::read_element() noexcept {
  std::size_t at = position_;
  bool complete = false;
  while (at < input_.size() && !complete) {
    const char byte = input_[at++];
    if (nesting_.in == text::escape) {
      nesting_.in = text::inside;
    } else if (nesting_.in == text::inside) {
      if (byte == '\\') nesting_.in = text::escape;
      if (byte == '"') nesting_.in = text::outside;
      complete = byte == '"' && nesting_.depth == 0;
    } else if (byte == '"') {
      nesting_.in = text::inside;
    } else if (byte == '{' || byte == '[') {
      ++nesting_.depth;
    } else if (byte == '}' || byte == ']') {
      complete = --nesting_.depth == 0;
    }
  }
  return {at, complete};
}

/// Gives the bytes kept and the next \p count bytes of the input.
bool array_decoder::give(frame& out, frame_kind kind, std::size_t count) {
  const std::string_view bytes = input_.substr(position_, count);
  position_ += count;
  if (!kept_.empty()) kept_.append(bytes);
  out = {.kind = kind, .raw = kept_.empty() ? bytes : std::string_view(kept_), .offset = offset_};
  given_ = out.raw.size();
  return true;
}

/// Gives the element, or a piece of it. Returns false if it is incomplete.
bool array_decoder::give_element(frame& out) {
  const nesting before = nesting_;
  const auto [end, complete] = read_element();
  const std::size_t count = end - position_;
  if (part_ == part::element && count > max_event_bytes_ - kept_.size()) {
    part_ = part::passing;
    error_ = {errc::event_too_large, offset_};
    if (!kept_.empty()) {  // the rest follows as a piece of its own
      nesting_ = before;
      return give(out, frame_kind::oversize, 0);
    }
  }
  if (complete) next_gap_ = frame_gap::element;
  if (part_ == part::passing) {
    kept_.clear();
    if (complete) part_ = part::between;
    return give(out, frame_kind::oversize, count);
  }
  if (!complete) {
    kept_.append(input_.substr(position_));
    position_ = input_.size();
    return false;
  }
  part_ = part::between;
  give(out, frame_kind::event, count);
  out.data = out.raw;
  out.data_offset = 0;
  return true;
}

/// Gives bytes between elements: a bracket of the array, a comma, or everything up to one of them or to the
/// next element. An element such as `null` or `12` is given as such bytes.
bool array_decoder::give_gap(frame& out) {
  const std::string_view rest = input_.substr(position_);
  if (part_ == part::after) return give(out, frame_kind::other, rest.size());
  if (part_ == part::before) {
    const std::size_t open = rest.find('[');
    if (open == std::string_view::npos) return give(out, frame_kind::other, rest.size());
    part_ = part::between;
    return give(out, frame_kind::other, open + 1);
  }
  if (rest.front() == ']') {
    part_ = part::after;
    return give(out, frame_kind::end, 1);
  }
  if (rest.front() == ',') {
    next_gap_ = frame_gap::comma;
    return give(out, frame_kind::other, 1);
  }
  const std::string_view bytes = rest.substr(0, rest.find_first_of(",]{[\""));
  if (!std::ranges::all_of(bytes, ascii::is_space)) next_gap_ = frame_gap::element;
  return give(out, frame_kind::other, bytes.size());
}

bool array_decoder::next(frame& out) {
  drop_frame();
  if (position_ < input_.size()) {
    if (part_ == part::between && begins_element(input_[position_])) part_ = part::element;
    const bool in_element = part_ == part::element || part_ == part::passing;
    return in_element ? give_element(out) : give_gap(out);
  }
  if (!finished_ || part_ != part::element) return false;
  part_ = part::cut;
  give(out, frame_kind::unterminated, 0);
  out.data = out.raw;
  out.data_offset = 0;
  return true;
}

}  // namespace citestream
