// The chunked decoder is a state machine that looks at single bytes only in the parts between the data: chunk
// sizes, extensions and trailers. Data is appended in runs, so a byte of the body costs as much as in memcpy.
// The input may be divided anywhere.
//
// Accepts only what every reader of RFC 9112, 7.1 divides in the same way: sizes in at most 15 hexadecimal
// digits, lines that end with CR LF, and closed quoted strings in extensions. Extensions and
// trailers may otherwise have any bytes but controls. They are counted, to limit them, and dropped. The state
// `malformed` is final.

#include "body_decoder.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"

namespace citestream::http {
namespace {

/// A number of 15 digits is less than 2^60, so no addition can overflow.
constexpr std::uint8_t max_digits = 15;

}  // namespace

std::size_t chunked_decoder::feed(std::string_view bytes, std::string& out) {
  std::size_t at = 0;
  while (at < bytes.size() && state_ != state::done && state_ != state::malformed) {
    if (state_ != state::data) {
      step(bytes[at++]);
      continue;
    }
    const auto run = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - at));
    out.append(bytes.substr(at, run));
    at += run;
    left_ -= run;
    if (left_ == 0) state_ = state::data_cr;
  }
  return at;
}

void chunked_decoder::step(char c) noexcept {
  switch (state_) {
    case state::size:
    case state::blank:
      return in_size(c);
    case state::extension:
    case state::quoted:
    case state::escaped:
      return in_extension(c);
    case state::size_lf:
      return expect(c, '\n', left_ == 0 ? state::trailer_start : state::data);
    case state::data_cr:
      return expect(c, '\r', state::data_lf);
    case state::data_lf:
      return expect(c, '\n', state::size);
    case state::trailer_start:
    case state::trailer:
      return in_trailer(c);
    case state::trailer_lf:
      return expect(c, '\n', state::trailer_start);
    case state::last_lf:
      return expect(c, '\n', state::done);
    case state::data:
    case state::done:
    case state::malformed:
      return;
  }
}

void chunked_decoder::expect(char c, char expected, state next) noexcept {
  state_ = c == expected ? next : state::malformed;
  if (state_ != state::size) return;
  digits_ = 0;
  left_ = 0;
  extra_ = 0;
}

void chunked_decoder::in_size(char c) noexcept {
  const int digit = state_ == state::size ? ascii::hex_value(c) : -1;
  if (digit >= 0) {
    left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
    if (++digits_ > max_digits) state_ = state::malformed;
    return;
  }
  if (digits_ == 0) {
    state_ = state::malformed;
  } else if (c == ';') {
    state_ = state::extension;
  } else if ((c == ' ' || c == '\t') && ++extra_ <= max_extra_bytes) {
    state_ = state::blank;
  } else {
    state_ = c == '\r' && state_ == state::size ? state::size_lf : state::malformed;
  }
}

/// Rejects line ends inside quotes (RFC 9110, 5.6.4): other readers may or may not end the line there.
void chunked_decoder::in_extension(char c) noexcept {
  if (c == '\r' && state_ == state::extension) {
    state_ = state::size_lf;
    extra_ = 0;
  } else if (!is_field_value({&c, 1}) || ++extra_ > max_extra_bytes) {
    state_ = state::malformed;
  } else if (c == '"' && state_ != state::escaped) {
    state_ = state_ == state::quoted ? state::extension : state::quoted;
  } else if (state_ != state::extension) {
    state_ = c == '\\' && state_ == state::quoted ? state::escaped : state::quoted;
  }
}

void chunked_decoder::in_trailer(char c) noexcept {
  if (c == '\r' && state_ == state::trailer_start) {
    state_ = state::last_lf;
  } else if (c == '\r') {
    extra_ += 2;  // line ends count too, which limits the number of short lines
    state_ = extra_ > max_extra_bytes ? state::malformed : state::trailer_lf;
  } else {
    state_ = !is_field_value({&c, 1}) || ++extra_ > max_extra_bytes ? state::malformed : state::trailer;
  }
}

void append_chunk_start(std::uint64_t size, std::string& out) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, size, 16).ptr;
  out.append(digits, end);
  out.append(chunk_end);
}

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
