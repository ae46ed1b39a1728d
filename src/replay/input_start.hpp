/// \file
/// Detects what an input is: by the extension of its name and its first bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream {

/// The start of a recording with arrival times.
inline constexpr std::string_view recording_start = "{\"citestream_recording\"";

/// What an input is. Blanks and a byte order mark before it are ignored.
enum class input_kind : std::uint8_t {
  unknown,      ///< more bytes are needed
  recording,    ///< a recording with arrival times, see recording.hpp
  events,       ///< server-sent events: begins with a field or a comment (WHATWG HTML, 9.2.5)
  messages,     ///< binary messages of AWS
  array,        ///< a JSON array of objects, as Gemini streams it
  other_array,  ///< anything else that begins with `[`: JSON, or text with a citation at its start
  ndjson,       ///< JSON objects, one on each line
  body,         ///< one JSON object
  text,         ///< anything else
};

/// Collects the first bytes of an input until they show what it is.
class input_start {
 public:
  /// \param file    name of the input: a file `.ndjson` is a recording or NDJSON
  /// \param bodies  the input may be a JSON body: without several lines of objects it is a body, not NDJSON
  input_start(std::string_view file, bool bodies) noexcept
      : ndjson_file_(file.ends_with(".ndjson")), bodies_(bodies) {}

  /// Adds bytes, or an empty view at the end of the input.
  input_kind take(std::string_view bytes);
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

  /// Returns what the whole input \p bytes is.
  [[nodiscard]] static input_kind kind_of(std::string_view file, std::string_view bytes) {
    return input_start(file, true).kind_of_start(bytes, true);
  }

 private:
  [[nodiscard]] input_kind kind_of_start(std::string_view all, bool ended);

  bool ndjson_file_;
  bool bodies_;
  std::string bytes_;
  std::size_t begin_{};  ///< blanks and byte order marks at the start
  std::size_t
      searched_{};  ///< bytes without a line break after the first brace, or only blanks after the bracket
};

}  // namespace citestream
