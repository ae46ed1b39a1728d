#include "request_facts.hpp"

#include <algorithm>
#include <cstddef>

namespace citestream {

std::string_view ending(const request_facts& of) noexcept {
  if (!of.refused.empty()) return of.refused;
  return of.failed == trouble::none ? "complete" : trouble_name(of.failed);
}

std::string_view model_in(std::string_view bytes) noexcept {
  // Inside a JSON string a quote is escaped: a name with both its quotes and a colon behind it is a key.
  constexpr std::string_view key = "\"model\"";
  constexpr std::size_t max_bytes = 64;
  const std::size_t at = bytes.find(key);
  if (at == std::string_view::npos) return {};
  bytes.remove_prefix(at + key.size());
  constexpr std::string_view between = " \t:";
  const std::size_t quote = bytes.find_first_not_of(between);
  if (quote == std::string_view::npos || bytes[quote] != '"') return {};
  bytes.remove_prefix(quote + 1);
  const std::size_t end = bytes.substr(0, max_bytes + 1).find('"');
  if (end == std::string_view::npos) return {};
  const std::string_view name = bytes.substr(0, end);
  const bool plain = std::ranges::all_of(name, [](char c) { return c > 0x20 && c < 0x7F && c != '\\'; });
  return plain ? name : std::string_view{};
}

}  // namespace citestream
