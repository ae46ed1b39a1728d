#include "request_facts.hpp"

#include <algorithm>
#include <cstddef>

namespace citestream {

http::own_error describe(failure what) noexcept {
  switch (what) {
    case failure::shutdown:
      return {503, "proxy_shutdown", "the proxy is shutting down"};
    case failure::no_descriptors:
      return {503, "too_many_connections", "the proxy has no file descriptor left for a connection"};
    case failure::unreachable:
      return {502, "upstream_unreachable", "the upstream cannot be reached"};
    case failure::tls:
      return {502, "upstream_tls", "no trusted TLS connection to the upstream"};
    case failure::connect_timeout:
      return {504, "upstream_timeout", "the upstream could not be connected to in time"};
    case failure::head_timeout:
      return {504, "upstream_timeout", "the upstream did not respond in time"};
    case failure::idle_timeout:
      return {504, "upstream_timeout", "the upstream stopped sending"};
    case failure::total_timeout:
      return {504, "upstream_timeout", "the upstream did not finish its response in time"};
    case failure::closed:
      return {502, "upstream_closed", "the upstream closed the connection early"};
    case failure::reset:
      return {502, "upstream_reset", "the upstream reset the connection"};
    case failure::malformed:
      return {502, "upstream_malformed", "the upstream sent a malformed response"};
    case failure::internal:
      return {500, "proxy_error", "an error inside the proxy"};
    case failure::none:
    case failure::client_gone:
      break;
  }
  return {};
}

std::string_view failure_name(failure what) noexcept {
  switch (what) {
    case failure::none:
      return {};
    case failure::client_gone:
      return "client_left";
    case failure::connect_timeout:
      return "connect_timeout";
    case failure::head_timeout:
      return "head_timeout";
    case failure::idle_timeout:
      return "idle_timeout";
    case failure::total_timeout:
      return "total_timeout";
    default:
      return describe(what).code;
  }
}

std::string_view end_name(const request_facts& of) noexcept {
  if (!of.refused.empty()) return of.refused;
  return of.failed == failure::none ? "complete" : failure_name(of.failed);
}

std::string_view model_in(std::string_view bytes) noexcept {
  // Quotes inside JSON strings are escaped, so a name in quotes followed by a colon is a key.
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
