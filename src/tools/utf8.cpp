#include "utf8.hpp"

#include <cstddef>

#include "base/code_point.hpp"

namespace citestream::tools {

namespace {

/// Returns true if more bytes can make a code point of \p start. The bounds of a second byte only exclude a
/// part of the continuation bytes at one end, so that the least or the greatest is valid in each case.
bool is_start(std::string_view start) {
  for (const std::string_view rest : {"\x80\x80\x80", "\xBF\xBF\xBF"}) {
    if (first_code_point(std::string(start).append(rest)).length > start.size()) return true;
  }
  return false;
}

/// Returns the size of the invalid sequence at the start of \p bytes. It ends before the byte that makes it
/// invalid, as the standard requires for replacement by U+FFFD.
std::size_t invalid_size(std::string_view bytes) {
  std::size_t size = 1;
  while (size < bytes.size() && is_start(bytes.substr(0, size + 1))) ++size;
  return size;
}

constexpr std::string_view replacement = "\uFFFD";

/// Appends \p bytes without an incomplete code point at their end. Returns how many bytes were taken.
std::size_t append_complete(std::string_view bytes, std::string& out) {
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    const std::string_view rest = bytes.substr(taken);
    const std::size_t valid = first_code_point(rest).length;
    if (valid == 0 && rest.size() < 4 && is_start(rest)) break;
    out += valid > 0 ? rest.substr(0, valid) : replacement;
    taken += valid > 0 ? valid : invalid_size(rest);
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
