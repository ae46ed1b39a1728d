// A field line is accepted only in the form that all HTTP implementations read in the same way. Folded lines,
// white space before the colon and control bytes are rejected, never repaired: parties that repair
// differently disagree about the end of a message, which enables request smuggling (RFC 9112, 5 and 11.2).
// Values are trimmed views into the head. Names keep their case, but comparisons ignore it.

#include "fields.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace citestream::http {
namespace {

/// By byte: whether a token may contain it.
constexpr std::array<bool, 256> token_bytes = [] {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  std::array<bool, 256> out{};
  for (std::size_t byte = 0; byte < 128; ++byte) {
    const auto c = static_cast<char>(byte);
    out[byte] = ascii::is_alphanumeric(c) || marks.find(c) != std::string_view::npos;
  }
  return out;
}();

}  // namespace

bool is_token(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return token_bytes[static_cast<unsigned char>(c)]; });
}

bool is_field_value(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\t' || !ascii::is_control(c); });
}

const field* find(const fields& all, std::string_view name) noexcept {
  for (const field& one : all) {
    if (same_name(one.name, name)) return &one;
  }
  return nullptr;
}

const field* find_only(const fields& all, std::string_view name) noexcept {
  return count(all, name) == 1 ? find(all, name) : nullptr;
}

std::size_t count(const fields& all, std::string_view name) noexcept {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const field& one) { return same_name(one.name, name); }));
}

bool lists(const fields& all, std::string_view name, std::string_view element) noexcept {
  for (const field& one : all) {
    if (!same_name(one.name, name)) continue;
    std::string_view rest = one.value;
    while (const auto found = next_element(rest)) {
      if (same_name(*found, element)) return true;
    }
  }
  return false;
}

std::string_view media_type(const fields& all) noexcept {
  const field* type = find_only(all, "content-type");
  return type == nullptr ? std::string_view{} : media_type(type->value);
}

bool is_encoded(const fields& all) noexcept {
  return std::ranges::any_of(
      all, [](const field& one) { return same_name(one.name, "content-encoding") && is_encoded(one.value); });
}

std::string authority_of(std::string_view host, std::string_view port) {
  const bool brackets = host.find(':') != std::string_view::npos;
  std::string out(brackets ? "[" : "");
  return out.append(host).append(brackets ? "]:" : ":").append(port);
}

field_error parse_fields(std::string_view lines, std::size_t max_fields, fields& out) {
  constexpr std::size_t usual_fields = 8;
  out.reserve(usual_fields);
  while (!lines.empty()) {
    const std::size_t end = lines.find("\r\n");
    if (end == std::string_view::npos) return field_error::malformed;
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end + 2);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return field_error::malformed;
    // Also rejects folded lines and white space before the colon, which are not tokens (RFC 9112, 5.1, 5.2).
    if (!is_token(line.substr(0, colon))) return field_error::malformed;
    if (!is_field_value(line.substr(colon + 1))) return field_error::malformed;
    if (out.size() == max_fields) return field_error::too_many;
    out.push_back({line.substr(0, colon), trim(line.substr(colon + 1))});
  }
  return field_error::none;
}

}  // namespace citestream::http
