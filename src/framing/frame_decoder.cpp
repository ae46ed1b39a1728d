// How the framing is recognised.
//
// The first byte that is not white space decides. Until then, the bytes go to the decoder of event streams,
// which returns blank lines at once. If the byte is `{`, the bytes that this decoder still has are the start
// of the first line of NDJSON. If the stream begins with a byte that text does not begin with, its first
// bytes are kept until they are a prelude of binary messages.
#include "frame_decoder.hpp"

namespace citestream {

namespace {

/// White space and the bytes of a byte order mark.
constexpr std::string_view undecided = " \t\r\n\xEF\xBB\xBF";

/// Number of line ends at the end of `bytes`, at most two.
std::size_t line_ends(std::string_view bytes) noexcept {
  std::size_t count = 0;
  while (count < 2 && !bytes.empty() && (bytes.back() == '\n' || bytes.back() == '\r')) {
    bytes.remove_suffix(bytes.ends_with("\r\n") ? 2 : 1);
    ++count;
  }
  return count;
}

}  // namespace

/// Returns true if \p bytes, after those in `start_`, complete a prelude, or may be the start of one: then
/// they are kept in `start_`, and the framing stays unknown.
bool frame_decoder::begins_message(std::string_view bytes) {
  // No text begins with a byte below 2, and no message is so large that it begins with a larger one.
  if (fed_ > 0 || bytes.empty() || (start_.empty() && static_cast<unsigned char>(bytes.front()) > 1))
    return false;
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
  const std::size_t decides = bytes.find_first_not_of(undecided);
  const bool begins_json = decides != std::string_view::npos && bytes[decides] == '{';
  if (!begins_json) {
    if (decides != std::string_view::npos) framing_ = stream_framing::sse;
    fed_ += bytes.size();
    return sse_.feed(bytes);
  }
  framing_ = stream_framing::ndjson;
  const std::string_view begun = sse_.begun();
  ndjson_.reset(fed_ - begun.size());
  if (begun.empty()) return ndjson_.feed(bytes);
  start_.assign(begun).append(bytes);
  ndjson_.feed(start_);
}

void frame_decoder::finish() {
  if (framing_ == stream_framing::unknown && !start_.empty()) sse_.feed(start_);
  with(*this, [](auto& decoder) { decoder.finish(); });
}

void frame_decoder::reset() noexcept {
  sse_.reset();
  ndjson_.reset();
  messages_.reset();
  framing_ = stream_framing::unknown;
  fed_ = 0;
  start_.clear();
}

void append_frame(stream_framing how, std::string_view type, std::string_view line_end,
                  std::string_view payload, std::string& out) {
  switch (how) {
    case stream_framing::ndjson:
      out.append(payload).append(line_end == "\r\n" ? line_end : "\n");
      break;
    case stream_framing::eventstream:
      append_event_message(type, payload, out);
      break;
    case stream_framing::unknown:
    case stream_framing::sse:
      if (!type.empty()) out.append("event: ").append(type).append(line_end);
      out.append("data: ").append(payload).append(line_end).append(line_end);
      break;
  }
}

void close_frame(stream_framing how, std::string_view last, std::string& out) {
  if (last.empty() || how == stream_framing::eventstream) return;
  if (how == stream_framing::ndjson) {
    if (last.back() != '\n') out += '\n';
    return;
  }
  const std::size_t ends = line_ends(last);
  // After a CR, one LF would only complete that line end.
  if (ends == 0 || (ends == 1 && last.back() == '\r')) out += '\n';
  if (ends < 2) out += '\n';
}

}  // namespace citestream
