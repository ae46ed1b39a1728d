// How events are split.
//
// The stream is read line by line. A line ends with CR, LF or CRLF; an empty line ends an event. A line that
// arrives in several pieces is collected first, so fields are always read from whole lines. An event over the
// limit is reported once and skipped up to its empty line.
#include "event_splitter.hpp"

namespace citestream::load {

bool event_splitter::take_line(std::string_view& line) {
  if (after_cr_ && !input_.empty()) {
    if (input_.front() == '\n') input_.remove_prefix(1);
    after_cr_ = false;
  }
  const std::size_t end = input_.find_first_of("\r\n");
  if (end == std::string_view::npos) {
    if (line_.size() <= max_event_bytes_) line_ += input_;
    input_ = {};
    return false;
  }
  line = input_.substr(0, end);
  if (!line_.empty()) {
    current_ = std::move(line_);
    current_ += line;
    line_.clear();
    line = current_;
  }
  after_cr_ = input_[end] == '\r';
  input_.remove_prefix(end + 1);
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (first_line_ && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  first_line_ = false;
  return true;
}

void event_splitter::take_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "event") type_ = value;
  if (name != "data") return;
  if (event_ == progress::data) data_ += '\n';
  data_ += value;
  event_ = progress::data;
}

void event_splitter::clear_event() noexcept {
  type_.clear();
  data_.clear();
  event_ = progress::no_data;
}

/// Returns true if a line of NDJSON is an event.
bool event_splitter::give_line(std::string_view line, stream_item& out) {
  if (line.find_first_not_of(" \t") == std::string_view::npos) return false;
  if (line.size() > max_event_bytes_) {
    out = {stream_item::kind::too_large, {}, {}};
    return true;
  }
  data_ = line;
  out = {stream_item::kind::event, {}, data_};
  event_ = progress::given;
  return true;
}

bool event_splitter::next(stream_item& out) {
  if (event_ == progress::given) clear_event();
  for (std::string_view line; take_line(line);) {
    if (lines_) {
      if (give_line(line, out)) return true;
      continue;
    }
    if (line.empty()) {
      if (event_ != progress::data) {
        clear_event();
        continue;
      }
      out = {stream_item::kind::event, type_, data_};
      event_ = progress::given;
      return true;
    }
    if (event_ == progress::too_large) continue;
    if (line.front() == ':') {
      out = {stream_item::kind::comment, {}, line};
      return true;
    }
    if (data_.size() + line.size() > max_event_bytes_) {
      clear_event();
      event_ = progress::too_large;
      out = {stream_item::kind::too_large, {}, {}};
      return true;
    }
    take_field(line);
  }
  return false;
}

void event_splitter::reset(bool lines) noexcept {
  lines_ = lines;
  clear_event();
  input_ = {};
  line_.clear();
  after_cr_ = false;
  first_line_ = true;
}

}  // namespace citestream::load
