/// \file
/// A second JSON reader (RFC 8259), independent of the library: slow, simple, recursive. Tests compare the
/// library with it.
#pragma once

#include <citestream/chunk/document.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace citestream_tests {

struct model_value {
  citestream::json_kind kind{};
  std::size_t begin{};
  std::size_t end{};
  std::string key;
  std::string text;  ///< a string unescaped; a number or atom as it is written
  std::vector<model_value> children;
};

/// Appends a code point as UTF-8. Also encodes surrogates, which is not valid UTF-8.
inline void append_utf8(std::uint32_t point, std::string& out) {
  const auto byte = [&](std::uint32_t b) { out.push_back(static_cast<char>(static_cast<unsigned char>(b))); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xC0 | (point >> 6));
    byte(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    byte(0xE0 | (point >> 12));
    byte(0x80 | ((point >> 6) & 0x3F));
    byte(0x80 | (point & 0x3F));
  } else {
    byte(0xF0 | (point >> 18));
    byte(0x80 | ((point >> 12) & 0x3F));
    byte(0x80 | ((point >> 6) & 0x3F));
    byte(0x80 | (point & 0x3F));
  }
}

/// Returns true if \p text is UTF-8 (Unicode 15, table 3-7).
inline bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto at = [&](std::size_t k) {
      return k < text.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])) : 0U;
    };
    const std::uint32_t lead = at(i);
    const std::size_t size = lead < 0x80       ? 1
                             : lead >> 5 == 6  ? 2
                             : lead >> 4 == 14 ? 3
                             : lead >> 3 == 30 ? 4
                                               : 0;
    if (size == 0) return false;
    std::uint32_t point = size == 1 ? lead : lead & (0xFFU >> (size + 1));
    for (std::size_t k = 1; k < size; ++k) {
      if (at(i + k) >> 6 != 2) return false;
      point = point << 6 | (at(i + k) & 0x3F);
    }
    std::string again;
    append_utf8(point, again);
    if (again != text.substr(i, size) || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
      return false;
    i += size;
  }
  return true;
}

class model_reader {
 public:
  explicit model_reader(std::string_view json) : json_(json) {}

  std::optional<model_value> read() {
    if (!is_utf8(json_)) return std::nullopt;
    model_value root;
    blanks();
    if (!value(root)) return std::nullopt;
    blanks();
    if (at_ != json_.size()) return std::nullopt;
    return root;
  }

 private:
  [[nodiscard]] char peek() const { return at_ < json_.size() ? json_[at_] : '\0'; }
  bool take(char c) {
    if (at_ >= json_.size() || json_[at_] != c) return false;
    ++at_;
    return true;
  }
  void blanks() {
    while (at_ < json_.size() && std::string_view(" \t\n\r").find(json_[at_]) != std::string_view::npos)
      ++at_;
  }
  bool value(model_value& out) {
    out.begin = at_;
    bool good = false;
    switch (peek()) {
      case '{':
        good = object(out);
        break;
      case '[':
        good = array(out);
        break;
      case '"':
        out.kind = citestream::json_kind::string;
        good = string(out.text);
        break;
      case 't':
        good = atom(out, "true", citestream::json_kind::boolean);
        break;
      case 'f':
        good = atom(out, "false", citestream::json_kind::boolean);
        break;
      case 'n':
        good = atom(out, "null", citestream::json_kind::null);
        break;
      default:
        good = number(out);
    }
    out.end = at_;
    return good;
  }
  bool atom(model_value& out, std::string_view word, citestream::json_kind kind) {
    if (json_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    out.kind = kind;
    out.text = word;
    return true;
  }
  bool digits() {
    const std::size_t start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ > start;
  }
  bool number(model_value& out) {
    out.kind = citestream::json_kind::number;
    const std::size_t start = at_;
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!digits()) return false;
    }
    out.text = json_.substr(start, at_ - start);
    return true;
  }
  bool hex(std::uint32_t& out) {
    out = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const std::size_t digit =
          std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
      if (c == '\0' || digit == std::string_view::npos) return false;
      out = out * 16 + static_cast<std::uint32_t>(digit);
    }
    return true;
  }
  bool escape(std::string& out) {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view means = "\"\\/\b\f\n\r\t";
    if (take('u')) {
      std::uint32_t point{};
      if (!hex(point) || (point >= 0xDC00 && point < 0xE000)) return false;
      if (point >= 0xD800 && point < 0xDC00) {
        std::uint32_t low{};
        if (!take('\\') || !take('u') || !hex(low) || low < 0xDC00 || low >= 0xE000) return false;
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
      }
      append_utf8(point, out);
      return true;
    }
    const std::size_t which = at_ < json_.size() ? names.find(json_[at_]) : std::string_view::npos;
    if (which == std::string_view::npos) return false;
    ++at_;
    out.push_back(means[which]);
    return true;
  }
  bool string(std::string& out) {
    if (!take('"')) return false;
    while (at_ < json_.size()) {
      if (take('"')) return true;
      if (take('\\')) {
        if (!escape(out)) return false;
        continue;
      }
      if (static_cast<unsigned char>(json_[at_]) < 0x20) return false;
      out.push_back(json_[at_++]);
    }
    return false;
  }
  bool array(model_value& out) {
    out.kind = citestream::json_kind::array;
    take('[');
    blanks();
    if (take(']')) return true;
    do {
      blanks();
      if (!value(out.children.emplace_back())) return false;
      blanks();
    } while (take(','));
    return take(']');
  }
  bool object(model_value& out) {
    out.kind = citestream::json_kind::object;
    take('{');
    blanks();
    if (take('}')) return true;
    do {
      blanks();
      model_value& member = out.children.emplace_back();
      if (!string(member.key)) return false;
      blanks();
      if (!take(':')) return false;
      blanks();
      if (!value(member)) return false;
      blanks();
    } while (take(','));
    return take('}');
  }

  std::string_view json_;
  std::size_t at_{};
};

/// The model of a JSON text, or nothing if it is not JSON.
inline std::optional<model_value> read_model(std::string_view json) {
  return model_reader(json).read();
}

}  // namespace citestream_tests
