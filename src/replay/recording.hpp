/// \file
/// Recordings: streams as they were received, with the time at which each piece came.
///
/// Two kinds of file are read.
///
/// - Plain bytes (`answer.sse`): the body of an answer as it came. No times.
/// - Pieces with arrival times (`answer.ndjson`), one JSON text a line:
///   \code{.json}
///   {"citestream_recording":1,"content_type":"text/event-stream"}
///   [0.412,"data: {\"choices\":…}\n\n"]
///   [0.437,"4oKs","base64"]
///   \endcode
///   The first line is an object. `citestream_recording` is the version of the format, 1. `content_type` is
///   the answer's media type; without it `text/event-stream`. Other members are ignored: a recorder may note
///   there what it wants (`recorded`, `model`, `url`).
///   Every other line is an array `[seconds, bytes]`: seconds since the request was sent, not negative and
///   not less than the line before; bytes as a JSON string. A piece that is not UTF-8 (a read may end inside
///   a character) is written in base64 (RFC 4648, 4, with padding) with a third element, `"base64"`.
///   Lines end with LF or CRLF; empty lines are skipped.
///
/// A file is of the second kind when its name ends with `.ndjson`, or when it starts with
/// `{"citestream_recording"`.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream {

/// What a recording with arrival times starts with.
inline constexpr std::string_view recording_start = "{\"citestream_recording\"";

/// Bytes that came together.
struct recording_piece {
  double seconds{};   ///< since the request was sent; 0 where the recording has no times
  std::string bytes;  ///< any bytes, cut anywhere

  friend bool operator==(const recording_piece&, const recording_piece&) = default;  ///< member by member
};

/// Why a recording could not be read.
struct recording_error {
  std::string file;    ///< its path, as it was given
  std::size_t line{};  ///< from 1; 0 where the whole file is meant
  std::string reason;  ///< for people, without a full stop

  /// `file:line: reason`, or `file: reason`.
  [[nodiscard]] std::string text() const;
};

/// One answer. Owns its bytes.
class recording {
 public:
  /// \param name    what it is called, and asked for by: the stem of a file's name
  /// \param pieces  in the order in which they came, `seconds` not falling
  /// \param timed   whether `seconds` mean anything
  recording(std::string name, std::vector<recording_piece> pieces, bool timed,
            std::string content_type = "text/event-stream");

  /// What it is asked for by.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The media type of the answer.
  [[nodiscard]] const std::string& content_type() const noexcept { return content_type_; }
  /// The pieces in order. A plain file is one piece.
  [[nodiscard]] const std::vector<recording_piece>& pieces() const noexcept { return pieces_; }
  /// Whether the pieces' times were recorded.
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
  /// Takes the next line, without its LF. \return whether it is as it should be: else reason() says why not
  [[nodiscard]] bool take(std::string_view line);
  /// The last line's piece; null where it was the first one or empty. Valid until the next take().
  [[nodiscard]] const recording_piece* piece() const noexcept { return has_piece_ ? &piece_ : nullptr; }
  /// Whether the first line, which says that it is a recording, has come.
  [[nodiscard]] bool started() const noexcept { return started_; }
  /// The number of the last line, from 1.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }
  /// Why the last line is not as it should be; empty where it is.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  /// The media type that the first line says, else that of an event stream.
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

/// Why an `.ndjson` recording without a first line is none.
inline constexpr std::string_view no_recording =
    "empty: a recording starts with a line {\"citestream_recording\":1}";

/// Reads the file at \p path. \return nothing where it cannot be read, and why in \p error.
[[nodiscard]] std::optional<recording> load_recording(const std::filesystem::path& path,
                                                      recording_error& error);

/// Reads a recording from memory: \p bytes are what the file \p file holds. As \ref load_recording.
[[nodiscard]] std::optional<recording> parse_recording(const std::filesystem::path& file,
                                                       std::string_view bytes, recording_error& error);

/// The recording as an `.ndjson` file: what \ref parse_recording gives back unchanged, the name aside.
[[nodiscard]] std::string to_ndjson(const recording& from);

/// The header line of an `.ndjson` file, with its LF; for recorders that write piece by piece.
[[nodiscard]] std::string ndjson_header(std::string_view content_type);

/// One piece's line of an `.ndjson` file, with its LF.
[[nodiscard]] std::string ndjson_line(const recording_piece& piece);

}  // namespace citestream
