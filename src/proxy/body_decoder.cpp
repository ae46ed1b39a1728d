#include "body_decoder.hpp"

#include <algorithm>

namespace citestream::http {

body_decoder::body_decoder(framing how, std::uint64_t length) noexcept : how_(how), left_(length) {}

std::size_t body_decoder::feed(std::string_view bytes, std::string& out) {
  switch (how_) {
    case framing::none:
      return 0;
    case framing::chunked:
      return chunks_.feed(bytes, out);
    case framing::until_close:
      out.append(bytes);
      return bytes.size();
    case framing::length:
      break;
  }
  const auto used = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  out.append(bytes.substr(0, used));
  left_ -= used;
  return used;
}

bool body_decoder::complete() const noexcept {
  switch (how_) {
    case framing::none:
      return true;
    case framing::length:
      return left_ == 0;
    case framing::chunked:
      return chunks_.done();
    case framing::until_close:
      break;
  }
  return false;
}

}  // namespace citestream::http
