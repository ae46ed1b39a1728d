// How the decoder works.
//
// Bytes are taken line by line; line_end() finds CR and LF with memchr. A blank line ends a block. The fields
// of a block are remembered as ranges of its bytes. If one feed contains the whole block, the frame is a view
// into it; otherwise the bytes are copied to `kept_` when the input runs out (keep()).
//
// States: between two blocks; inside a block (`block_state::event` after its first line that is not a
// comment); passing a block or comment over the size limit, or a foreign line, in pieces (`passing_`); after
// finish().
//
// Until the first field, a line that cannot become a field is foreign: this may not be an event stream. It
// passes at once instead of when its block ends, which may never be.
//
// Invariant: the bytes of all frames together are the stream. The cost is linear: each byte is searched once
// for CR and once for LF, and the next LF is remembered.
#include "sse_decoder.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <system_error>

#include "base/ascii.hpp"

namespace citestream {

namespace {

/// The position has not been looked up in this input.
constexpr std::size_t unknown = std::string_view::npos;

std::size_t find(std::string_view in, char byte, std::size_t from, std::size_t to) noexcept {
  const void* at = to > from ? std::memchr(in.data() + from, byte, to - from) : nullptr;
  return at == nullptr ? to : static_cast<std::size_t>(static_cast<const char*>(at) - in.data());
}

/// The position of the value in a line with the field \p name; npos if the line has another field.
std::size_t value_of(std::string_view line, std::string_view name) noexcept {
  if (!line.starts_with(name)) return std::string_view::npos;
  const std::size_t colon = name.size();
  if (line.size() == colon) return colon;
  if (line[colon] != ':') return std::string_view::npos;
  return line.size() > colon + 1 && line[colon + 1] == ' ' ? colon + 2 : colon + 1;
}

/// Reads a number of ASCII digits. A number that does not fit into 64 bits becomes the largest one.
std::optional<std::uint64_t> digits(std::string_view text) noexcept {
  const char* const end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || stop != end) return std::nullopt;
  return error == std::errc{} ? value : std::numeric_limits<std::uint64_t>::max();
}

/// Returns true if \p line has a field or, if it is not \p whole, may become one.
bool begins_field(std::string_view line, bool whole) noexcept {
  constexpr std::array<std::string_view, 4> names{"data", "event", "id", "retry"};
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  const auto begins = [&](std::string_view field) {
    return whole || colon != std::string_view::npos ? field == name : field.starts_with(name);
  };
  return !name.empty() && std::any_of(names.begin(), names.end(), begins);
}

/// Returns true if \p block, in which the stream ended, has a field.
bool begins_event(std::string_view block) noexcept {
  if (block.starts_with(byte_order_mark)) block.remove_prefix(byte_order_mark.size());
  while (!block.empty()) {
    const std::size_t end = std::min(block.find_first_of("\r\n"), block.size());
    if (begins_field(block.substr(0, end), end < block.size())) return true;
    block.remove_prefix(std::min(end + 1, block.size()));
  }
  return false;
}

}  // namespace

sse_decoder::sse_decoder(std::size_t max_event_bytes)
    : max_event_bytes_(std::max(max_event_bytes, least_event_limit)) {}

[[gnu::hot]] void sse_decoder::feed(std::string_view bytes) {
  if (block_.is == block_state::given) drop_frame();
  input_ = {bytes, 0, 0, unknown};
  finished_ = false;
}

void sse_decoder::reset() noexcept {
  drop_frame();
  input_ = {};
  offset_ = 0;
  at_start_ = true;
  after_cr_ = false;
  has_field_ = false;
  passing_ = passing::nothing;
  finished_ = false;
  id_.clear();
  error_ = {};
}

[[gnu::hot]] bool sse_decoder::next(frame& out) {
  if (block_.is == block_state::given) drop_frame();
  while (!input_.at_end()) {
    if (passing_ != passing::nothing) return pass(out);
    if (after_cr_ && input_.byte() == '\n') {
      if (!fits(1)) return exceed_limit(out);
      after_cr_ = false;
      take(1);
      block_.line = block_bytes().size();
      if (block_.is != block_state::event) return give(out, frame_kind::other);
      continue;
    }
    after_cr_ = false;
    const std::size_t end = input_.line_end();
    const bool complete = end < input_.bytes.size();
    if (!has_field_ && is_foreign(input_.bytes.substr(input_.next, end - input_.next), complete)) {
      return pass_foreign(out);
    }
    const std::size_t count = end - input_.next + (complete ? 1 : 0);
    if (!fits(count)) return exceed_limit(out);
    take(count);
    if (!complete) break;
    after_cr_ = input_.bytes[end] == '\r';
    const std::string_view bytes = block_bytes();
    if (end_of_line(out, bytes.substr(block_.line, bytes.size() - block_.line - 1), block_.line)) return true;
    block_.line = block_bytes().size();
  }
  if (finished_) return left_over(out);
  keep();
  return false;
}

void sse_decoder::defer() noexcept {
  input_ = {};
}

/// The bytes of the block that have been looked at.
std::string_view sse_decoder::block_bytes() const noexcept {
  if (!kept_.empty()) return kept_;
  return input_.bytes.substr(input_.block, input_.next - input_.block);
}

/// The first CR or LF from `next` on. The next LF is remembered: if it were searched at every CR, a stream
/// without LF would be read once per line.
std::size_t sse_decoder::window::line_end() noexcept {
  if (next_lf == unknown || next_lf < next) next_lf = find(bytes, '\n', next, bytes.size());
  return find(bytes, '\r', next, next_lf);
}

/// The start of the current line: its bytes in the block and \p more, which follows them.
std::string sse_decoder::line_start(std::string_view more) const {
  constexpr std::size_t enough = 15;  // a byte order mark and the longest field, without an allocation
  std::string start(block_bytes().substr(block_.line, enough));
  return start.append(more.substr(0, enough - start.size()));
}

/// Returns true if the current line cannot be a field, a comment or white space before JSON. \p more: what
/// follows its bytes in the block. \p whole: that is all of it.
bool sse_decoder::is_foreign(std::string_view more, bool whole) const {
  const std::string start = line_start(more);
  if (at_start_ && !whole && byte_order_mark.starts_with(start)) return false;
  const std::string_view line = at_start_ ? without_byte_order_mark(start) : std::string_view(start);
  if (line.empty() || line.front() == ':') return false;
  if (ascii::is_blank(line.front())) return more.find_first_not_of(before_json) != std::string_view::npos;
  return !begins_field(line, whole);
}

bool sse_decoder::fits(std::size_t more) const noexcept {
  return more <= max_event_bytes_ - block_bytes().size();
}

void sse_decoder::take(std::size_t count) {
  if (!kept_.empty()) kept_.append(input_.bytes, input_.next, count);
  input_.next += count;
}

/// Copies the bytes of an unfinished block before the input becomes invalid.
[[gnu::hot]] void sse_decoder::keep() {
  if (kept_.empty() && input_.block < input_.next) kept_.assign(block_bytes());
  input_ = {};
}

void sse_decoder::block_fields::reset() noexcept {
  is = block_state::begun;
  line = 0;
  event = {};
  id.reset();
  retry.reset();
  data.clear();
  data_size = 0;
}

void sse_decoder::drop_frame() noexcept {
  offset_ += block_bytes().size();
  kept_.clear();
  input_.block = input_.next;
  block_.reset();
}

bool sse_decoder::give(frame& out, frame_kind kind) {
  out = {.kind = kind, .raw = block_bytes(), .offset = offset_};
  block_.is = block_state::given;
  return true;
}

/// Ends the block: its fields take effect.
bool sse_decoder::give_block(frame& out, frame_kind with_data) {
  const std::string_view bytes = block_bytes();
  const std::vector<frame::line>& lines = block_.data;
  if (block_.id) id_.assign(bytes.substr(block_.id->begin, block_.id->size()));
  if (lines.empty()) return give(out, frame_kind::other);
  give(out, with_data);
  out.event = bytes.substr(block_.event.begin, block_.event.size());
  out.id = id_;
  out.retry = block_.retry;
  if (lines.size() == 1) {
    out.data_offset = lines.front().raw;
    out.data = bytes.substr(out.data_offset, block_.data_size);
    return true;
  }
  joined_.clear();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t end = i + 1 < lines.size() ? lines[i + 1].data - 1 : block_.data_size;
    if (i > 0) joined_ += '\n';
    joined_.append(bytes, lines[i].raw, end - lines[i].data);
  }
  out.data = joined_;
  out.lines = &lines;
  return true;
}

/// Takes a complete line that starts at \p begin in the block. Returns true if it completes a frame.
bool sse_decoder::end_of_line(frame& out, std::string_view line, std::size_t begin) {
  if (at_start_ && line.starts_with(byte_order_mark)) {
    line.remove_prefix(byte_order_mark.size());
    begin += byte_order_mark.size();
  }
  at_start_ = false;
  const bool open = block_.is == block_state::event;
  if (line.empty()) return open ? give_block(out, frame_kind::event) : give(out, frame_kind::other);
  if (line.front() == ':') return !open && give(out, frame_kind::other);
  has_field_ = has_field_ || begins_field(line, true);
  if (!has_field_) return give(out, frame_kind::other);  // white space, which may precede JSON
  block_.is = block_state::event;
  field(line, begin);
  return false;
}

void sse_decoder::field(std::string_view line, std::size_t begin) {
  constexpr std::size_t none = std::string_view::npos;
  if (const std::size_t at = value_of(line, "data"); at != none) {
    if (!block_.data.empty()) ++block_.data_size;  // the LF that joins them
    block_.data.push_back({block_.data_size, begin + at});
    block_.data_size += line.size() - at;
  } else if (const std::size_t type = value_of(line, "event"); type != none) {
    block_.event = {begin + type, begin + line.size()};
  } else if (const std::size_t id = value_of(line, "id"); id != none) {
    if (line.find('\0', id) == none) block_.id = byte_range{begin + id, begin + line.size()};
  } else if (const std::size_t time = value_of(line, "retry"); time != none) {
    if (const auto value = digits(line.substr(time))) block_.retry = value;
  }
}

/// The next line would make the block too large: from now on its bytes pass through, starting with those
/// kept.
bool sse_decoder::exceed_limit(frame& out) {
  const std::string_view seen = block_bytes();
  const std::string start = line_start(input_.bytes.substr(input_.next));
  const char first = start[at_start_ && start.starts_with(byte_order_mark) ? byte_order_mark.size() : 0];
  at_start_ = false;
  if (!has_field_ && ascii::is_blank(first)) return pass_foreign(out);
  const bool comment = block_.is != block_state::event && first == ':';
  const passing block = seen.size() > block_.line ? passing::line : passing::blank_line;
  passing_ = comment ? passing::comment : block;
  error_ = {errc::event_too_large, offset_};
  return seen.empty() ? pass(out) : give(out, frame_kind::oversize);
}

/// The current line is not a field: its bytes pass through, starting with those kept.
bool sse_decoder::pass_foreign(frame& out) {
  passing_ = passing::foreign_line;
  at_start_ = false;
  return block_bytes().empty() ? pass(out) : give(out, frame_kind::foreign);
}

/// Passes through the bytes in this feed of a block over the limit, up to the blank line that ends it; or of
/// a line, up to its end.
bool sse_decoder::pass(frame& out) {
  const bool foreign = passing_ == passing::foreign_line;
  while (!input_.at_end() && passing_ != passing::nothing) {
    if (after_cr_ && input_.byte() == '\n') {
      after_cr_ = false;
      ++input_.next;
      continue;
    }
    after_cr_ = false;
    const std::size_t end = input_.line_end();
    const bool ends =
        foreign || passing_ == passing::comment || (passing_ == passing::blank_line && end == input_.next);
    if (end == input_.bytes.size()) {
      input_.next = end;
      if (passing_ == passing::blank_line) passing_ = passing::line;
      break;
    }
    input_.next = end + 1;
    after_cr_ = input_.bytes[end] == '\r';
    passing_ = ends ? passing::nothing : passing::blank_line;
  }
  return give(out, foreign ? frame_kind::foreign : frame_kind::oversize);
}

/// Handles the end of the stream. A last line without a line end counts, because providers end like that.
bool sse_decoder::left_over(frame& out) {
  const std::string_view bytes = block_bytes();
  if (bytes.empty()) return false;
  const std::size_t line = block_.line;
  const bool given = bytes.size() > line && end_of_line(out, bytes.substr(line), line);
  if (!given) give_block(out, frame_kind::unterminated);
  if (out.kind == frame_kind::other && begins_event(out.raw)) out.kind = frame_kind::cut;
  return true;
}

}  // namespace citestream
