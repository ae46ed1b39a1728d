// The bytes of a file or of standard input, as they arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace citestream::tools {

/// Reads without waiting for a full buffer: a read returns what has arrived.
class byte_input {
 public:
  /// \param file  a path; empty or `-` is standard input
  /// \throws failure  if the file cannot be opened
  explicit byte_input(const std::string& file);
  ~byte_input();
  byte_input(const byte_input&) = delete;
  byte_input& operator=(const byte_input&) = delete;

  /// The next bytes, at least one; empty at the end. Valid until the next call.
  /// \throws failure
  [[nodiscard]] std::string_view read();

  /// The number of bytes, if it is a file.
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept { return size_; }

  /// True if it is a terminal, at which somebody types.
  [[nodiscard]] bool is_terminal() const noexcept;

  /// Its name in messages: the path, or `standard input`.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

 private:
  // Larger reads were not faster. The buffer and the output made of it fit into a second-level cache.
  static constexpr std::size_t buffer_bytes = 256 * 1024;
  std::string name_;
  int descriptor_{};
  bool ended_{};  ///< a terminal would wait for a second end
  std::optional<std::uint64_t> size_;
  std::unique_ptr<char[]> buffer_;
};

/// U+FEFF, which some programs write before UTF-8. It is not part of the text or of JSON (RFC 8259, 8.1).
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// \p text without a mark at its start.
[[nodiscard]] constexpr std::string_view without_byte_order_mark(std::string_view text) noexcept {
  return text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
}

/// All bytes to the end, without a byte order mark. \throws failure
[[nodiscard]] std::string read_all(byte_input& input);

/// All bytes of a file, without a byte order mark. \throws failure
[[nodiscard]] std::string read_whole_file(const std::string& path);

/// Writes all of \p bytes to standard output now. \throws failure
void write_to_standard_output(std::string_view bytes);

}  // namespace citestream::tools
