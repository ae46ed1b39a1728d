/// \file
/// Writes one JSON object, member by member.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/decimal.hpp"
#include "json.hpp"

namespace citestream {

/// `,"name":`, built at compile time because a record has up to 24 members.
struct member_key {
  std::array<char, 24> bytes{};
  std::size_t size{};

  template <std::size_t count>
  consteval member_key(const char (&name)[count]) {  // NOLINT(google-explicit-constructor): names are given
    put(",\"");
    put(name);
    put("\":");
  }

 private:
  template <std::size_t count>
  consteval void put(const char (&text)[count]) {
    for (std::size_t i = 0; i + 1 < count; ++i) bytes[size++] = text[i];
  }
};

/// Writes one object: braces, members and the commas between them. The member functions called `known` write
/// nothing if the value is not known.
class object_writer {
 public:
  explicit object_writer(std::string& out) : out_(out) { out_.push_back('{'); }
  /// Continues an object that already has members.
  struct continued {};
  object_writer(std::string& out, continued) : out_(out), comma_(0) {}

  /// Begins a member. The caller appends its value to the returned string.
  std::string& key(const member_key& name) {
    out_.append(name.bytes.data() + comma_, name.size - comma_);
    comma_ = 0;
    return out_;
  }
  /// Begins a member whose name is made at run time.
  std::string& runtime_key(std::string_view name) {
    if (comma_ == 0) out_.push_back(',');
    comma_ = 0;
    append_json_string(name, out_);
    out_.push_back(':');
    return out_;
  }
  void string(const member_key& name, std::string_view text) { append_json_string(text, key(name)); }
  void known(const member_key& name, std::string_view text) {
    if (!text.empty()) string(name, text);
  }
  void number(const member_key& name, std::integral auto value) {
    std::array<char, 32> text{};
    key(name).append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
  }
  void boolean(const member_key& name, bool value) { key(name).append(value ? "true" : "false"); }
  void known(const member_key& name, const std::optional<std::int64_t>& value) {
    if (value) number(name, *value);
  }
  void known(const member_key& name, const std::optional<double>& value) {
    // JSON cannot express infinities or NaN.
    if (value && std::isfinite(*value)) append_decimal(*value, key(name));
  }
  /// The name of an enumerator, or `null`.
  void name_or_null(const member_key& key_name, const auto& value) {
    if (value) {
      string(key_name, name(*value));
    } else {
      key(key_name).append("null");
    }
  }
  void end() { out_.push_back('}'); }

 private:
  std::string& out_;
  std::size_t comma_{1};  ///< bytes of the key to skip: 1 (its comma) for the first member, then 0
};

}  // namespace citestream
