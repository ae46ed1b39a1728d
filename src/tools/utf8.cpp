#include "utf8.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace citestream::tools {

namespace {

/// The continuation bytes that may follow a lead byte: their number and the bounds of the first one.
struct continuation {
  std::size_t count{};
  std::uint8_t lower{0x80};
  std::uint8_t upper{0xBF};
};

continuation after_lead(std::uint8_t lead) noexcept {
  if (lead >= 0xC2 && lead <= 0xDF) return {1};
  if (lead == 0xE0) return {2, 0xA0, 0xBF};  // no overlong forms
  if (lead == 0xED) return {2, 0x80, 0x9F};  // no surrogates
  if (lead >= 0xE1 && lead <= 0xEF) return {2};
  if (lead == 0xF0) return {3, 0x90, 0xBF};
  if (lead == 0xF4) return {3, 0x80, 0x8F};  // not above U+10FFFF
  if (lead >= 0xF1 && lead <= 0xF3) return {3};
  return {};
}

enum class outcome : std::uint8_t { code_point, invalid, cut_off };

/// The sequence at the start of some bytes. An invalid sequence ends before the byte that makes it invalid,
/// as the standard requires for replacement by U+FFFD.
struct found {
  outcome what{};
  std::size_t length{1};
};

found look(std::string_view bytes) noexcept {
  const auto lead = static_cast<std::uint8_t>(bytes.front());
  if (lead < 0x80) return {outcome::code_point};
  continuation expected = after_lead(lead);
  if (expected.count == 0) return {outcome::invalid};
  for (std::size_t at = 1; at <= expected.count; ++at) {
    if (at == bytes.size()) return {outcome::cut_off, at};
    const auto byte = static_cast<std::uint8_t>(bytes[at]);
    if (byte < expected.lower || byte > expected.upper) return {outcome::invalid, at};
    expected.lower = 0x80;
    expected.upper = 0xBF;
  }
  return {outcome::code_point, expected.count + 1};
}

/// The number of bytes (at most 3) at the end of \p bytes that start an incomplete code point.
std::size_t incomplete_tail(std::string_view bytes) noexcept {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, bytes.size()); ++back) {
    const std::string_view tail = bytes.substr(bytes.size() - back);
    if (look(tail).what == outcome::cut_off) return look(tail).length == back ? back : 0;
  }
  return 0;
}

}  // namespace

void append_replacing_invalid_utf8(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    const found next = look(bytes);
    out += next.what == outcome::code_point ? bytes.substr(0, next.length) : std::string_view("\xEF\xBF\xBD");
    bytes.remove_prefix(next.length);
  }
}

void utf8_reader::read(std::string_view bytes, std::string& out) {
  waiting_ += bytes;
  const std::size_t complete = waiting_.size() - incomplete_tail(waiting_);
  append_replacing_invalid_utf8(std::string_view(waiting_).substr(0, complete), out);
  waiting_.erase(0, complete);
}

void utf8_reader::finish(std::string& out) {
  append_replacing_invalid_utf8(waiting_, out);
  waiting_.clear();
}

}  // namespace citestream::tools
