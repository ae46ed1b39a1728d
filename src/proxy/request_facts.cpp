#include "request_facts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/ascii.hpp"

namespace citestream {

namespace {

struct failure_words {
  http::own_error error;
  std::string_view name{error.code};
};

/// In the order of \ref failure.
constexpr auto failures = std::to_array<failure_words>({
    {},
    {{}, "client_left"},
    {{0, "client_stalled", "the client did not read"}},
    {{503, "proxy_shutdown", "the proxy is shutting down"}},
    {{503, "too_many_connections", "the proxy has no file descriptor left for a connection"}},
    {{500, "proxy_error", "an error inside the proxy"}},
    {{502, "upstream_unreachable", "the upstream cannot be reached"}},
    {{502, "upstream_tls", "no trusted TLS connection to the upstream"}},
    {{504, "upstream_timeout", "the upstream could not be connected to in time"}, "connect_timeout"},
    {{504, "upstream_timeout", "the upstream did not respond in time"}, "head_timeout"},
    {{504, "upstream_timeout", "the upstream stopped sending"}, "idle_timeout"},
    {{504, "upstream_timeout", "the upstream did not finish its response in time"}, "total_timeout"},
    {{502, "upstream_closed", "the upstream closed the connection early"}},
    {{502, "upstream_reset", "the upstream reset the connection"}},
    {{502, "upstream_closed", "the upstream ended its answer early"}, "upstream_incomplete"},
    {{502, "upstream_malformed", "the upstream sent a malformed response"}},
    {{502, "upstream_malformed", "the head of the upstream's response is too large"},
     "upstream_head_too_large"},
});
static_assert(failures.size() == failure_count);

/// In the order of \ref bypass_reason.
constexpr auto bypass_reasons = std::to_array<std::string_view>({"", "compressed", "option", "too_large"});
static_assert(bypass_reasons.size() == bypass_reason_count);

}  // namespace

http::own_error describe(failure what) noexcept {
  return failures[static_cast<std::size_t>(what)].error;
}

std::string_view failure_name(failure what) noexcept {
  return failures[static_cast<std::size_t>(what)].name;
}

std::string_view name(bypass_reason why) noexcept {
  return bypass_reasons[static_cast<std::size_t>(why)];
}

std::string_view end_name(const request_facts& of) noexcept {
  if (!of.refused.empty()) return of.refused;
  return of.failed == failure::none ? "complete" : failure_name(of.failed);
}

std::string_view model_in(std::string_view bytes) noexcept {
  // Quotes inside JSON strings are escaped, so a name in quotes followed by a colon is a key.
  constexpr std::string_view key = "\"model\"";
  constexpr std::size_t max_bytes = 64;
  const auto skip = [&](std::string_view mark) {
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t"), bytes.size()));
    const bool found = bytes.starts_with(mark);
    if (found) bytes.remove_prefix(mark.size());
    return found;
  };
  for (std::size_t at = bytes.find(key); at != std::string_view::npos; at = bytes.find(key)) {
    bytes.remove_prefix(at + key.size());
    if (!skip(":") || !skip("\"")) continue;
    const std::size_t end = bytes.substr(0, max_bytes + 1).find('"');
    if (end == std::string_view::npos) return {};
    const std::string_view name = bytes.substr(0, end);
    const bool plain = std::ranges::all_of(name, [](char c) { return ascii::is_visible(c) && c != '\\'; });
    return plain ? name : std::string_view{};
  }
  return {};
}

}  // namespace citestream
