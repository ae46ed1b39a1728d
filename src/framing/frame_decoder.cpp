// How the framing is recognised.
//
// The first byte that is not white space decides. Until then, the bytes go to the decoder of event streams,
// which returns blank lines at once. If that byte begins JSON, the bytes that the decoder of event
// streams has not returned go to the decoder of NDJSON or of the array. If the first byte cannot begin text,
// bytes are kept until they are the prelude of a binary message, or the stream ends.
#include "frame_decoder.hpp"

#include <utility>

#include "base/ascii.hpp"

namespace citestream {

namespace {

/// The framing of a stream that begins with `byte`.
stream_framing framing_of(char byte) noexcept {
  if (byte == '{') return stream_framing::ndjson;
  return byte == '[' ? stream_framing::array : stream_framing::sse;
}

/// Number of line ends at the end of `bytes`, at most two.
std::size_t line_ends(std::string_view bytes) noexcept {
  std::size_t count = 0;
  while (count < 2 && !bytes.empty() && ascii::is_line_break(bytes.back())) {
    bytes.remove_suffix(bytes.ends_with("\r\n") ? 2 : 1);
    ++count;
  }
  return count;
}

void append_element(const frame_place& at, std::string_view payload, std::string& out) {
  const bool follows = at.gap == frame_gap::element;
  if (follows) out.append(",").append(at.line_end);
  out.append(payload);
  if (!follows && !at.last) out.append(",");
  if (!follows || at.last) out.append(at.line_end);
  if (at.last) out.append("]");
}

}  // namespace

/// Returns true if \p bytes, after those in `start_`, complete a prelude, or may be the start of one: then
/// they are kept in `start_`, and the framing stays unknown.
bool frame_decoder::begins_message(std::string_view bytes) {
  const bool begins = !bytes.empty() && may_begin_message(bytes.front());
  if (fed_ > 0 || (start_.empty() && !begins)) return false;
  start_.append(bytes);
  if (start_.size() < eventstream_prelude_bytes) return true;
  if (!read_prelude(start_)) return false;
  framing_ = stream_framing::eventstream;
  messages_.feed(start_);
  return true;
}

void frame_decoder::feed_first(std::string_view bytes) {
  if (begins_message(bytes)) return;
  if (!start_.empty()) {
    framing_ = stream_framing::sse;
    return sse_.feed(start_);
  }
  const std::size_t decides = bytes.find_first_not_of(before_json);
  if (decides != std::string_view::npos) {
    if (framing_of(bytes[decides]) == stream_framing::sse) {
      framing_ = stream_framing::sse;
    } else {
      json_ = bytes.substr(decides);
      bytes = bytes.substr(0, decides);
    }
  }
  fed_ += bytes.size();
  sse_.feed(bytes);
}

/// The blank lines before the JSON have been decoded.
void frame_decoder::begin_json() {
  framing_ = framing_of(json_.front());
  std::string_view bytes = std::exchange(json_, {});
  const std::string_view begun = sse_.begun();
  ndjson_.reset(fed_ - begun.size());
  array_.reset(fed_ - begun.size());
  if (!begun.empty()) bytes = start_.assign(begun).append(bytes);
  with(*this, [&](auto& decoder) { decoder.feed(bytes); });
}

void frame_decoder::finish() {
  if (framing_ == stream_framing::unknown && !start_.empty()) {
    framing_ = stream_framing::eventstream;  // a message that breaks off in its prelude
    messages_.feed(start_);
  }
  with(*this, [](auto& decoder) { decoder.finish(); });
}

void frame_decoder::reset() noexcept {
  sse_.reset();
  ndjson_.reset();
  messages_.reset();
  array_.reset();
  framing_ = stream_framing::unknown;
  fed_ = 0;
  json_ = {};
  start_.clear();
}

std::string_view line_end_of(std::string_view raw) noexcept {
  const std::size_t cr = raw.find('\r');
  if (cr == std::string_view::npos) return "\n";
  return raw.substr(cr + 1).starts_with('\n') ? "\r\n" : "\r";
}

void append_frame(const frame_place& at, std::string_view type, std::string_view payload, std::string& out) {
  switch (at.how) {
    case stream_framing::ndjson:
      out.append(payload).append(at.line_end == "\r\n" ? at.line_end : "\n");
      break;
    case stream_framing::array:
      append_element(at, payload, out);
      break;
    case stream_framing::eventstream:
      append_event_message(type, payload, out);
      break;
    case stream_framing::unknown:
    case stream_framing::sse:
      if (!type.empty()) out.append("event: ").append(type).append(at.line_end);
      out.append("data: ").append(payload).append(at.line_end).append(at.line_end);
      break;
  }
}

void close_frame(stream_framing how, std::string_view last, std::string_view line_end, std::string& out) {
  if (last.empty() || how == stream_framing::eventstream || how == stream_framing::array) return;
  if (how == stream_framing::ndjson) {
    if (last.back() != '\n') out += '\n';
    return;
  }
  const std::size_t ends = line_ends(last);
  // After a CR, one LF would only complete that line end.
  if (ends == 1 && last.back() == '\r' && line_end != "\r") out += '\n';
  if (ends == 0) out += line_end;
  if (ends < 2) out += line_end;
}

}  // namespace citestream
