/// \file
/// Decodes message bodies: bytes of the connection in, bytes of the body out (RFC 9112, 6.3 and 7.1).
///
/// \code
///   body_decoder decoder(head.body, head.length);
///   while (read(bytes)) {
///     std::size_t used = decoder.feed(bytes, body);   // everything that one read returned, in one call
///     if (decoder.complete() || decoder.malformed()) break;   // bytes.substr(used) is the next message
///   }
/// \endcode
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fields.hpp"

namespace citestream::http {

/// The chunked transfer coding. Extensions and trailers are dropped.
class chunked_decoder {
 public:
  /// Maximum size of the extensions of one chunk, and of all trailers with their line ends.
  static constexpr std::size_t max_extra_bytes = 4096;

  /// Appends the body bytes in \p bytes to \p out. \return bytes consumed: all, unless done() or malformed().
  std::size_t feed(std::string_view bytes, std::string& out);
  /// Returns true if the last chunk and its trailers have been read.
  [[nodiscard]] bool done() const noexcept { return state_ == state::done; }
  /// Returns true after an error. No further bytes are decoded.
  [[nodiscard]] bool malformed() const noexcept { return state_ == state::malformed; }

 private:
  enum class state : std::uint8_t {
    size,   ///< before or in the size's digits
    blank,  ///< in white space after the size, which only `;` may follow
    extension,
    quoted,   ///< between quotes in an extension, where a line cannot end
    escaped,  ///< after a backslash between quotes
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
  void expect(char c, char expected, state next) noexcept;

  state state_{state::size};
  std::uint8_t digits_{};
  std::uint64_t left_{};  ///< the size read so far, then the data bytes left
  std::size_t extra_{};
};

/// Appends the line that starts a chunk of \p size bytes.
void append_chunk_start(std::uint64_t size, std::string& out);
inline constexpr std::string_view chunk_end = "\r\n";
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

/// Decodes a body with any \ref framing.
class body_decoder {
 public:
  body_decoder() = default;
  body_decoder(framing how, std::uint64_t length) noexcept;

  /// Appends body bytes to \p out. \return bytes consumed: all, unless complete() or malformed().
  std::size_t feed(std::string_view bytes, std::string& out);
  /// Returns true if the body has ended. Later bytes belong to the next message.
  [[nodiscard]] bool complete() const noexcept;
  [[nodiscard]] bool malformed() const noexcept { return chunks_.malformed(); }
  /// Returns true if the body ends with the connection.
  [[nodiscard]] bool ends_with_connection() const noexcept { return how_ == framing::until_close; }

 private:
  framing how_{framing::none};
  std::uint64_t left_{};
  chunked_decoder chunks_;
};

}  // namespace citestream::http
