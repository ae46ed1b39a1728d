#include "ascii_text.hpp"

namespace citestream {
namespace {

void append_hex(unsigned char byte, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += digits[byte >> 4U];
  out += digits[byte & 15U];
}

}  // namespace

void append_ascii_json(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7E) {
      out += "\\u00";
      append_hex(byte, out);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += '"';
}

void append_word(std::string_view text, std::string& out) {
  if (text.empty()) out += '-';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte > 0x7E || c == '"' || c == '\\') {
      out += "\\x";
      append_hex(byte, out);
    } else {
      out += c;
    }
  }
}

}  // namespace citestream
