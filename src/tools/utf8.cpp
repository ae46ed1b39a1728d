#include "utf8.hpp"

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

constexpr std::string_view replacement = "\uFFFD";

/// Appends \p bytes without an incomplete code point at their end. Returns how many bytes were taken.
std::size_t append_complete(std::string_view bytes, std::string& out) {
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    const found next = look(bytes.substr(taken));
    if (next.what == outcome::cut_off) break;
    out += next.what == outcome::code_point ? bytes.substr(taken, next.length) : replacement;
    taken += next.length;
  }
  return taken;
}

}  // namespace

std::string valid_utf8(std::string_view bytes) {
  std::string out;
  if (append_complete(bytes, out) < bytes.size()) out += replacement;
  return out;
}

void utf8_reader::read(std::string_view bytes, std::string& out) {
  waiting_ += bytes;
  waiting_.erase(0, append_complete(waiting_, out));
}

void utf8_reader::finish(std::string& out) {
  if (!waiting_.empty()) out += replacement;
  waiting_.clear();
}

}  // namespace citestream::tools
