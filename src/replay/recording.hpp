/// \file
/// Recordings: streams as they were received, with the arrival time of each piece.
///
/// There are two file formats.
///
/// - Plain bytes (`answer.sse`, `answer.ndjson`, `answer.eventstream`): the unchanged body of an answer,
///   without times. Its media type is recognised by input_start: `application/vnd.amazon.eventstream` if it
///   begins with a binary message, `application/x-ndjson` if it is lines of objects, `application/json` if it
///   is one object or begins with `[`, otherwise `text/event-stream`.
/// - Pieces with arrival times (`answer.ndjson`), one JSON text per line:
///   \code{.json}
///   {"citestream_recording":1,"content_type":"text/event-stream"}
///   [0.412,"data: {\"choices\":…}\n\n"]
///   [0.437,"4oKs","base64"]
///   \endcode
///   The first line is an object. `citestream_recording` is the version of the format, 1. `content_type` is
///   the answer's media type; the default is `text/event-stream`. Other members are ignored: recorders may
///   add their own (`recorded`, `model`, `url`). Every other line is an array `[seconds, bytes]`: the seconds
///   since the request was sent, not negative and not less than in the line before, and the bytes as a JSON
///   string. A piece that is not UTF-8 (a read may end inside a character) is written in base64 (RFC 4648, 4,
///   with padding), with `"base64"` as a third element. Lines end with LF or CRLF; empty lines are skipped.
///
/// A file has the second format if its content starts with `{"citestream_recording"`, or if its name ends
/// with `.ndjson` and its first line is not an object of another kind.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// Bytes that arrived together.
struct recording_piece {
  double seconds{};   ///< since the request was sent; 0 if the recording has no times
  std::string bytes;  ///< any bytes; may end inside a character

  friend bool operator==(const recording_piece&, const recording_piece&) = default;  ///< member by member
};

/// Why a recording could not be read.
struct recording_error {
  std::string file;    ///< its path as passed by the caller
  std::size_t line{};  ///< from 1; 0 if the error concerns the whole file
  std::string reason;  ///< human-readable, without a full stop

  /// `file:line: reason`, or `file: reason`.
  [[nodiscard]] std::string text() const;
};

/// One answer. Owns its bytes.
class recording {
 public:
  /// \param name    the name by which it is requested: the stem of the file name
  /// \param pieces  in order of arrival; `seconds` must not decrease
  /// \param timed   true if `seconds` were recorded
  recording(std::string name, std::vector<recording_piece> pieces, bool timed,
            std::string content_type = "text/event-stream");

  /// The name by which it is requested.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The media type of the answer.
  [[nodiscard]] const std::string& content_type() const noexcept { return content_type_; }
  /// The pieces in order. A plain file is one piece.
  [[nodiscard]] const std::vector<recording_piece>& pieces() const noexcept { return pieces_; }
  /// Returns true if the times of the pieces were recorded.
  [[nodiscard]] bool timed() const noexcept { return timed_; }
  /// All bytes, joined.
  [[nodiscard]] std::string bytes() const;

 private:
  std::string name_;
  std::string content_type_;
  std::vector<recording_piece> pieces_;
  bool timed_{};
};

/// Reads the lines of an `.ndjson` recording one by one, in constant memory.
class recording_reader {
 public:
  /// Reads the next line, without its LF. \return false if it is invalid; reason() then describes the error
  [[nodiscard]] bool take(std::string_view line);
  /// The last line's piece; null for the header and for empty lines. Valid until the next take().
  [[nodiscard]] const recording_piece* piece() const noexcept { return has_piece_ ? &piece_ : nullptr; }
  /// Returns true after the header, which is the first line.
  [[nodiscard]] bool started() const noexcept { return started_; }
  /// The number of the last line, from 1.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  /// The error in the last line; empty if it is valid.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  /// The media type in the header, or `text/event-stream`.
  [[nodiscard]] const std::string& content_type() const noexcept { return content_type_; }

 private:
  [[nodiscard]] std::string read_header(std::string_view line);
  [[nodiscard]] std::string read_piece(std::string_view line);

  document json_;
  std::string content_type_{"text/event-stream"};
  recording_piece piece_;
  std::string reason_;
  std::size_t line_{};
  bool started_{};
  bool has_piece_{};
};

/// The error for an `.ndjson` recording without a header.
inline constexpr std::string_view no_recording =
    "empty: a recording starts with a line {\"citestream_recording\":1}";

/// Reads the file at \p path. On failure returns nothing and sets \p error.
[[nodiscard]] std::optional<recording> load_recording(const std::filesystem::path& path,
                                                      recording_error& error);

/// Reads a recording from memory: \p bytes are the content of the file \p file. Otherwise like
/// \ref load_recording.
[[nodiscard]] std::optional<recording> parse_recording(const std::filesystem::path& file,
                                                       std::string_view bytes, recording_error& error);

/// Returns the header line of an `.ndjson` file, with its LF, for recorders that write piece by piece.
[[nodiscard]] std::string ndjson_header(std::string_view content_type);

/// Returns the line of one piece in an `.ndjson` file, with its LF.
[[nodiscard]] std::string ndjson_line(const recording_piece& piece);

}  // namespace citestream
