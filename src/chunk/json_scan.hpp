// Reading over JSON values without a parser: each function accepts what the document accepts, or less, never
// more. Line breaks are nowhere accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace citestream::json_scan {

// What a string is made of.
struct string_end {
  const char* quote{};  // the one that ends it; null: none before `end`, or not a valid string
  bool escaped{};
};

// Reads over a string's bytes from `at`, behind its first quote.
[[nodiscard]] string_end skip_string(const char* at, const char* end) noexcept;

// These return where the value at `at` ends; null where there is none before `end`, or too long a number.
[[nodiscard]] const char* skip_number(const char* at, const char* end) noexcept;
// `levels`: arrays and objects that it may be nested in its own, itself included; at most 64 are read.
[[nodiscard]] const char* skip_value(const char* at, const char* end, std::size_t levels) noexcept;

// Appends what the bytes of a valid string, without its quotes, stand for.
void append_unescaped(std::string_view bytes, std::string& out);

}  // namespace citestream::json_scan
