/// \file
/// The chunked transfer coding, taken off as bytes arrive (RFC 9112, 7.1).
///
/// \code
///   chunked_decoder decoder;
///   while (read(bytes)) {
///     std::size_t used = decoder.feed(bytes, body);   // everything that one read brought, in one call
///     if (decoder.done() || decoder.malformed()) break;   // bytes.substr(used) is the next message
///   }
/// \endcode
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream::http {

/// Strict: CR LF only, sizes of hexadecimal digits only, quotes in extensions closed. Extensions and trailers
/// are dropped, bounded, and never stored.
class chunked_decoder {
 public:
  /// Bytes of one chunk's extensions, and of all trailers together with their line ends.
  static constexpr std::size_t max_extra_bytes = 4096;

  /// Appends the body bytes in \p bytes to \p out. \return bytes used: all, unless done() or malformed().
  std::size_t feed(std::string_view bytes, std::string& out);
  /// The last chunk and its trailers have come.
  [[nodiscard]] bool done() const noexcept { return state_ == state::done; }
  /// Sticky.
  [[nodiscard]] bool malformed() const noexcept { return state_ == state::malformed; }

 private:
  enum class state : std::uint8_t {
    size,   ///< before or in the size's digits
    blank,  ///< after the size, white space that only `;` may follow
    extension,
    quoted,   ///< between quotes in an extension, where a line cannot end
    escaped,  ///< behind a backslash there
    size_lf,
    data,
    data_cr,
    data_lf,
    trailer_start,  ///< at the start of a line after the last chunk
    trailer,
    trailer_lf,
    last_lf,
    done,
    malformed,
  };

  void step(char c) noexcept;
  void in_size(char c) noexcept;
  void in_extension(char c) noexcept;
  void in_trailer(char c) noexcept;
  void expect(char c, char wanted, state next) noexcept;

  state state_{state::size};
  std::uint8_t digits_{};
  std::uint64_t left_{};  ///< of the size while it is read, then of the data
  std::size_t extra_{};
};

/// Appends the line that starts a chunk of \p size bytes.
void append_chunk_start(std::uint64_t size, std::string& out);
inline constexpr std::string_view chunk_end = "\r\n";
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

}  // namespace citestream::http
