/// \file
/// A message body, however its end is known: bytes of the connection in, bytes of the body out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "chunked_decoder.hpp"
#include "field.hpp"

namespace citestream::http {

/// \ref framing made into a decoder.
class body_decoder {
 public:
  body_decoder() = default;
  body_decoder(framing how, std::uint64_t length) noexcept;

  /// Appends body bytes to \p out. \return bytes used: all, unless complete() or malformed().
  std::size_t feed(std::string_view bytes, std::string& out);
  /// The body has ended; what follows belongs to the next message.
  [[nodiscard]] bool complete() const noexcept;
  [[nodiscard]] bool malformed() const noexcept { return chunks_.malformed(); }
  /// Whether the connection's clean end is the body's end.
  [[nodiscard]] bool ends_with_connection() const noexcept { return how_ == framing::until_close; }

 private:
  framing how_{framing::none};
  std::uint64_t left_{};
  chunked_decoder chunks_;
};

}  // namespace citestream::http
