/// \file
/// Reads bytes from a file or standard input as they arrive.
#pragma once

#include <citestream/base/status.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace citestream::tools {

struct input_document;

/// A file, standard input, or bytes in memory. A read returns the bytes that are available; it does not wait
/// for a full buffer.
class byte_input {
 public:
  /// \param file  a path; empty or `-` is standard input
  /// \throws command_error  if the file cannot be opened
  explicit byte_input(const std::string& file);
  /// Reads the bytes of a document, or its file. The document must outlive this object.
  /// \throws command_error  if the file cannot be opened
  explicit byte_input(const input_document& from);
  ~byte_input();
  byte_input(const byte_input&) = delete;
  byte_input& operator=(const byte_input&) = delete;

  /// Returns the next bytes (at least one), or an empty view at the end. The view is valid until the next
  /// call. \throws command_error
  [[nodiscard]] std::string_view read();

  /// Returns the size in bytes if the input is a regular file.
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept { return size_; }

  /// Returns true if the input is a terminal.
  [[nodiscard]] bool is_terminal() const noexcept;

  /// Returns the name to use in messages: the path, or `standard input`.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  void open(const std::string& file);

  /// Larger reads were not faster. The buffer and its output fit into a second-level cache.
  static constexpr std::size_t buffer_bytes = 256 * 1024;
  std::string name_;
  int descriptor_{};
  bool ended_{};  ///< at the end; another read would make a terminal wait for a second Ctrl-D
  std::optional<std::uint64_t> size_;
  std::unique_ptr<char[]> buffer_;
  std::optional<std::string_view> bytes_;  ///< read instead of the descriptor
};

/// Reads to the end and returns all bytes without a byte order mark. \throws command_error
[[nodiscard]] std::string read_all(byte_input& input);

/// Returns all bytes of a file without a byte order mark. \throws command_error
[[nodiscard]] std::string read_whole_file(const std::string& path);

/// Returns an error of input with its place: `invalid JSON at byte 12`.
[[nodiscard]] std::string message_with_place(status error);

/// Writes all of \p bytes to an open file without buffering. \param name  of the file, for messages
/// \throws command_error
void write_to(int descriptor, std::string_view bytes, const std::string& name);

/// Writes all of \p bytes to standard output without buffering. \throws command_error
void write_to_standard_output(std::string_view bytes);

}  // namespace citestream::tools
