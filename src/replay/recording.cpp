#include "recording.hpp"

#include <citestream/chunk/document.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/base64.hpp"
#include "base/decimal.hpp"
#include "chunk/json_scan.hpp"
#include "framing/frame.hpp"
#include "input_start.hpp"
#include "rewrite/json.hpp"

namespace citestream {
namespace {

constexpr std::int64_t format_version = 1;

/// Returns the kind of one object: a line that only needs `done` to be one of Ollama, otherwise a body.
input_kind kind_of_object(json_value root, std::string_view bytes) {
  const std::size_t end = bytes.find_last_not_of(" \t\r\n");
  const bool one_line = bytes.substr(0, end).find('\n', bytes.find('{')) == std::string_view::npos;
  return one_line && root["done"] ? input_kind::ndjson : input_kind::body;
}

/// Returns the media type of an answer.
std::string_view type_of(input_kind kind, std::string_view bytes) {
  document whole;
  const bool object = (kind == input_kind::ndjson || kind == input_kind::body) && !whole.parse(bytes);
  switch (object ? kind_of_object(whole.root(), bytes) : kind) {
    case input_kind::messages:
      return "application/vnd.amazon.eventstream";
    case input_kind::ndjson:
      return "application/x-ndjson";
    case input_kind::array:
    case input_kind::other_array:
    case input_kind::body:
      return "application/json";
    case input_kind::unknown:
    case input_kind::recording:
    case input_kind::events:
    case input_kind::text:
      break;
  }
  return "text/event-stream";
}

std::optional<recording> parse_ndjson(std::string name, std::string_view bytes, recording_error& error) {
  recording_reader reader;
  std::vector<recording_piece> pieces;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
    if (!reader.take(line)) {
      error.line = reader.line();
      error.reason = reader.reason();
      return std::nullopt;
    }
    if (reader.piece() != nullptr) pieces.push_back(*reader.piece());
  }
  if (!reader.started()) {
    error.reason = no_recording;
    return std::nullopt;
  }
  return recording(std::move(name), std::move(pieces), true, reader.content_type());
}

}  // namespace

std::string recording_error::text() const {
  return file + (line == 0 ? "" : ":" + std::to_string(line)) + ": " + reason;
}

recording::recording(std::string name, std::vector<recording_piece> pieces, bool timed,
                     std::string content_type)
    : name_(std::move(name)),
      content_type_(std::move(content_type)),
      pieces_(std::move(pieces)),
      timed_(timed) {}

std::string recording::bytes() const {
  std::string all;
  for (const recording_piece& piece : pieces_) all += piece.bytes;
  return all;
}

bool recording_reader::take(std::string_view line) {
  ++line_;
  if (!started_) line.remove_prefix(std::min(line.find_first_not_of(before_json), line.size()));
  has_piece_ = false;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) return true;
  reason_ = started_ ? read_piece(line) : read_header(line);
  has_piece_ = started_ && reason_.empty();
  started_ = started_ || reason_.empty();
  return reason_.empty();
}

/// Returns why the line is invalid, or an empty string.
std::string recording_reader::read_header(std::string_view line) {
  if (json_.parse(line)) return "the first line is not JSON";
  const json_value root = json_.root();
  if (!root.is_object()) return "the first line is not a JSON object";
  const std::optional<std::int64_t> version = root["citestream_recording"].integer();
  if (!version) return "the first line has no \"citestream_recording\"";
  if (*version != format_version) {
    return "format version " + std::to_string(*version) + " is not known, only " +
           std::to_string(format_version);
  }
  const json_value type = root["content_type"];
  if (type && !type.is_string()) return "\"content_type\" is not a string";
  if (type) content_type_ = type.string();
  // It becomes a header field of an answer.
  if (content_type_.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
    return "\"content_type\" contains a line break or NUL";
  }
  return {};
}

std::string recording_reader::read_piece(std::string_view line) {
  if (json_.parse(line)) return "not JSON";
  const json_value seconds = json_.root()[0];
  const json_value bytes = json_.root()[1];
  const json_value encoding = json_.root()[2];
  if (!seconds || !bytes) return "not an array [seconds, \"bytes\"]";
  if (json_.root()[3]) return "more than three elements";
  if (!seconds.number()) return "the time is not a number";
  if (*seconds.number() < 0 || !std::isfinite(*seconds.number())) return "the time is negative";
  if (*seconds.number() < piece_.seconds) return "the time is before that of the line above";
  if (!bytes.is_string()) return "the bytes are not a string";
  if (encoding && encoding.string() != "base64") return "the third element is not \"base64\"";
  if (encoding) {
    piece_.bytes.clear();
    if (!append_decoded_base64(bytes.string(), piece_.bytes)) return "the bytes are not base64";
  } else {
    piece_.bytes.assign(bytes.string());
  }
  piece_.seconds = *seconds.number() + 0.0;  // turns -0.0 into 0.0
  return {};
}

std::optional<recording> load_recording(const std::filesystem::path& path, recording_error& error) {
  error = {path.string(), 0, {}};
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    error.reason = "is a directory";
    return std::nullopt;
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    error.reason = errno != 0 ? std::generic_category().message(errno) : "cannot be opened";
    return std::nullopt;
  }
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) {
    error.reason = "cannot be read";
    return std::nullopt;
  }
  return parse_recording(path, bytes, error);
}

std::optional<recording> parse_recording(const std::filesystem::path& file, std::string_view bytes,
                                         recording_error& error) {
  error = {file.string(), 0, {}};
  std::string name = file.stem().string();
  const input_kind kind = input_start::kind_of(error.file, bytes);
  if (kind == input_kind::recording) return parse_ndjson(std::move(name), bytes, error);
  std::vector<recording_piece> pieces;
  if (!bytes.empty()) pieces.push_back({0, std::string(bytes)});
  return recording(std::move(name), std::move(pieces), false, std::string(type_of(kind, bytes)));
}

std::string ndjson_header(std::string_view content_type) {
  std::string out{recording_start};
  out += ':' + std::to_string(format_version) + ",\"content_type\":";
  append_json_string(content_type, out);
  return out += "}\n";
}

std::string ndjson_line(const recording_piece& piece) {
  std::string out = "[";
  append_decimal(piece.seconds, out);
  out += ',';
  if (json_scan::is_utf8(piece.bytes)) {
    append_json_string(piece.bytes, out);
    return out += "]\n";
  }
  out += '"';
  append_base64(piece.bytes, out);
  return out += "\",\"base64\"]\n";
}

}  // namespace citestream
