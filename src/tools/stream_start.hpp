/// \file
/// Detects the form of an input by its first bytes.
#pragma once

#include <citestream/session/rewrite_mode.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Returns true if \p text begins like an event stream: with a field or a comment, after an optional byte
/// order mark and blank lines (WHATWG HTML, 9.2.5).
[[nodiscard]] bool begins_as_stream(std::string_view text) noexcept;

/// Returns true if \p bytes begin with the prelude of a binary message (eventstream_message.hpp).
[[nodiscard]] bool begins_with_message(std::string_view bytes) noexcept;

/// Keeps the first bytes of an input, which show its form.
class stream_start {
 public:
  /// Adds bytes of the input, in order.
  void take(std::string_view bytes) {
    if (first_.size() < enough) first_ += bytes.substr(0, enough - first_.size());
  }
  /// Returns true if the input is not empty.
  [[nodiscard]] bool any() const noexcept { return !first_.empty(); }
  /// Returns true if the input is not empty and does not begin like an event stream.
  [[nodiscard]] bool foreign() const noexcept { return any() && !begins_as_stream(first_); }
  /// Returns true if the input begins like NDJSON or a JSON body.
  [[nodiscard]] bool brace() const noexcept { return json_opening(first_) == '{'; }
  /// Returns true if the input begins like a JSON array.
  [[nodiscard]] bool bracket() const noexcept { return json_opening(first_) == '['; }
  /// Returns true if the input begins with a binary message.
  [[nodiscard]] bool message() const noexcept { return begins_with_message(first_); }

 private:
  static constexpr std::size_t enough = 64;
  std::string first_;
};

/// The form of an input.
enum class input_kind : std::uint8_t {
  unknown,    ///< more bytes are needed
  recording,  ///< a recording with arrival times
  events,     ///< an event stream, a JSON array, or anything else that does not begin with a brace
  ndjson,     ///< JSON objects, one on each line
  body,       ///< one JSON object
};

/// Collects the first bytes of an input until they show what it is.
class input_start {
 public:
  /// \param file    name of the input: a file `.ndjson` is a recording or NDJSON
  /// \param bodies  the input may be a JSON body: a single line with an object is then a body, not NDJSON
  input_start(std::string_view file, bool bodies) noexcept
      : ndjson_file_(file.ends_with(".ndjson")), bodies_(bodies) {}

  /// Adds bytes, or an empty view at the end of the input.
  input_kind take(std::string_view bytes);
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  bool ndjson_file_;
  bool bodies_;
  std::string bytes_;
  std::size_t searched_{};  ///< bytes without a line break after the first brace
};

}  // namespace citestream::tools
